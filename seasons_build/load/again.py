"""Load: a file in which some entries have changed since it was read. In go the document as it was and the bytes as they are, out comes the
document as it is; only the changed entries go through the parser.

Nothing of a map in block style reaches from one entry into the next: an entry ends where a key stands under the key of the one before. So
the changed ones are read as a map of their own, with a key behind them where one follows, and put in the place of the old ones. Whatever
might reach further (anchors, documents, a file near its limits) or is at fault is read whole instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from seasons_build.core.document import Document, Place
from seasons_build.core.limits import Limits
from seasons_build.core.regex import regex
from seasons_build.load.text import decode

_ANCHOR = regex(r"&(?<![^\s\[\]{},:?-]&)\S")
_BEFORE_VALUES = "-:?,[{"
"""One of these stands in front of each value but that of the whole file."""
_OVER, _BEHIND = "over", "behind-the-changed"
"""The keys that are put above the changed entries and behind them."""

Read = Callable[[str, str, Limits], Document | None]
"""Gives the document of a file by its name and text; None where something is wrong with it."""


class _Stretch(NamedTuple):
    """Entries `first` up to `end` of the map under `key`, in the rows from `row` up to `end_row`, with their keys in `column`. Where
    `followed`, another entry comes behind them; else the file ends."""

    key: str
    first: int
    end: int
    row: int
    end_row: int
    column: int
    followed: bool


def load_again(before: Document, raw: bytes, limits: Limits, read: Read) -> Document | None:
    """The document in the bytes of a file that was `before`, when nothing was wrong with it; None where it must be read whole to know.
    `read` reads a text whole."""
    text, findings = decode(before.file, raw, limits)
    if text is None or findings or _reaches_far(text, limits) or _ANCHOR.search(before.source):
        return None
    old, new = before.source.split("\n"), text.split("\n")
    places = before.places
    stretch = _around(places, old, *_differing(old, new))
    if stretch is None:
        return None
    more = len(new) - len(old)
    rows = new[stretch.row : stretch.end_row + more]
    behind = [f"{' ' * stretch.column}{_BEHIND}: 0", ""] if stretch.followed else []
    changed = read(before.file, "\n".join([f"{_OVER}:", *rows, *behind]), limits)
    if changed is None or changed.data.keys() != {_OVER} or not isinstance(changed.data[_OVER], dict) or not changed.data[_OVER]:
        return None
    found, (mark, at) = dict(changed.data[_OVER]), changed.places[1][_OVER][1]
    begin = next(iter(at.values()))[0]
    if begin[:2] != (1, stretch.column) or mark[:2] != begin[:2]:
        return None
    if stretch.followed:
        if found.pop(_BEHIND, None) != 0 or at[_BEHIND][0][:2] != (len(rows) + 1, stretch.column):
            return None
        at = {key: placed for key, placed in at.items() if key != _BEHIND}
    was = list(before.data[stretch.key].items())
    kept = [*was[: stretch.first], *was[stretch.end :]]
    if any(key in found for key, _ in kept):
        return None
    data = {**before.data, stretch.key: {**dict(was[: stretch.first]), **found, **dict(was[stretch.end :])}}
    moved = {key: (_moved(key_mark, stretch.row - 1), _moved(place, stretch.row - 1)) for key, (key_mark, place) in at.items()}
    end = (mark[2] + stretch.row - 1, mark[3])
    return Document(before.file, text, data, _placed(places, stretch, moved, end, more))


def _reaches_far(text: str, limits: Limits) -> bool:
    """Whether one part of a file may decide what another is, or how much of it is read."""
    directive = text.startswith("%") or "\n%" in text
    return directive or sum(map(text.count, _BEFORE_VALUES)) >= limits.values or _ANCHOR.search(text) is not None


def _differing(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The first row that is another one, and the one behind the last, as rows of the old."""
    most = min(len(old), len(new))
    first = next((row for row in range(most) if old[row] != new[row]), most)
    alike = next((count for count in range(most - first) if old[-1 - count] != new[-1 - count]), most - first)
    return first, len(old) - alike


def _around(places: Place, old: Sequence[str], first: int, end: int) -> _Stretch | None:
    """The entries in which the rows from `first` up to `end` lie, with the one before."""
    for key, (key_mark, place) in places[1].items():
        if key_mark[1] or isinstance(place[0], int) or not isinstance(place[1], dict) or not place[1]:
            continue
        marks = [at for at, _ in place[1].values()]
        rows = [mark[0] for mark in marks]
        if first < rows[0] or place[0][:2] != marks[0][:2]:  # that is a map in braces
            continue
        begin = bisect_left(rows, first) - 1 if first > rows[0] else 0
        stop = bisect_left(rows, end, begin + 1)
        followed = stop < len(rows)
        if not followed and key != list(places[1])[-1]:
            continue
        column = marks[begin][1]
        if any(mark[1] != column or old[mark[0]][:column].strip(" ") for mark in (marks[begin], marks[stop if followed else begin])):
            return None
        return _Stretch(key, begin, stop, rows[begin], rows[stop] if followed else len(old), column, followed)
    return None


def _placed(places: Place, stretch: _Stretch, found: dict[str, Place], end: tuple[int, int], more: int) -> Place:
    """The places of a file, those of some entries being others; what stands behind them is `more` rows further down. `end` is where the
    changed ones end."""
    whole, keys = places
    at, (mark, entries) = keys[stretch.key]
    items = list(entries.items())
    later = {key: (_moved(key_mark, more), _moved(place, more)) for key, (key_mark, place) in items[stretch.end :]}
    last = (mark[2] + more, mark[3]) if stretch.followed else end
    moved = {**keys, stretch.key: (at, ((*mark[:2], *last), {**dict(items[: stretch.first]), **found, **later}))}
    names = list(keys)
    for name in names[names.index(stretch.key) + 1 :]:
        key_mark, place = keys[name]
        moved[name] = _moved(key_mark, more), _moved(place, more)
    return (*whole[:2], *((whole[2] + more, whole[3]) if stretch.followed else end)), moved


def _moved(place: Place, rows: int) -> Place:
    """A place some rows further down."""
    if not rows:
        return place
    if isinstance(place[0], int):
        line, column, end_line, end_column = place
        return line + rows, column, end_line + rows, end_column
    mark, children = place
    if isinstance(children, dict):
        return _moved(mark, rows), {key: (_moved(at, rows), _moved(child, rows)) for key, (at, child) in children.items()}
    return _moved(mark, rows), [_moved(child, rows) for child in children]
