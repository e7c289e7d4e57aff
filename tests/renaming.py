"""Games with every id renamed to nonsense: in content, schemas, templates and style sheets, in memory.

The map keeps the order of ids, so that whatever is sorted by them is sorted as before. Words of the language keep: what the vocabulary and
the core's schemas name, the slots of sentences, and what templates are handed under a fixed name.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from seasons_build.core import vocabulary
from seasons_build.core.kind import Kinds
from seasons_build.core.names import in_expressions
from seasons_build.kinds import compose_kinds
from seasons_build.load import load

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "seasons_build"

SPEAKING = ("language/phrases", "compose", "worker")
"""Parts of the package whose whole literals are words of the language: slots of sentences, and what a template is handed."""

FREE = frozenset({"waive", "notes", "source", "claim", "remedy", "licence", "credit", "version", "title", "short"})
"""Keys whose text is for people and that no schema calls a text."""

TEMPLATED = frozenset({"say", "amount", "lead", "tail"})
SAID = {noun.name: frozenset(word.name for word in noun.said) for noun in vocabulary.NOUNS}
PLAIN_PHRASES = frozenset({"head", "inherit", "shown", "first", "pronoun"})
"""Phrases that hold names and no sentences."""

CHANGES = ("expects", *vocabulary.CHANGES)
WORD = re.compile(r"(?<![0-9A-Za-z_])[A-Za-z_][A-Za-z0-9_]*")
SEGMENTS = re.compile(r"-?[a-z0-9_-]+(?:[:/.][a-z0-9_-]+)*\Z")
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
ICONS = re.compile(r":([a-z][a-z0-9_-]*):")
VALUES = re.compile(r"\{([^{}]*)\}")
BRACES = re.compile(r"\{([?~]*)([^{}|:<>]*)")
LINKS = re.compile(r"(!?)\[\[([^\[\]]*)\]\]")
ASKED = re.compile(r"([^\s:]*[/#][^\s:]*): (.*)", re.DOTALL)
"""A value of another entry or of a row: where it stands, and the expression."""
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
PREFIX = re.compile(r"([a-z][a-z0-9-]*-)\{\{")


# ---- What is declared


def declared(files: Mapping[str, bytes]) -> frozenset[str]:
    """Every id that the files declare: packs, kinds and their fields, entries and their parts, all nouns and what stands in them."""
    found: set[str] = set()
    for name, raw in files.items():
        area, pack, *rest = name.split("/")
        found.add(pack)
        if area == "schemas":
            found.add(rest[-1].removesuffix(".json"))
            found.update(_properties(json.loads(raw)))
        elif area == "content" and rest[-1].endswith(".yaml") and rest[-1] != "pack.yaml":
            for kind, entries in parsed(raw).items():
                found.update(_of_rules(entries) if kind == "rules" else _of_entries(entries))
    return frozenset(name for name in found if not name.isdigit() and "." not in name)


def parsed(raw: bytes) -> Any:
    """A YAML file as plain data, its keys as text."""
    return _texts(yaml.load(raw.decode(), Loader=yaml.CSafeLoader) or {})


def _texts(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _texts(value) for key, value in data.items()}
    return [_texts(item) for item in data] if isinstance(data, list) else data


def _properties(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                yield from value
            yield from _properties(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _properties(item)


def _of_entries(entries: Any) -> Iterator[str]:
    for id, entry in entries.items():
        yield id
        yield from _parts(entry)


def _parts(data: Any) -> Iterator[str]:
    """Ids that stand inside an entry: of actions and options, of choices, of tags."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("actions", "options") and isinstance(value, dict):
                yield from value
            if key == "tags" and isinstance(value, list):
                yield from value
            if key == "choose" and isinstance(value, dict) and "as" in value:
                yield value["as"]
            yield from _parts(value)
    elif isinstance(data, list):
        for item in data:
            yield from _parts(item)


def _of_rules(rules: Any) -> Iterator[str]:
    for noun, ids in rules.items():
        if noun in ("phrases", "cases"):
            continue
        for id, body in ids.items():
            yield id
            if isinstance(body, dict):
                yield from _of_noun(noun, body)


