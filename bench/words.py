"""Finds what the writers typed on the paper, by other means than the compiler's.

    seasons build --fit-report > REPORT
    python bench/words.py ROOT DIST REPORT [PACK:PRODUCT...]

In: a project, whose `content` is read by another YAML parser, whose `schemas` name the fields that are text and whose themes the fields
that a full card may leave out; built PDFs, read by PDFium; and what the build said. Out: a line for each text whose words do not stand, in
order, on the entry's own card, in its own block of a page or in its own file; then a table of the products. A text may be missing from a
card where the theme may leave it out and the report says that it did. The script ends with 1 where any other is missing, and where one
stands that the report says was left out. `{values}`, `:icons:` and `[[links]]` stand for whatever is printed in their place, and a part in
`<...>` may be absent.

Read are cards and pages that select by kind; forms, a file an entry; and books, in which each heading, each paragraph and each cell of
their chapters must stand. Kinds that none of these print are brought into books and papers: their texts must stand in some file of their
pack. Decks of one character are not read: their faces are those of the other decks.
"""

from __future__ import annotations

import io
import json
import re
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from ruamel.yaml import YAML

MM = 72 / 25.4
CARD = (63 * MM, 88 * MM)
SHARED = ("action", "effects", "entry", "frame", "option", "usable")
"""The schemas of the core that entries are made of."""
HOLE = "\0"
HEAD, FOOT = 20 * MM, 18 * MM
"""What stands so near to the edge of a book's page is its running head or its number."""
CHAPTER = "chapter"
"""The kind that books are made of."""
Key = tuple[str, str]
"""The kind and the id of an entry."""
CARDS, FORM, BROUGHT = "cards", "form", "brought in"
REST = "cards"
"""The product of a pack that prints what no other does."""
GAP = r"(?:(?!\n).){0,160}?"
"""What may be printed for a value: a little text of the same face."""


@dataclass(frozen=True, slots=True)
class Character:
    """One printed character: its page, its middle from the left and from the top, the size of its type and of the paper, in points."""

    text: str
    page: int
    x: float
    y: float
    size: float
    paper: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lost:
    """Words that were not found: in which product, of which entry and field; whether they were left out to fit, which the theme allows and
    the report tells."""

    product: str
    entry: str
    field: str
    words: str
    left_out: bool = False
    said: str = "MISSING"

    def __str__(self) -> str:
        return f"{'left out' if self.left_out else self.said}: {self.product}: {self.entry}: {self.field}: {self.words}"


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as typed: its products and its entries by kind and id, with those products that it has from the packs it requires."""

    name: str
    above: tuple[str, ...]
    products: dict[str, Any]
    entries: dict[str, dict[str, Any]]


# ---- What was typed


def read_yaml(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8")) or {}


def packs(content: Path) -> list[Pack]:
    """The packs, those first that others require."""
    found: dict[str, Pack] = {}
    folders = {path.parent.name: path.parent for path in sorted(content.glob("*/pack.yaml"))}
    manifests = {name: read_yaml(folder / "pack.yaml") for name, folder in folders.items()}
    wanted = {name: [above for above in manifest.get("requires", {}) if above in folders] for name, manifest in manifests.items()}
    for name in sorted(folders, key=lambda name: (len(wanted[name]), name)):
        entries: dict[str, Any] = {}
        for path in sorted(folders[name].rglob("*.yaml")):
            if path != folders[name] / "pack.yaml":
                for kind, of_kind in read_yaml(path).items():
                    if kind not in ("rules", "patch"):
                        entries.setdefault(kind, {}).update(of_kind)
        products = {key: product for above in wanted[name] for key, product in found[above].products.items()}
        found[name] = Pack(name, (name, *wanted[name]), products | entries.pop("product", {}), entries)
    return list(found.values())


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def schema_of(root: Path, pack: Pack, kind: str) -> Any:
    """The schema of a kind: the pack's own, or of one that it requires."""
    paths = (root / f"schemas/{above}/{kind}.json" for above in (*pack.above, "core"))
    return next(read_json(path) for path in paths if path.exists())


