"""What files may be called (part of sources): names that every machine can have, and names that hide what a file is.

In: the name of a file inside a pack, with forward slashes. Out: in plain words what is wrong with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from seasons_build.core.limits import Limits
from seasons_build.core.regex import regex

_STRANGE = regex(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd\ud800-\udfff]")
_DEVICES = regex(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)
_HIDING = regex(r"(.+\.(?:yaml|yml|json))\.(?:txt|rtf|docx?|odt)\Z", re.IGNORECASE)
_LOUD = regex(r"(.+)(\.(?:yaml|yml|json))\Z", re.IGNORECASE)


def is_device(word: str) -> bool:
    """Whether Windows keeps a word for itself, so that no file can be called so there, whatever its ending."""
    return _DEVICES.match(word) is not None


def bad_name(name: str, limits: Limits) -> str:
    """Why no archive may hold a file of that name; empty where it may."""
    parts = name.rstrip("/").split("/")
    if _STRANGE.search(name) or "\\" in name or any(sign in name for sign in '<>:"|?*'):
        return f"the name `{name}` has characters that no file of a pack may have"
    if name.startswith("/") or ".." in parts or "" in parts or "." in parts:
        return f"`{name}` leads out of the pack"
    if any(part.startswith(".") for part in parts):
        return f"`{name}` begins with a dot: such files belong to tools"
    if any(part.endswith((" ", ".")) or is_device(part) for part in parts):
        return f"`{name}` is a name that some machines cannot have"
    if len(name) > limits.pack_path or len(parts) > limits.pack_depth:
        return f"`{name[:60]}…` is longer or deeper than the name of a file in a pack may be"
    return ""


def one_on_some_machines(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names that differ in capitals or accents alone: each with the one before it that it meets on some machines."""
    seen: dict[str, str] = {}
    for name in names:
        known = seen.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if known != name:
            yield name, known


def meant_name(name: str) -> str:
    """The name that a file must have to be read, where it looks like content and is called otherwise: `gear.yaml.txt`, `GEAR.YAML`. Empty
    where it is read as it is, or looks like nothing that should be."""
    hiding = _HIDING.match(name)
    bare = hiding[1] if hiding else name
    loud = _LOUD.match(bare)
    meant = loud[1] + loud[2].lower() if loud else ""
    return meant if meant != name else ""
