"""The reference pages: `make reference` writes docs/reference from the schemas and from the tables of the language.

Nothing here is known twice: what a page says of a word is what its table or its schema says of it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from seasons_build.core import limits, vocabulary
from seasons_build.core.document import Document
from seasons_build.core.kind import CORE, Kind, Kinds
from seasons_build.core.vocabulary import Noun, Verb, Word
from seasons_build.kinds import compose_kinds
from seasons_build.language.expression import FUNCTIONS, RESERVED
from seasons_build.load import load

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "reference"
GREETING = "<!-- Written by `make reference` from the schemas and tables of the language; change those, not this page. -->"
EXPRESSIONS = {"number": "a number, or an expression", "truth": "a condition", "dice": "dice, or an expression", "amount": "an amount"}
SEVERITIES = {"E": "error", "W": "warning", "N": "note"}
CODES = {
    "1": "Files and YAML",
    "2": "The shape of entries",
    "3": "Names, references, packs",
    "4": "Expressions and dice",
    "5": "Rules and what they work out",
    "6": "Templates, typesetting, print",
    "7": "Products, and what was asked for on the command line",
    "8": "Files being written, this machine",
}


def pages() -> dict[str, str]:
    """All pages by their names in docs/reference."""
    kinds = _kinds()
    games = sorted({pack for pack, _ in kinds.by_name if pack != CORE})
    made = {
        "verbs.md": verbs(),
        "entries.md": entries(kinds),
        "rules.md": rules(kinds),
        "expressions.md": expressions(),
        "limits.md": bounds(),
        "codes.md": codes(),
        **{f"kinds-{game}.md": game_kinds(kinds, game) for game in games},
    }
    titles = {name: text.splitlines()[0].removeprefix("# ") for name, text in made.items()}
    index = ["# Reference", "", "Every word of the language, and every kind of the games that ship.", ""]
    index += [f"- [{title}]({name})" for name, title in titles.items()]
    made["README.md"] = "\n".join([*index, ""])
    return {name: f"{text.rstrip()}\n\n{GREETING}\n" for name, text in made.items()}


# ---- What is read


def _document(path: Path) -> Document:
    found = load(path.name, path.read_bytes()).value
    assert found is not None, path
    return found


def _kinds() -> Kinds:
    """The kinds of the language and of the games that ship."""
    core = {path.stem: _document(path) for path in sorted((ROOT / "schemas" / CORE).glob("*.json"))}
    packs: dict[str, dict[str, Document | None]] = {}
    for path in sorted((ROOT / "schemas").glob("*/*.json")):
        if path.parent.name != CORE:
            packs.setdefault(path.parent.name, {})[path.stem] = _document(path)
    return compose_kinds(core, packs).value


# ---- Words


def verbs() -> str:
    """The page of verbs and riders."""
    out = ["# Verbs and riders", ""]
    out += [
        "`effects:` of an entry is a map of verbs and riders, or a list of such maps. One map is one sentence; its riders hold for all its",
        "verbs. Any other word in it is a figure that a noun speaks of, as `{n}`; one that nothing speaks of is a mistake (E304). In a",
        "shape, capitals are an id that the game declares (`STAT`, `SPAN`, ...), `[x]` is a list, `a | b` is either; the other words of a",
        "shape are explained [at the end](#words-of-shapes).",
        "",
        "## Verbs",
        "",
        *table(("verb", "shape", "what it does"), ((_code(v.name), _code(v.shape), v.says) for v in vocabulary.VERBS)),
    ]
    for verb in vocabulary.VERBS:
        if verb.words:
            out += ["", f"Inside `{verb.name}`:", "", *words(verb.words)]
    out += ["", "## Riders", "", *words(vocabulary.RIDERS), "", _lacking()]
    out += ["", "## Words that hold effects of their own", "", *words(vocabulary.NESTING)]
    out += ["", "## Amounts", "", f"An amount is {vocabulary.SHAPES['amount']}.", "", *words(vocabulary.AMOUNTS)]
    for title, known in (("Ids that the language knows", vocabulary.RESERVED), ("Words of shapes", vocabulary.SHAPES)):
        out += ["", f"## {title}", "", *table(("word", "means"), ((_code(word), says) for word, says in known.items()))]
    return "\n".join(out)


def _lacking() -> str:
    every = [word.name for word in vocabulary.RIDERS]
    lacks: dict[tuple[str, ...], list[Verb]] = {}
    for verb in vocabulary.VERBS:
        lacks.setdefault(tuple(name for name in every if name not in verb.riders), []).append(verb)
    told = []
    for missing, without in lacks.items():
        allowed = [verb for verb in vocabulary.VERBS if not set(missing) & set(verb.riders)]
        if missing and len(without) > len(allowed):
            told.append(f"{_names(missing)} stands beside {_names(v.name for v in vocabulary.VERBS if v not in without)} only.")
        elif missing:
            told.append(f"{_names(missing)} does not stand beside {_names(v.name for v in without)}.")
    return " ".join([f"Every rider may stand beside every verb{', but' if told else '.'}", *told])


def entries(kinds: Kinds) -> str:
    """The page of what every entry, use, product and pack may have."""
    out = [
        "# Entries, uses, products, packs",
        "",
        "## Any entry",
        "",
        *words(vocabulary.ENTRY),
        "",
        "## A use",
        "",
        "What an action, an option and an entry that is itself used may have. The outcomes of its roll stand beside these words, each with",
        "effects of its own.",
        "",
        *words(vocabulary.FRAME),
    ]
    out += ["", f"A variant (`as`) changes paths of the action that it is like, by {_names(vocabulary.CHANGES)}."]
    out += ["", "## A character's file", "", *_block(kinds.blocks["record"])]
    out += ["", "## A product", "", *_block(kinds.by_name[CORE, "product"].schema)]
    out += ["", "## `pack.yaml`", "", *_block(kinds.blocks["pack"])]
    return "\n".join(out)


def rules(kinds: Kinds) -> str:
    """The page of what a game declares."""
    out = ["# What a game declares under `rules:`", ""]
    out += ["In any file of a pack. A form is a sentence or a part of one; where a noun has only `say`, the text alone will do.", ""]
    out += table(("noun", "what it is"), ((f"[`{noun.name}`](#{noun.name})", noun.says) for noun in vocabulary.NOUNS))
    own: Mapping[str, tuple[Word, ...]] = {
        "rolls": vocabulary.ROLLS,
        "advances": vocabulary.ADVANCES,
        "limits": vocabulary.LIMITS,
        "cases": vocabulary.CASES,
        "phrases": vocabulary.PHRASES,
    }
    properties = kinds.blocks["rules"]["properties"]
    for noun in vocabulary.NOUNS:
        out += ["", f"## {noun.name}", "", f"{_sentence(noun.says)}"]
        out += _forms(noun)
        if noun.name in own:
            out += ["", *words(own[noun.name])]
        out += _choices(noun, properties[noun.name])
    return "\n".join(out)


def _forms(noun: Noun) -> Iterator[str]:
    if noun.said:
        yield from ("", "Forms, each a template:", "", *words(noun.said))
    if noun.plain:
        yield from ("", "Further words:" if noun.said else "Words:", "", *words(noun.plain))


def _choices(noun: Noun, schema: Any) -> Iterator[str]:
    inner = schema.get("additionalProperties")
    if isinstance(inner, Mapping) and "enum" in inner and not noun.plain:
        yield from ("", f"Each is one of {_names(inner['enum'])}.")


def words(listed: Iterable[Word]) -> list[str]:
    """Words as a table."""
    return table(("word", "shape", "means"), ((_code(word.name), _code(word.shape), word.says) for word in listed))


# ---- Expressions, limits, codes


def expressions() -> str:
    """The page of expressions."""
    signs = [
        ("`+ - * /`", "exact arithmetic; `/` keeps fractions"),
        ("`//` and `%`", "divided and rounded down; what is left over"),
        ("`< <= == != >= >`", "comparison, also in a row: `1 <= level <= 5`"),
        ("`and` `or` `not`", "of conditions"),
        ("`a if c else b`", "one of two values"),
        ("`2d6`", "dice, with their count"),
        ("`'word'`", "a word: an id, or one of the words of a roll"),
    ]
    out = ["# Expressions", ""]
    out += [
        "Exact numbers, names, signs and the functions below. Every name is resolved and every type checked before anything is worked",
        "out; there is no loop and no assignment. Names are written with `_`, also the ids that have a `-`. `a.b` is the field `b` of",
        "what `a` leads to, or a value derived of a stat.",
        "",
        *table(("written", "means"), signs),
        "",
        f"Words that cannot be names: {_names(sorted(RESERVED))}.",
        "",
        "## Functions",
        "",
        *table(("function", "gives", "what"), ((_code(f.signature), f.gives, f.description) for f in FUNCTIONS.values())),
        "",
        "What is read of each entry are its fields, `taken` (how often it was taken), `state`, and what the rules derive for its kind.",
    ]
    return "\n".join(out)


def bounds() -> str:
    """The page of limits."""
    source = Path(limits.__file__).read_text(encoding="utf-8")
    table_of = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef) and node.name == "Limits")
    doc = " ".join((ast.get_docstring(table_of) or "").split())
    rows = ((_code(name), f"{value:,}") for name, value in limits.DEFAULT._asdict().items())
    return "\n".join(["# Limits", "", f"What a file may cost. No pack can raise them. {doc}", "", *table(("limit", "value"), rows)])


def codes() -> str:
    """The page of diagnostic codes."""
    out = ["# Codes of diagnostics", ""]
    out += ["`seasons explain CODE` prints the page of a code, with an example that gives it and one that does not."]
    files = sorted((ROOT / "seasons_build" / "pages").glob("*.md"))
    found = [(path.stem, path.read_text(encoding="utf-8").splitlines()[0]) for path in files]
    for hundred, title in CODES.items():
        rows = [(_code(code), SEVERITIES[code[0]], line.partition(": ")[2]) for code, line in found if code[1] == hundred]
        if rows:
            out += ["", f"## {title}", "", *table(("code", "severity", "about"), sorted(rows, key=lambda row: (row[0][2:], row[0])))]
    return "\n".join(out)


# ---- Kinds


def game_kinds(kinds: Kinds, game: str) -> str:
    """The page of one game's kinds."""
    own = [kind for (pack, _), kind in sorted(kinds.by_name.items()) if pack == game]
    manifest = _document(ROOT / "content" / game / "pack.yaml").data
    out = [f"# Kinds of {manifest['title']}", "", "Beside these fields each entry may have [what any entry has](entries.md).", ""]
    out += table(("kind", "what it is"), ((f"[`{kind.id}`](#{kind.id})", kind.description) for kind in own))
    for kind in own:
        out += ["", f"## {kind.id}", "", kind.description, *_fields(kind)]
    return "\n".join(out)