def text_fields(schema: Any) -> set[str]:
    """The names of the fields of a schema that are text or lists of text."""
    found: set[str] = set()
    if isinstance(schema, dict):
        for name, field in schema.get("properties", {}).items():
            if isinstance(field, dict) and ("x-text" in field or "x-text" in field.get("items", {})):
                found.add(name)
        for value in schema.values():
            found |= text_fields(value)
    if isinstance(schema, list):
        found = found.union(*map(text_fields, schema))
    return found


def left_out(report: str) -> set[tuple[str, str, str]]:
    """Product, entry and field of what a fit report says was left out."""
    lines = (re.fullmatch(r"(\S+) (\S+/\S+): (.*)", line) for line in report.splitlines())
    return {(line[1], line[2], field) for line in lines if line for field in re.findall(r"without `([^`]+)`", line[3])}


def droppable(theme: Any) -> set[str]:
    """The fields that a theme may leave out of a full card."""
    if isinstance(theme, dict):
        return set(theme.get("drop", [])).union(*map(droppable, theme.values()))
    return set().union(*map(droppable, theme)) if isinstance(theme, list) else set()


def typed(value: Any, fields: set[str], path: str = "") -> Iterator[tuple[str, str]]:
    """The path and the words of each text of an entry, in the order in which they were typed."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        where = f"{path}.{key}".lstrip(".")
        if isinstance(key, str) and key in fields:
            # A state that is said in full where it is applied is printed that way, and its name is not.
            if key == "say" and isinstance(value.get("apply"), str):
                inner = value["apply"]
            for text in inner if isinstance(inner, list) else [inner]:
                if isinstance(text, str):
                    yield where, text
        yield from typed(inner, fields, where)


def passages(text: str) -> Iterator[str]:
    """The headings, paragraphs, points, titles and cells of a chapter. What is brought in is left out, and so is the row of a table that
    stands for each of its things."""
    paragraph: list[str] = []
    brought_in = 0
    for line in (re.sub(r"^(> ?)+", "", line.strip()).strip() for line in [*text.splitlines(), ""]):
        cells = re.split(r"(?<!\\)\|", line)[1:-1] if line.startswith("|") else []
        if paragraph and (not line or cells or re.match(r"#|!\[\[|\[!|- |\d+\. ", line)):
            yield " ".join(paragraph)
            paragraph = []
        if cells:
            brought_in += brought_in > 0
            if not re.fullmatch(r"[-: ]*", "".join(cells)) and brought_in != 4:
                yield from cells
        else:
            brought_in = int(line.startswith("![["))
            if line and not brought_in:
                paragraph.append(re.sub(r"^(#+ |\[![\w-]+\]|- |\d+\. )", "", line))


# ---- What was printed


def characters(pdf: Path) -> list[Character]:
    """All characters of a file as they are drawn, none where there is no file; what stands in fields comes after the rest of its page."""
    if not pdf.exists():
        return []
    with pypdfium2.PdfDocument(pdf) as typed_into:
        typed_into.init_forms()
        for page in typed_into:
            pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_PRINT)
            page.close()
        flat = io.BytesIO()
        typed_into.save(flat)
    found = []
    with pypdfium2.PdfDocument(flat) as document:
        for number, page in enumerate(document):
            width, height = page.get_size()
            text = page.get_textpage()
            x = y = 0.0
            for index in range(text.count_chars()):
                code = pdfium.FPDFText_GetUnicode(text.raw, index)
                if pdfium.FPDFText_IsGenerated(text.raw, index) == 1 or not chr(code).strip():
                    found.append(Character(" ", number, x, y, 0, (width, height)))
                    continue
                left, bottom, right, top = text.get_charbox(index)
                x, y = (left + right) / 2, height - (bottom + top) / 2
                found.append(Character(chr(code), number, x, y, pdfium.FPDFText_GetFontSize(text.raw, index), (width, height)))
            # No word of a page goes on in the first of the next.
            found.append(Character(" ", number, x, y, 0, (width, height)))
    return found


def cell(one: Character) -> tuple[int, int, int]:
    """The page, row and column of the card on which a character stands: whole cards in the middle of the paper."""
    (width, height), (card, tall) = one.paper, CARD
    columns, rows = int(width // card), int(height // tall)
    return one.page, int((one.y - (height - rows * tall) / 2) // tall), int((one.x - (width - columns * card) / 2) // card)


def plain(text: str) -> str:
    """Letters and digits in small letters, anything else a space: a text and its setting agree in no more."""
    return "".join(c if c.isalnum() or c == HOLE else " " for c in text.replace("\N{SOFT HYPHEN}", "").casefold())


def pattern(words: str) -> re.Pattern[str] | None:
    """What to look for; nothing where no word is left. A word may be broken anywhere, as hyphenation does."""
    words = re.sub(r"\{[^{}]*\}|(?<!\w):[a-z][\w-]*:|\[\[[^\]]*\]\]|<[^<>]*>", HOLE, words)
    parts = [" ?".join(re.escape(c) for c in "".join(plain(part).split())) for part in words.split(HOLE)]
    if not any(parts):
        return None
    return re.compile(r"(?<!\w)" + GAP.join(part for part in parts if part) + r"(?!\w)")


class Paper:
    """A printed text that knows, for each character of its plain form, which character of the file it came from."""

    def __init__(self, characters: list[Character]) -> None:
        self.text = ""
        self.origin: list[Character] = []
        for one in characters:
            for c in plain(one.text):
                if c != " " or not self.text.endswith(" "):
                    self.text += c
                    self.origin.append(one)

    def alone(self, found: re.Match[str]) -> bool:
        """Whether no word as large stands on the line before or after what was found."""
        ends = ((found.start(), found.start() - 2), (found.end() - 1, found.end() + 1))
        pairs = [(self.origin[own], self.origin[other]) for own, other in ends if 0 <= other < len(self.text)]
        return not any(abs(own.size - other.size) < 0.01 and abs(own.y - other.y) < own.size / 2 for own, other in pairs)

    def title(self, name: str) -> tuple[bool, float, Character] | None:
        """Where a name is a title: whether it stands alone there, not as a part of another name; its size; its first character. Of several
        places the first of those that stand alone, or of all where none does, in the largest type."""
        wanted = pattern(name)
        found = [(self.alone(m), self.origin[m.start()].size, self.origin[m.start()]) for m in wanted.finditer(self.text)] if wanted else []
        return max(found, key=lambda place: place[:2], default=None)


def faces(found: list[Character], names: dict[Key, str]) -> dict[Key, list[str]]:
    """By entry, the text of each face that has its name as its title, in the largest type of all."""
    cells: dict[tuple[int, int, int], list[Character]] = {}
    for one in found:
        cells.setdefault(cell(one), []).append(one)
    papers = [Paper(face) for face in cells.values()]
    own = {}
    for entry, name in names.items():
        hits = [(*title[:2], paper.text) for paper in papers if (title := paper.title(name))]
        own[entry] = [text for alone, size, text in hits if alone == max(hits)[0] and size > max(hits)[1] - 0.01]
    return own


def blocks(found: list[Character], names: dict[Key, str], columns: int) -> dict[Key, list[str]]:
    """By entry, the text from its title on to the next title below it, or in the next column. There are as many columns as the product
    says, or more where titles stand side by side."""
    whole = Paper(found)
    titled = [(title[2], entry) for entry, name in names.items() if (title := whole.title(name))]
    columns = max(columns, *Counter((one.page, round(one.y)) for one, _ in titled).values())

    def place(one: Character) -> tuple[int, int, float]:
        return one.page, int(one.x // (one.paper[0] / columns)), one.y

    starts = sorted((place(title), title.size, entry) for title, entry in titled)
    places = [(page, column, y - size) for (page, column, y), size, _ in starts]
    parts: list[list[Character]] = [[] for _ in range(len(starts) + 1)]
    for one in found:
        parts[bisect(places, place(one))].append(one)
    return {entry: [Paper(part).text] for (_, _, entry), part in zip(starts, parts[1:], strict=True)}


# ---- The comparison


@dataclass(slots=True)
class Tally:
    """What was looked for in a product, and what was not found there. `elsewhere` counts texts that a form has no place for and that stand
    on another page of their entry's own, `nowhere` the names of things that have no page of their own and are told by others."""

    product: str
    layout: str
    count: int = 0
    found: set[tuple[str, str, str]] = field(default_factory=set)
    missing: list[Lost] = field(default_factory=list)
    elsewhere: int = 0
    nowhere: int = 0

    @property
    def left_out(self) -> int:
        return sum(one.left_out for one in self.missing)

    def __str__(self) -> str:
        lost = len(self.missing) - self.left_out
        return f"{self.product:<44}{self.count:>7}{self.left_out:>10}{self.elsewhere:>11}{self.nowhere:>9}{lost:>9}"


