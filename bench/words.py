"""Finds what the writers typed on the paper, by other means than the compiler's: `python bench/words.py ROOT DIST [PACK:PRODUCT...]`.

In: a project, whose `content` is read by another YAML parser, whose `schemas` name the fields that are text and whose themes the fields
that a full card may leave out; built PDFs, read by PDFium. Out: a line for each text whose words do not stand, in order, on the entry's own
card or in its own block of a page; ends with 1 where one is missing that may not be. `{values}`, `:icons:` and `[[links]]` stand for
whatever is printed in their place, and a part in `<...>` may be absent.

Only products that print one face or block an entry are read: cards and pages that select by kind; and books, in which each heading, each
paragraph and each cell of their chapters must stand.
"""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
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
    """Words that were not found: in which product, of which entry and field; whether the theme lets a full card do without."""

    product: str
    entry: str
    field: str
    words: str
    left_out: bool

    def __str__(self) -> str:
        return f"{'left out' if self.left_out else 'MISSING'}: {self.product}: {self.entry}: {self.field}: {self.words}"


# ---- What was typed


def packs(content: Path) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each pack's name, its products and its entries as kind -> id -> entry."""
    reader = YAML(typ="safe", pure=True)
    for folder in sorted(path.parent for path in content.glob("*/pack.yaml")):
        entries: dict[str, Any] = {}
        for path in sorted(folder.rglob("*.yaml")):
            if path != folder / "pack.yaml":
                for kind, found in (reader.load(path.read_text(encoding="utf-8")) or {}).items():
                    if kind != "rules":
                        entries.setdefault(kind, {}).update(found)
        yield folder.name, entries.pop("product", {}), entries


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
    """All characters of a file as they are drawn."""
    found = []
    with pypdfium2.PdfDocument(pdf) as document:
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

    def titles(self, name: str) -> list[Character]:
        """The first characters of a name where it stands in its largest type."""
        wanted = pattern(name)
        hits = [self.origin[m.start()] for m in wanted.finditer(self.text)] if wanted else []
        largest = max((one.size for one in hits), default=0)
        return [one for one in hits if one.size > largest - 0.01]


def faces(found: list[Character], names: dict[str, str]) -> dict[str, list[str]]:
    """By entry, the text of each face that has its name in the largest type of all."""
    cells: dict[tuple[int, int, int], list[Character]] = {}
    for one in found:
        cells.setdefault(cell(one), []).append(one)
    papers = [Paper(face) for face in cells.values()]
    own = {}
    for entry, name in names.items():
        hits = [(titles[0].size, paper.text) for paper in papers if (titles := paper.titles(name))]
        own[entry] = [text for size, text in hits if size > max(hits)[0] - 0.01]
    return own


def blocks(found: list[Character], names: dict[str, str], columns: int) -> dict[str, list[str]]:
    """By entry, the text from its title on to the next title below it, or in the next column."""

    def place(one: Character) -> tuple[int, int, float]:
        return one.page, int(one.x // (one.paper[0] / columns)), one.y

    whole = Paper(found)
    starts = sorted((place(titles[0]), titles[0].size, entry) for entry, name in names.items() if (titles := whole.titles(name)))
    places = [(page, column, y - size) for (page, column, y), size, _ in starts]
    parts: list[list[Character]] = [[] for _ in range(len(starts) + 1)]
    for one in found:
        parts[bisect(places, place(one))].append(one)
    return {entry: [Paper(part).text] for (_, _, entry), part in zip(starts, parts[1:], strict=True)}


# ---- The comparison


def printed_by_kind(product: dict[str, Any]) -> bool:
    """Whether a product prints one card or block for each entry of its kinds."""
    return product["layout"] != "form" and "each" not in product and set(product.get("select", ())) == {"kind"}


def lost(root: Path, dist: Path, wanted: set[str]) -> tuple[int, list[Lost]]:
    """How many texts were looked for, and those that were not found."""
    core = set().union(*(text_fields(json.loads((root / f"schemas/core/{n}.json").read_text(encoding="utf-8"))) for n in SHARED))
    count, missing = 0, []
    for pack, products, kinds in packs(root / "content"):
        theme = root / "templates" / pack / "theme.yaml"
        may_drop = droppable(YAML(typ="safe", pure=True).load(theme.read_text(encoding="utf-8"))) if theme.exists() else set()
        for name, product in products.items():
            full, pdf = f"{pack}:{name}", dist / pack / f"{name}.pdf"
            if (wanted and full not in wanted) or not printed_by_kind(product) or not pdf.exists():
                continue
            if product["layout"] == "book":
                found, lacking = lost_in_book(full, kinds[CHAPTER], pdf)
                count, missing = count + found, missing + lacking
                continue
            chosen = product["select"]["kind"]
            chosen = [chosen] if isinstance(chosen, str) else chosen
            fields = {k: core | text_fields(json.loads((root / f"schemas/{pack}/{k}.json").read_text(encoding="utf-8"))) for k in chosen}
            entries = {(kind, key): entry for kind in chosen for key, entry in kinds.get(kind, {}).items() if entry.get("copies") != 0}
            names = {f"{kind}/{key}": entry["name"] for (kind, key), entry in entries.items()}
            found, cards = characters(pdf), product["layout"] == "cards"
            texts = faces(found, names) if cards else blocks(found, names, product.get("columns", 1))
            for (kind, key), entry in entries.items():
                for field, words in typed(entry, fields[kind]):
                    if sought := pattern(words):
                        count += 1
                        if not any(sought.search(text) for text in texts.get(f"{kind}/{key}", [])):
                            missing.append(Lost(full, f"{kind}/{key}", field, words, cards and field in may_drop))
    return count, missing


def lost_in_book(product: str, chapters: dict[str, Any], pdf: Path) -> tuple[int, list[Lost]]:
    """How many passages of chapters were looked for, and those that do not stand in the book."""
    printed = Paper([one for one in characters(pdf) if HEAD < one.y < one.paper[1] - FOOT]).text
    count, missing = 0, []
    for id, chapter in chapters.items():
        for field in ("name", "lead", "text"):
            for words in passages(chapter.get(field, "")):
                if sought := pattern(words):
                    count += 1
                    if not sought.search(printed):
                        missing.append(Lost(product, f"chapter/{id}", field, words, False))
    return count, missing


def main() -> int:
    root, dist = map(Path, sys.argv[1:3])
    count, missing = lost(root, dist, set(sys.argv[3:]))
    for one in missing:
        print(one)
    print(f"{count} texts looked for, {len(missing)} not found, {sum(one.left_out for one in missing)} of them left out to fit")
    return 1 if not count or not all(one.left_out for one in missing) else 0


if __name__ == "__main__":
    sys.exit(main())
