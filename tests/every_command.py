"""Every command of `seasons` by its words, on a project that somebody else made, which names what lies outside of it wherever one can.

A command that is not in `COMMANDS` fails a test: it has to say here how it is called before it is trusted.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import click
import pikepdf
from PIL import Image
from small_project import MANIFEST, SCHEMA, content

from seasons_build.cli.main import seasons

OUTSIDE = "/etc/hostname"
BESIDE = "../secret.yaml"
"""What lies beside the project; the pack names it, too."""

COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "check": (("check",), ("check", "--format", "json"), ("--pack", "../stranger.zip", "check")),
    "list": (("list",), ("list", "charm", "--format", "json")),
    "show": (("show", "fox"),),
    "explain": (("explain", "fox"), ("explain", "E301")),
    "refs": (("refs", "fox"),),
    "diff": (("diff", "HEAD"), ("diff", "../before"), ("diff", "../stranger.zip")),
    "test": (("test", "--coverage"),),
    "odds": (("odds", "charms:throw"), ("odds", "charms:throw", "luck=1..3", "--plot", "odds.svg")),
    "pack check": (("pack", "check"),),
    "pack lock": (("--pack", "../stranger.zip", "pack", "lock"),),
    "pack bundle": (("pack", "bundle", "--out", "bundles"),),
    "schema": (("schema",),),
    "build": (("build", "--jobs", "1", "--format", "pdf,png"), ("--pack", "../stranger.zip", "build", "--jobs", "1")),
    "verify": (
        ("verify", "--profile", "home-a4", "dist/charms/list-0.pdf"),
        ("verify", "--profile", "drivethrucards", "../gift.pdf"),
        ("verify", "--profile", "makeplayingcards", "../pictures"),
        ("verify", "--profile", "tabletop-simulator", "../pictures"),
    ),
    "import": (
        ("import", "../gift.csv", "--kind", "charm", "--name", "gift"),
        ("import", "../gift.pdf", "--kind", "charm"),
    ),
    "export": (("export", "json"), ("export", "csv", "charm", "--out", "charms.csv"), ("export", "html", "--out", "site")),
    "new": (("new", "charm", "yak"), ("new", "project", "night")),
    "copy": (("copy", "fox", "vixen"),),
    "rename": (("rename", "fox", "reynard"),),
    "align": (("align",),),
    "doctor": (("doctor",),),
    "clean": (("clean",),),
}
"""Of each command that comes to an end by itself: how it is called, in an order in which each finds what it wants."""

LASTING = ("watch", "serve")
"""The commands that last until somebody ends them."""

_POINTER = f"[{OUTSIDE}](file://{OUTSIDE}) ![x]({BESIDE})"
_ROLLS = "rules:\n  rolls:\n    throw:\n      takes: {luck: 1}\n      dice: {d6: {faces: 6, count: luck}}\n      let: {total: d6}\n"
_ROLLS += '      outcomes: [{good: "total >= 4"}, {bad: else}]\n'


def leaves(group: click.Command = seasons, before: str = "") -> Iterator[str]:
    """The names of all commands that do something."""
    if not isinstance(group, click.Group):
        yield before
        return
    with click.Context(group) as context:
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found is not None
            yield from leaves(found, f"{before} {name}".strip())


def make(place: Path, *, broken: bool) -> Path:
    """A project `p` in a folder, and beside it what a stranger may hand on: an archive, a filled sheet, a table, pictures. What is `broken`
    also names what lies outside where that is refused, and holds links to it."""
    root = place / "p"
    files: dict[str, str | bytes] = {
        "secret.yaml": "charm:\n  s3cret: {name: s3cret, luck: 1}\n",
        "p/content/charms/pack.yaml": MANIFEST,
        "p/content/charms/all.yaml": content("one"),
        "p/content/charms/rules.yaml": _ROLLS,
        "p/content/charms/far.yaml": f"charm:\n  far: {{name: '{OUTSIDE}', luck: 1, rules: '{_POINTER}'}}\n",
        "p/content/charms/products.yaml": "product:\n"
        "  list-0: {layout: pages, select: {kind: charm}}\n"
        "  deck: {layout: cards, select: {kind: charm}}\n",
        "p/schemas/charms/charm.json": json.dumps(SCHEMA),
        "before/content/charms/pack.yaml": MANIFEST,
        "before/content/charms/all.yaml": content("before"),
        "before/schemas/charms/charm.json": json.dumps(SCHEMA),
        "gift.csv": f'id,name,luck,rules\nyew,"=HYPERLINK(""file://{OUTSIDE}"")",2,{BESIDE}\n',
        "gift.pdf": filled_sheet(),
        "stranger.zip": archive(),
        "pictures/001-face-a.png": picture("face 1 of 2"),
        "pictures/back.png": picture("back of 2"),
        "pictures/deck.json": json.dumps(_DECK),
    }
    if broken:
        away = {"title": "O", "description": "O.", "allOf": [{"$ref": f"file://{OUTSIDE}"}]}
        files |= {
            "p/templates/charms/theme.yaml": "id: charms\ntitle: Charms\nextends: base\n"
            "stylesheets: {cards: [base/base.css, charms/a.css]}\n",
            "p/templates/charms/a.css": f'@import "{OUTSIDE}";p{{background:url(file://{OUTSIDE})}}',
            "p/templates/charms/cards/charm.html.j2": (
                f'<p>{{{{ entry.name }}}}</p><img src="file://{OUTSIDE}" alt=""><a href="file://{OUTSIDE}">a</a>{{% include "{OUTSIDE}" %}}'
            ),
            "p/content/charms/art.yaml": f"charm:\n  x: {{name: X, luck: 1, rules: '[[{OUTSIDE}]]', art: {{file: '{BESIDE}'}}}}\n",
            "p/schemas/charms/other.json": json.dumps(away),
        }
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    if broken:
        for link, target in (("content/charms/link.yaml", OUTSIDE), ("seasons.lock", f"../{BESIDE[3:]}"), ("profiles", "../pictures")):
            (root / link).symlink_to(target)
    commit(root)
    return root


_DECK = {
    "ObjectStates": [
        {
            "Name": "DeckCustom",
            "DeckIDs": [100],
            "CustomDeck": {"1": {"FaceURL": f"file://{OUTSIDE}", "BackURL": "../secret.yaml", "NumWidth": 2, "NumHeight": 2}},
            "ContainedObjects": [{"CardID": 100}],
        }
    ]
}


def archive() -> bytes:
    """A pack in an archive, with the same bytes everywhere."""
    from seasons_build.packs import bundle

    far = f"token:\n  coin: {{name: Coin, rules: '{_POINTER}'}}\n"
    schema = {"title": "Token", "description": "A token.", "allOf": [{"$ref": "core/entry"}]}
    manifest = 'id: stranger\ntitle: Stranger\nversion: "1"\nformat: 1\nlicence: CC0-1.0\n'
    return bundle({"pack.yaml": manifest.encode(), "all.yaml": far.encode(), "schemas/token.json": json.dumps(schema).encode()})


def filled_sheet() -> bytes:
    """A sheet that names what lies outside wherever a PDF can: a file to open, to embed, to fetch and to start."""
    document = pikepdf.new()
    document.add_blank_page(page_size=(200, 300))
    away = pikepdf.Dictionary(Type=pikepdf.Name.Filespec, FS=pikepdf.Name.URL, F=pikepdf.String(f"file://{OUTSIDE}"))
    text = document.make_indirect(pikepdf.Dictionary(FT=pikepdf.Name.Tx, T=pikepdf.String("entry/name"), V=pikepdf.String(OUTSIDE)))
    stream = pikepdf.Stream(document, b"")
    stream.F = away
    document.Root.AcroForm = pikepdf.Dictionary(Fields=[text], XFA=stream)
    document.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.Launch, F=away)
    document.Root.Metadata = stream
    source = f"# charms:charm/gift\ncharm:\n  gift: {{name: Gift, luck: 1, rules: '{_POINTER}'}}\n"
    document.attachments["entry.yaml"] = pikepdf.AttachedFileSpec(document, source.encode(), filename=f"../../{OUTSIDE}")
    document.docinfo["/Title"] = OUTSIDE
    made = BytesIO()
    document.save(made, deterministic_id=True)
    return made.getvalue()


def picture(side: str) -> bytes:
    """A picture that says which side of which card it is."""
    from PIL.PngImagePlugin import PngInfo

    said, made = PngInfo(), BytesIO()
    said.add_text("Side", side)
    said.add_text("URL", f"file://{OUTSIDE}")
    Image.new("RGB", (20, 30)).save(made, "PNG", pnginfo=said)
    return made.getvalue()


def commit(root: Path) -> None:
    """Makes a project a repository, as it is."""
    named = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message=x")):
        subprocess.run(["git", *named, *words], cwd=root, check=True, capture_output=True)