def _fields(kind: Kind) -> Iterator[str]:
    required = set(kind.schema.get("required", ()))
    mine = [field for field in kind.fields if field.own]
    needed = [name for name in kind.schema.get("required", ()) if name not in {field.id for field in mine}]
    if needed:
        yield from ("", f"It must have {_names(needed)}.")
    if any(field.id == "use" and not field.own for field in kind.fields):
        yield from ("", "It is itself [used](entries.md#a-use).")
    if mine:
        rows = ((_code(f.id), _type(f.schema) + (", required" if f.id in required else ""), f.description) for f in mine)
        yield from ("", *table(("field", "holds", "what"), rows))


def _block(schema: Any) -> list[str]:
    required = set(schema.get("required", ()))
    rows = []
    for name, body in schema["properties"].items():
        rows.append((_code(name), _type(body) + (", required" if name in required else ""), str(body.get("description", ""))))
    return table(("field", "holds", "what"), rows)


def _type(body: Any) -> str:
    """What a field holds, in plain words."""
    if "x-ref" in body:
        named = body["x-ref"]
        what = "any entry, as `kind/id`" if named == "*" else "the id of a " + " or ".join(f"`{kind}`" for kind in named.split("|"))
        return f"{what}, with one of its `{body['x-part']}`" if "x-part" in body else what
    if "x-text" in body:
        return {"rules": "rules text", "flavor": "flavor text", "label": "a short text", "prose": "long text"}[body["x-text"]["role"]]
    if "enum" in body:
        return "one of " + _names(str(word) for word in body["enum"])
    types = body.get("type", [])
    listed = [one for one in (types if isinstance(types, list) else [types]) if one != "integer" or "number" not in types]
    if "x-noun" in body and "array" not in listed:
        return f"one of the game's [`{body['x-noun']}`](rules.md#{body['x-noun']})"
    if "x-expr" in body:
        return EXPRESSIONS[body["x-expr"]]
    return " or ".join(_plain_type(body, one) for one in listed) or "anything"


def _plain_type(body: Any, one: str) -> str:
    if one == "array":
        return f"a list: {_type(body['items'])}" if "items" in body else "a list"
    if one == "object":
        inner = body.get("additionalProperties")
        if body.get("properties"):
            return "a map: " + _names(body["properties"])
        return f"a map of {_type(inner)}" if isinstance(inner, Mapping) and "$ref" not in inner else "a map"
    if one == "integer":
        return "a whole number" + _between(body)
    return {"string": "text", "number": "a number" + _between(body), "boolean": "true or false", "null": "nothing"}[one]


def _between(body: Any) -> str:
    least, most = body.get("minimum"), body.get("maximum")
    if least is not None and most is not None:
        return f" from {least} to {most}"
    return f", {least} or more" if least is not None else f", {most} or less" if most is not None else ""


# ---- Markdown


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A table; cells are markup already."""
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return [*lines, *(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)]


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _names(names: Iterable[str]) -> str:
    listed = [f"`{name}`" for name in names]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def main() -> int:
    """Writes the pages."""
    PAGES.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in PAGES.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (PAGES / name).write_text(text, encoding="utf-8")
    print(f"docs/reference: {len(made)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