HEADING = f"{'':<44}{'texts':>7}{'left out':>10}{'elsewhere':>11}{'nowhere':>9}{'missing':>9}"


class Search:
    """A project and what was printed of it."""

    def __init__(self, root: Path, dist: Path, report: str) -> None:
        self.root, self.dist, self.told = root, dist, left_out(report)
        self.core = set().union(*(text_fields(read_json(root / f"schemas/core/{name}.json")) for name in SHARED))

    def run(self, wanted: set[str]) -> list[Tally]:
        """A tally of each product that is there and wanted, and of each kind that no product prints."""
        made: list[Tally] = []
        for pack in packs(self.root / "content"):
            products = {name: product for name, product in pack.products.items() if printed_by_kind(product)}
            taken = {CHAPTER}.union(*map(kinds_of, products.values()))
            left = [kind for kind in pack.entries if kind not in taken]
            if left and len(pack.above) > 1:
                products[REST] = {"layout": "cards", "select": {"kind": left}}
                left = []
            asked = {name: product for name, product in products.items() if not wanted or f"{pack.name}:{name}" in wanted}
            tallies = [self.product(pack, name, product) for name, product in asked.items()]
            sort_out(tallies)
            made += [tally for tally in tallies if tally.count]
            if left and not wanted:
                papers = [Paper(characters(path)).text for path in sorted((self.dist / pack.name).rglob("*.pdf"))]
                made += [self.brought_in(pack, kind, papers) for kind in left]
        return made

    def texts(self, pack: Pack, kind: str, entry: Any) -> Iterator[tuple[str, str, re.Pattern[str]]]:
        """Each text of an entry: its field, its words, and what to look for."""
        for name, words in typed(entry, self.core | text_fields(schema_of(self.root, pack, kind))):
            if sought := pattern(words):
                yield name, words, sought

    def product(self, pack: Pack, name: str, product: dict[str, Any]) -> Tally:
        """What was looked for in one product. Where a file is missing, all of its texts are."""
        tally, path = Tally(f"{pack.name}:{name}", product["layout"]), self.dist / pack.name / f"{name}.pdf"
        typed = {(kind, key): entry for kind in kinds_of(product) for key, entry in pack.entries.get(kind, {}).items()}
        entries = {key: entry for key, entry in typed.items() if entry.get("copies") != 0}
        if not entries:
            return tally
        if tally.layout == FORM:
            files = {key: path.with_suffix("") / f"{key[1]}.pdf" for key in entries}
            self.entries(tally, pack, entries, {key: [Paper(characters(file)).text] for key, file in files.items()})
        elif tally.layout == "book":
            self.book(tally, entries, path)
        else:
            names, found = {key: entry["name"] for key, entry in entries.items()}, characters(path)
            printed = faces(found, names) if tally.layout == CARDS else blocks(found, names, product.get("columns", 1))
            self.entries(tally, pack, entries, printed)
        return tally

    def entries(self, tally: Tally, pack: Pack, entries: dict[Key, Any], printed: dict[Key, list[str]]) -> None:
        """The texts of entries, each in what was printed for its own."""
        may_go = self.droppable(pack)
        for (kind, key), entry in entries.items():
            for where, words, sought in self.texts(pack, kind, entry):
                one = Lost(tally.product, f"{kind}/{key}", where, words)
                told = tally.layout == CARDS and (one.product, one.entry, where) in self.told
                stands = any(sought.search(text) for text in printed.get((kind, key), []))
                tally.count += 1
                if not stands:
                    tally.missing.append(replace(one, left_out=told and where in may_go))
                else:
                    tally.found.add((one.entry, where, words))
                    tally.missing += [replace(one, said="SAID TO BE LEFT OUT, AND STANDS")] * told

    def droppable(self, pack: Pack) -> set[str]:
        """The fields that the themes of a pack may leave out."""
        themes = (self.root / f"templates/{name}/theme.yaml" for name in (*pack.above, "base"))
        return set().union(*(droppable(read_yaml(theme)) for theme in themes if theme.exists()))

    def book(self, tally: Tally, chapters: dict[Key, Any], path: Path) -> None:
        """The passages of chapters, each in its book."""
        printed = Paper([one for one in characters(path) if HEAD < one.y < one.paper[1] - FOOT]).text
        for (kind, key), chapter in chapters.items():
            for name in ("name", "lead", "text"):
                for words in passages(chapter.get(name, "")):
                    if sought := pattern(words):
                        tally.count += 1
                        if not sought.search(printed):
                            tally.missing.append(Lost(tally.product, f"{kind}/{key}", name, words))

    def brought_in(self, pack: Pack, kind: str, papers: list[str]) -> Tally:
        """The texts of a kind that prints nothing of its own, anywhere in what its pack prints. Names may be mere handles."""
        tally = Tally(f"{pack.name}: {kind}, brought in", BROUGHT)
        for key, entry in pack.entries[kind].items():
            for where, words, sought in self.texts(pack, kind, entry):
                tally.count += 1
                if not any(sought.search(text) for text in papers):
                    if where == "name":
                        tally.nowhere += 1
                    else:
                        tally.missing.append(Lost(tally.product, f"{kind}/{key}", where, words))
        return tally