def _of_noun(noun: str, body: Mapping[str, Any]) -> Iterator[str]:
    for key in ("derive", "takes", "let", "dice", "give", "words", *(("reads", "chances", "say") if noun == "rows" else ())):
        inner = body.get(key)
        yield from inner if isinstance(inner, dict) else inner if isinstance(inner, list) and noun == "quantities" else ()
    for key in ("each", "groups", "keys"):
        inner = body.get(key)
        if isinstance(inner, list):
            yield from (word for word in inner if isinstance(word, str))
        elif isinstance(inner, dict) and not {"kind", "owned"} & set(inner):
            yield from inner
    if noun == "rows" and "as" in body:
        yield from body["as"] if isinstance(body["as"], list) else [body["as"]]
    for rung in body.get("outcomes", ()):
        yield from rung if isinstance(rung, dict) else ()
    for ladder in body.get("let", {}).values() if isinstance(body.get("let"), dict) else ():
        for rung in ladder if isinstance(ladder, list) else ():
            yield from rung
    for words in body.get("takes", {}).values() if isinstance(body.get("takes"), dict) else ():
        yield from words if isinstance(words, list) else ()
    if noun == "tables":
        yield from _rows_of(body.get("rows", body))


def _rows_of(rows: Any) -> Iterator[str]:
    for key, value in rows.items() if isinstance(rows, dict) else ():
        yield key
        yield from _rows_of(value)


# ---- What keeps


@cache
def kept() -> frozenset[str]:
    """The words of the language, as expressions write them."""
    words = set(vocabulary.words())
    for schema in (ROOT / "schemas" / "core").glob("*.json"):
        words.add(schema.stem)
        body = json.loads(schema.read_text(encoding="utf-8"))
        words.update((*_properties(body), *_choices(body)))
    for part in SPEAKING:
        for module in (PACKAGE / part).rglob("*.py"):
            words.update(_literals(ast.parse(module.read_text(encoding="utf-8"))))
    return frozenset(in_expressions(word) for word in words)


