"""A filled sheet is a PDF of a stranger: it is read by a program of its own, within limits, or said to be none."""

from __future__ import annotations

import io
import resource
import sys
import zlib
from pathlib import Path

import pikepdf
import pytest
from running import Run

from seasons_build.core.filled import FilledField
from seasons_build.core.limits import DEFAULT
from seasons_build.pipeline.proofs import verify_file
from seasons_build.read_form import NoSheet, read_filled

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits on memory")


def sheet(value: bytes, *filters: pikepdf.Object) -> bytes:
    """A PDF with one field, whose text is these bytes, packed with these filters."""
    document = pikepdf.new()
    document.add_blank_page()
    stream = pikepdf.Stream(document, b"")
    stream.write(value, filter=pikepdf.Array(filters))
    field = pikepdf.Dictionary(FT=pikepdf.Name.Tx, T="a", V=document.make_indirect(stream))
    document.Root.AcroForm = pikepdf.Dictionary(Fields=[document.make_indirect(field)])
    made = io.BytesIO()
    document.save(made, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return made.getvalue()


def grown(megabytes: int) -> bytes:
    """Noughts, packed: each megabyte is the same few bytes again."""
    packer = zlib.compressobj(9)
    first = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + again * megabytes


def test_what_stands_in_a_field_of_bytes() -> None:
    assert read_filled(sheet(b"some  text")).fields == {"a": FilledField("some text", "", False, False)}


def test_a_few_bytes_that_unpack_to_more_than_a_machine_has() -> None:
    data = sheet(zlib.compress(grown(4096)), pikepdf.Name.FlateDecode, pikepdf.Name.FlateDecode)
    assert len(data) < 50_000
    with pytest.raises(NoSheet):
        read_filled(data)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 << 20


def test_a_file_to_verify_that_grows(tmp_path: Path) -> None:
    packed = zlib.compressobj(9)
    body = packed.compress(b"1 0 <</Type/Catalog/Pages 2 0 R>>") + packed.flush(zlib.Z_FULL_FLUSH)
    body += (packed.compress(b" " * (1 << 20)) + packed.flush(zlib.Z_FULL_FLUSH)) * 2048
    parts = [b"%PDF-1.5\n", b"2 0 obj <</Type/Pages/Count 0/Kids[]>> endobj\n"]
    parts.append(b"3 0 obj <</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length %d>> stream\n%s\nendstream endobj\n" % (len(body), body))
    places = [len(parts[0]), len(parts[0]) + len(parts[1]), sum(map(len, parts))]
    rows = [b"\x00\0\0\0\0\xff", b"\x02\0\0\0\x03\0", *(b"\x01" + place.to_bytes(4, "big") + b"\0" for place in places)]
    table = b"".join(rows)
    head = b"4 0 obj <</Type/XRef/Size 5/W[1 4 1]/Root 1 0 R/Length %d>> stream\n" % len(table)
    parts.append(head + table + b"\nendstream endobj\nstartxref\n%d\n%%%%EOF" % places[2])
    (tmp_path / "a.pdf").write_bytes(b"".join(parts))
    before = resource.getrlimit(resource.RLIMIT_AS)
    found = verify_file(tmp_path, (), tmp_path / "a.pdf", "home-a4", DEFAULT._replace(worker_memory=200 << 20))
    assert {d.code for d in found} == {"E725"}
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def page(more: bytes = b"", box: bytes = b"[0 0 595.28 841.89]", content: bytes = b"") -> bytes:
    """A PDF of one page."""
    objects = (
        b"1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n",
        b"2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n",
        b"3 0 obj <</Type/Page/Parent 2 0 R/MediaBox " + box + b"/Contents 4 0 R" + more + b">> endobj\n",
        b"4 0 obj <</Length %d>> stream\n%s\nendstream endobj\n" % (len(content), content),
    )
    return b"%PDF-1.4\n" + b"".join(objects) + b"trailer <</Root 1 0 R/Size 5>>\n"


PRINTED = {
    "nothing": b"",
    "no file": b"%PDF-1.4\n" + b"\0" * 1000,
    "a box of words": page(box=b"[(1e999999999) (nan) /a <</B 1>>]"),
    "a box of endless figures": page(box=b"[0 0 " + b"9" * 5000 + b" 1]"),
    "a box of too few": page(box=b"[0 0]"),
    "a page that is its own box": page(box=b"3 0 R"),
    "more cards than there are": page(b"/SBLD_Side(face 1 of 99999999999)"),
    "figures of another script": page("/SBLD_Side(face ² of ٣)".encode()),
    "a turn that is none": page(b"/Rotate(1e999999999)/UserUnit/x"),
    "colours in a circle": page(b"/Resources<</ColorSpace<</A 3 0 R/B[/Indexed 3 0 R]/C[3 0 R]>>>>", content=b"/A cs /B CS (x) rg k 1 K"),
    "a font in itself": page(b"/Type/Font/Resources 3 0 R/Font<</A 3 0 R>>/BaseFont 3 0 R"),
    "seen through by words": page(b"/SMask(x)/ca(1)/CA[1]"),
    "pages deep in each other": page(b"/Deep " + b"<</A[" * 50_000 + b"]>>" * 50_000),
}
DECKS = (
    *(b"[" * 100_000, b"{}", b'{"ObjectStates": [{"CustomDeck": {"1": {"NumWidth": "x", "NumHeight": []}}, "ContainedObjects": []}]}'),
    b'{"ObjectStates": [{"CustomDeck": {"1": {"NumWidth": 1e400, "FaceURL": {}}}, "ContainedObjects": [{"CardID": 1e400}], "DeckIDs": 3}]}',
    b'{"ObjectStates": [{"Name": "\\u001b[2J\\u202e", "CustomDeck": {"../../etc/passwd": {"FaceURL": "../../etc/passwd"}}, "CardID": -1}]}',
)


@pytest.mark.parametrize("profile", ["home-a4", "drivethrucards", "makeplayingcards", "tabletop-simulator"])
def test_whatever_is_verified_there_is_an_answer(profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """Files of strangers, under the names that the profile looks for: each ends with words and exit code 1."""
    monkeypatch.chdir(tmp_path)
    pictures = profile in ("makeplayingcards", "tabletop-simulator")
    for number, data in enumerate((*PRINTED.values(), *(DECKS if pictures else ()), bomb())):
        place = tmp_path / f"{number}" / ("001-face-a.png" if pictures else "a.pdf")
        place.parent.mkdir()
        place.write_bytes(data)
        if profile == "tabletop-simulator":
            place.with_name("deck.json").write_bytes(data)
        ran = run("verify", "--profile", profile, str(place.parent if pictures else place))
        assert ran.code == 1, data[:300]
        assert "E725" in ran.err
        assert not set(ran.err) & {"\x1b", "\u202e"}


def bomb() -> bytes:
    """A picture that says of itself that it has 900 million pixels."""
    head = b"IHDR" + (30_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    body = b"IDAT" + grown(1)
    parts = b"".join((len(part) - 4).to_bytes(4, "big") + part + zlib.crc32(part).to_bytes(4, "big") for part in (head, body, b"IEND"))
    return b"\x89PNG\r\n\x1a\n" + parts


def test_more_than_is_looked_at(tmp_path: Path) -> None:
    for name in ("001-face-a.png", "002-face-b.png"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(300 << 20)
    (found,) = verify_file(tmp_path, (), tmp_path, "makeplayingcards")
    assert "has more than 512 MB" in found.message


@pytest.mark.parametrize(
    "form",
    [
        b"<<" + b"/A <<" * 100_000 + b">>" * 100_000 + b">>",
        b"<</Fields[3 0 R]>>",
        b"<</Fields 7>>",
        b"<</Fields[<</FT 3/T(a)>>]>>",
        b"3 0 R",
    ],
)
def test_a_form_that_is_none(form: bytes) -> None:
    objects = (
        b"1 0 obj <</Type/Catalog/Pages 2 0 R/AcroForm " + form + b"/Names<</EmbeddedFiles 3 0 R>>>> endobj\n",
        b"2 0 obj <</Type/Pages/Kids[2 0 R]/Count 1>> endobj\n",
        b"3 0 obj <</T(a)/Limits[(a)(z)]/Kids[3 0 R 3 0 R]>> endobj\n",
    )
    with pytest.raises(NoSheet):
        read_filled(b"%PDF-1.4\n" + b"".join(objects) + b"trailer <</Root 1 0 R/Size 4/Prev 9>>\n")