def sort_out(tallies: list[Tally]) -> None:
    """Counts what a form lacks and another own page of the entry has as standing elsewhere."""
    found = set().union(*(tally.found for tally in tallies if tally.layout != FORM))
    for tally in tallies:
        if tally.layout == FORM:
            lost = [one for one in tally.missing if (one.entry, one.field, one.words) not in found]
            tally.elsewhere, tally.missing = len(tally.missing) - len(lost), lost


def kinds_of(product: dict[str, Any]) -> list[str]:
    chosen = product["each"] if product["layout"] == FORM else product["select"]["kind"]
    return [chosen] if isinstance(chosen, str) else list(chosen)


def printed_by_kind(product: dict[str, Any]) -> bool:
    """Whether a product prints one card, block or file for each entry of its kinds, or their whole text."""
    return product["layout"] == FORM or ("each" not in product and set(product.get("select", ())) == {"kind"})


def main() -> int:
    root, dist, report = map(Path, sys.argv[1:4])
    tallies = Search(root, dist, report.read_text(encoding="utf-8")).run(set(sys.argv[4:]))
    lost = [one for tally in tallies for one in tally.missing]
    every = Tally("all of it", "", sum(tally.count for tally in tallies), missing=lost)
    every.elsewhere, every.nowhere = sum(tally.elsewhere for tally in tallies), sum(tally.nowhere for tally in tallies)
    print(*lost, "", HEADING, *tallies, every, sep="\n")
    return 1 if not every.count or len(lost) > every.left_out else 0


if __name__ == "__main__":
    sys.exit(main())