def _choices(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (word for word in schema.get("enum", ()) if isinstance(word, str))
        for value in schema.values():
            yield from _choices(value)


def _literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SEGMENTS.match(node.value):
            yield from re.split(r"[.:/]", node.value)
        if isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def nonsense(ids: frozenset[str]) -> dict[str, str]:
    """A name without sense for every id that is no word of the language; the keys as expressions write them. Among them and the words that
    keep, the order is that of the ids."""
    made: dict[str, str] = {}
    anchors = sorted(word for word in kept() if re.fullmatch(r"[a-z]+", word))
    for number, id in enumerate(sorted(ids)):
        plain = in_expressions(id)
        if plain not in kept() and plain not in made:
            before = next((word for word in reversed(anchors) if word < id), "a")
            # A figure sorts before every letter: the new name stands behind the word that keeps and before whatever begins like it.
            made[plain] = f"{before}0{number:04}"
    return made


# ---- Renaming


@dataclass(frozen=True)
class Renamer:
    """Renames the files of some packs."""

    new: Mapping[str, str]
    kinds: Kinds

    def id(self, word: str) -> str:
        """One id."""
        return self.new.get(in_expressions(word), word)

    def files(self, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """All files, under their new names."""
        prefixes = {p for name, raw in files.items() if name.endswith(".j2") for p in PREFIX.findall(raw.decode())}
        return {self.path(name): self._file(name, raw, prefixes) for name, raw in files.items()}

    def path(self, name: str) -> str:
        """The name of a file."""
        area, pack, *rest = name.split("/")
        stem, dot, ending = rest[-1].partition(".")
        own = area == "schemas" or (area == "templates" and rest[0] in ("cards", "pages", "books", "forms", "backs"))
        return "/".join([area, self.id(pack), *rest[:-1], (self.id(stem) if own else stem) + dot + ending])

    def _file(self, name: str, raw: bytes, prefixes: set[str]) -> bytes:
        area, pack, *rest = name.split("/")
        text = raw.decode() if name.endswith((".yaml", ".json", ".j2", ".css")) else ""
        if area == "schemas":
            return json.dumps(self.schema(json.loads(text)), ensure_ascii=False).encode()
        if rest[-1] == "pack.yaml":
            return dumped(self._manifest(parsed(raw)))
        if rest[-1] == "theme.yaml":
            return dumped(self._theme(parsed(raw)))
        if area == "content" and name.endswith(".yaml"):
            return dumped({self.id(k): self._top(pack, k, v) for k, v in parsed(raw).items()})
        if name.endswith(".j2"):
            return self._template(text, prefixes).encode()
        return self._classes(text, prefixes).encode() if name.endswith(".css") else raw

    def _manifest(self, data: Any) -> Any:
        made = {**data, "id": self.id(data["id"])}
        if "requires" in data:
            made["requires"] = {self.id(pack): wanted for pack, wanted in data["requires"].items()}
        return {**made, **{word: self.id(data[word]) for word in ("theme", "starter") if word in data}}

    def _theme(self, data: Any) -> Any:
        made = {**data, "id": self.id(data["id"])}
        sheets = data.get("stylesheets", {})
        made["stylesheets"] = {layout: [self._inside(name) for name in names] for layout, names in sheets.items()}
        for key in ("icons", "fit-of"):
            made[key] = {self.id(name): value for name, value in data.get(key, {}).items()}
        made["draws"] = {self.id(kind): [self.id(field) for field in fields] for kind, fields in data.get("draws", {}).items()}
        return made

    def _inside(self, name: str) -> str:
        pack, slash, rest = name.partition("/")
        return self.id(pack) + slash + rest

    def schema(self, body: Any) -> Any:
        """A schema: names of fields, kinds, nouns and words in it."""
        if isinstance(body, list):
            return [self.schema(item) for item in body]
        if not isinstance(body, dict):
            return body
        made: dict[str, Any] = {}
        for key, value in body.items():
            if key == "properties":
                made[key] = {self.id(name): self.schema(inner) for name, inner in value.items()}
            elif key in ("required", "enum", "examples"):
                made[key] = [self.names(item) if isinstance(item, str) else item for item in value]
            elif key in ("x-ref", "x-part", "default"):
                made[key] = self._either(value) if isinstance(value, str) else value
            elif key == "x-keys" and isinstance(value, dict):
                made[key] = {word: self._either(inner) for word, inner in value.items()}
            else:
                made[key] = self.schema(value)
        return made

    def _either(self, names: str) -> str:
        return "|".join(self.names(one) for one in names.split("|"))

    # Content

    def _top(self, pack: str, word: str, body: Any) -> Any:
        """What stands under a word at the top of a file."""
        if word == "rules":
            return self.rules(body)
        if word != "patch":
            return self.entries(pack, word, body)
        made = {}
        for reference, changes in body.items():
            kind = reference.rpartition(":")[2].partition("/")[0]
            root = next(k for (_, name), k in self.kinds.by_name.items() if name == kind).schema
            made[self.names(reference)] = self._changes(changes, root)
        return made

    def _changes(self, changes: Any, root: Any) -> Any:
        """What a patch, or an entry that is like another, changes: by path, each value by what the schema says of it."""
        made: dict[str, Any] = {}
        for word, typed in changes.items():
            if isinstance(typed, list):
                made[word] = [self._path(path) for path in typed]
                continue
            made[word] = {}
            for path, value in typed.items():
                node, last = root, ""
                for step in path.split("."):
                    node, last = _child(_open(node, root), step, root), step
                made[word][self._path(path)] = self._value(value, node, root, last)
        return made

    def _path(self, path: str) -> str:
        return ".".join(self.id(step) for step in path.split("."))

    def entries(self, pack: str, kind: str, entries: Any) -> Any:
        """The entries of one kind."""
        found = self.kinds.by_name.get((pack, kind)) or self.kinds.by_name.get(("core", kind))
        found = found or next((k for (_, name), k in self.kinds.by_name.items() if name == kind), None)
        assert found is not None, kind
        root = found.schema
        made: dict[str, Any] = {}
        for id, entry in entries.items():
            changes = {word: entry[word] for word in CHANGES if word in entry} if "like" in entry else {}
            own = {word: value for word, value in entry.items() if word not in changes}
            made[self.id(id)] = {**self._value(own, root, root, ""), **self._changes(changes, root)}
        return made

    def _value(self, data: Any, node: Any, root: Any, key: str) -> Any:
        node = _open(node, root)
        if isinstance(data, dict):
            if node.get("x-noun") and ({"say"} | SAID.get(node["x-noun"], frozenset())) & set(data):
                return self._noun(node["x-noun"], data)
            if "say" in data and set(data) <= {"say", "whole", "one", "value", "takes"}:
                return self._noun("quantities", data)
            return {self.names(k): self._value(v, _child(node, k, root), root, k) for k, v in data.items()}
        if isinstance(data, list):
            return [self._value(item, node.get("items", {}), root, key) for item in data]
        if not isinstance(data, str):
            return data
        if "x-text" in node:
            return self.chapter(data) if node["x-text"]["role"] == "prose" else self.prose(data)
        return data if key in FREE or "x-image" in node else self.names(data)

    def rules(self, rules: Any) -> Any:
        """A block of rules."""
        made: dict[str, Any] = {}
        for noun, ids in rules.items():
            if noun == "phrases":
                made[noun] = {word: self._phrase(word, body) for word, body in ids.items()}
            elif noun == "icons":
                made[noun] = {self.id(id): glyph for id, glyph in ids.items()}
            elif noun == "cases":
                made[noun] = {id: self._case(body) for id, body in ids.items()}
            else:
                made[noun] = {self.names(id): self._noun(noun, body) for id, body in ids.items()}
        return made

    def _noun(self, noun: str, body: Any) -> Any:
        if isinstance(body, str):
            return self.names(body) if noun in ("stats", "stacking") else self._said(body)
        if isinstance(body, list):
            return [self._said(item) for item in body]
        if not isinstance(body, dict):
            return body
        made: dict[str, Any] = {}
        for key, value in body.items():
            form = key.split(".")[0]
            if noun == "rows" and key == "say":
                made[key] = {self.id(name): self._told(said) for name, said in value.items()}
            elif _is_said(noun, form, value):
                made[self.names(key)] = self._said(value)
            elif key == "words" and noun == "readings":
                made[key] = {self.id(word): self._said(forms) for word, forms in value.items()}
            elif key == "say":
                made[key] = self.prose(value)
            elif key == "each" and noun != "tracks" and isinstance(value, dict) and not {"kind", "owned"} & set(value):
                made[key] = {self.id(id): self._noun(noun, own) if isinstance(own, dict) else self._said(own) for id, own in value.items()}
            else:
                made[self.names(key)] = self._generic(value, key)
        return made

    def _generic(self, data: Any, key: str) -> Any:
        """Data without texts: names, expressions, numbers."""
        if isinstance(data, dict):
            return {self.names(k): self._generic(v, k) for k, v in data.items()}
        if isinstance(data, list):
            return [self._generic(item, key) for item in data]
        return self.names(data) if isinstance(data, str) and key not in FREE else data

    def _case(self, body: Any) -> Any:
        given = body.get("given", {})
        made = {key: value if key in FREE else self._generic(value, key) for key, value in body.items()}
        expect = body.get("expect")
        if isinstance(expect, dict) and "lines" in expect:
            made["expect"]["lines"] = expect["lines"]
        if isinstance(given, dict) and isinstance(given.get("name"), str):
            made["given"]["name"] = given["name"]
        return made

    def _phrase(self, word: str, body: Any) -> Any:
        if word in PLAIN_PHRASES:
            return self._generic(body, word)
        if word in ("kinds", "places"):
            return {self.id(id): {inner: self._phrase(inner, value) for inner, value in own.items()} for id, own in body.items()}
        if word == "fields":
            return {self.id(kind): {self.id(field): self._said(value) for field, value in lines.items()} for kind, lines in body.items()}
        if word == "pronouns":
            return {self.id(id): forms for id, forms in body.items()}
        if word == "outcomes":
            return {self.id(id): self._said(value) for id, value in body.items()}
        return self._said(body)

    def _said(self, body: Any) -> Any:
        """Sentences: what they read stands in braces. Keys are values or forms."""
        if isinstance(body, dict):
            return {key: self._said(value) if key not in ("as", "as-many") else self.names(value) for key, value in body.items()}
        if isinstance(body, list):
            return [self._said(item) for item in body]
        return self.prose(body) if isinstance(body, str) else body

    # Texts

    def _told(self, text: str) -> str:
        """A text of a row: its icons, and whole expressions in braces."""
        text = ICONS.sub(lambda found: f":{self.id(found[1])}:", text)
        return VALUES.sub(lambda found: "{" + self._slot(found[1]) + "}", text)

    def prose(self, text: str) -> str:
        """A text for people: its icons, links, and what it reads."""
        text = ICONS.sub(lambda found: f":{self.id(found[1])}:", text)
        text = re.sub(r"\[\[([^\]]*)\]\]", lambda found: f"[[{self.names(found[1])}]]", text)
        return BRACES.sub(lambda found: "{" + found[1] + self._slot(found[2]), text)

    def chapter(self, text: str) -> str:
        """A long text: what it brings in and links to, and values of other entries and of rows. Headings and terms of the index keep."""
        text = ICONS.sub(lambda found: f":{self.id(found[1])}:", text)
        text = LINKS.sub(lambda found: f"{found[1]}[[{self._brought_in(found[2]) if found[1] else self._linked(found[2])}]]", text)
        return VALUES.sub(lambda found: "{" + self._asked(found[1]) + "}", text)

    def _linked(self, inner: str) -> str:
        if inner.startswith("^"):
            return inner
        if inner.startswith("="):
            return "=" + self._place(inner[1:])
        target, mark, rest = inner.partition("#" if "#" in inner.partition("|")[0] else "\\|" if "\\|" in inner else "|")
        return self._place(target) + mark + rest

    def _brought_in(self, inner: str) -> str:
        source, blank, rest = inner.partition(" ")
        return self._place(source) + blank + self._expression(rest)

    def _asked(self, inner: str) -> str:
        found = ASKED.match(inner)
        return f"{self._place(found[1])}: {self._slot(found[2])}" if found else self._slot(inner)

    def _place(self, source: str) -> str:
        """An entry, all of a kind, a table of the rules, rows of an entry, one of them."""
        return "".join(self.id(piece) for piece in re.split(r"([:/#*])", source))

    def _slot(self, inner: str) -> str:
        inner = re.sub(r"\bof_([a-z_]+)", lambda found: f"of_{self.id(found[1])}", self._expression(inner))
        return re.sub(r"\b(stage_)?([a-z_]+)_(paid|given|left)\b", lambda found: f"{found[1] or ''}{self.id(found[2])}_{found[3]}", inner)

    def names(self, text: str) -> str:
        """An id, a path of ids, or an expression."""
        if SEGMENTS.match(text):
            minus = "-" if text.startswith("-") else ""
            pieces = re.split(r"([:/.])", text.removeprefix("-"))
            renamed = [self.id(piece) for piece in pieces]
            if renamed != pieces:
                return minus + "".join(renamed)
        return self._expression(text)

    def _expression(self, text: str) -> str:
        pieces: list[str] = []
        at = 0
        for found in QUOTED.finditer(text):
            pieces.append(WORD.sub(lambda word: self.id(word[0]), text[at : found.start()]))
            quote = found[0][0]
            inner = found[1] or found[2] or ""
            pieces.append(quote + (inner if " " in inner else self.names(inner)) + quote)
            at = found.end()
        return "".join([*pieces, WORD.sub(lambda word: self.id(word[0]), text[at:])])

    # Templates and style sheets

    def _template(self, text: str, prefixes: set[str]) -> str:
        made: list[str] = []
        at = 0
        for found in JINJA.finditer(text):
            made.append(self._classes(text[at : found.start()], prefixes))
            made.append(self._code(found[0]) if not found[0].startswith("{#") else found[0])
            at = found.end()
        return "".join([*made, self._classes(text[at:], prefixes)])

    def _code(self, code: str) -> str:
        """Names behind a full stop and in quotes; plain names are the template's own."""
        code = re.sub(r"(?<=\.)[a-z][a-z0-9_]*", lambda found: self.id(found[0]), code)
        return re.sub(r'"([^"]*)"', lambda found: f'"{self._literal(found[1])}"', code)

    def _literal(self, text: str) -> str:
        return self.path(f"templates/{text}").removeprefix("templates/") if text.endswith(".j2") else self.id(text)

    def _classes(self, text: str, prefixes: set[str]) -> str:
        """Classes that are made of a prefix and an id, and anchors that are made of a kind."""
        for prefix in prefixes:
            text = re.sub(rf"(?<![\w-]){prefix}([a-z][a-z0-9-]*)", lambda found, p=prefix: p + self.id(found[1]), text)
        return text


def _plain(noun: str) -> frozenset[str]:
    found = next((n for n in vocabulary.NOUNS if n.name == noun), None)
    return frozenset(word.name for word in found.plain) if found else frozenset()


def _is_said(noun: str, form: str, value: Any) -> bool:
    """Whether a form of a noun is a sentence: one that its words name, or a further one that is no formula."""
    if form in SAID.get(noun, ()) or (form in TEMPLATED and noun != "limits"):
        return True
    return form not in _plain(noun) and noun not in ("rolls", "stats") and bool(SAID.get(noun)) and isinstance(value, str) and " " in value


def _open(node: Any, root: Any) -> Any:
    while isinstance(node, Mapping) and "$ref" in node:
        node = {**root["$defs"][node["$ref"].removeprefix("#/$defs/")], **{k: v for k, v in node.items() if k != "$ref"}}
    return node if isinstance(node, Mapping) else {}


def _child(node: Any, key: str, root: Any) -> Any:
    inner = node.get("properties", {}).get(key)
    return inner if inner is not None else node.get("additionalProperties", {})


class _Dumper(yaml.SafeDumper):
    """Writes what stands twice twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def dumped(data: Any) -> bytes:
    """Data as a YAML file."""
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000, default_flow_style=False)
    return text.encode()


def renamer(files: Mapping[str, bytes]) -> Renamer:
    """The renamer of some packs' files, made of all that they declare."""
    core = {path.stem: _document(path.name, path.read_bytes()) for path in sorted((ROOT / "schemas" / "core").glob("*.json"))}
    packs: dict[str, dict[str, Any]] = {}
    for name, raw in files.items():
        area, pack, *rest = name.split("/")
        if area == "schemas":
            packs.setdefault(pack, {})[rest[-1].removesuffix(".json")] = _document(name, raw)
    return Renamer(nonsense(declared(files)), compose_kinds(core, packs).value)


def _document(name: str, raw: bytes) -> Any:
    return load(name, raw).value


def same(old: Any, new: Any, id: Callable[[str], str], alike: Callable[[str, str], bool] | None = None) -> Iterator[str]:
    """The places where two values differ by more than the names in them. `id` is what became of a key, `alike` judges texts."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        if [id(str(key)) for key in old] != [str(key) for key in new]:
            yield f"{list(old)} became {list(new)}"
            return
        for key, other in zip(old, new, strict=True):
            yield from (f"{key}: {fault}" for fault in same(old[key], new[other], id, alike))
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
        if len(old) != len(new):
            yield f"{old} became {new}"
            return
        for at, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from (f"{at}: {fault}" for fault in same(a, b, id, alike))
    elif old != new and not (isinstance(old, str) and isinstance(new, str) and alike is not None and alike(old, new)):
        yield f"{old!r} became {new!r}"
