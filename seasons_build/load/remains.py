"""Load: what is certain of a file that could not be read to its end. In go what was read of it and where it went wrong, out comes the part
that stands before that place.

A parser notices a bracket that never closes lines below it. What it has read until then is no data of the writer's: a key of the next entry
as one more in the bracket, two lines as one text.
"""

from __future__ import annotations

from seasons_build.core.document import Mark, Place, Value


def before(data: Value, places: Place, line: int, column: int) -> tuple[Value, Place]:
    """The values, with their places, that end at or before a place, which counts from 0; maps and lists that it lies in stay, with what
    stands in them before it."""
    mark, children = places
    if isinstance(children, dict):
        kept = dict(data)
        spots = dict(children)
        for key in reversed(children):
            key_mark, place = children[key]
            part = _part(data[key], place, line, column) if tuple(key_mark[:2]) < (line, column) else None
            if part is None or _is_left_out(*part):
                del kept[key], spots[key]
                continue
            kept[key], spots[key] = part[0], (key_mark, part[1])
            break
        return kept, (mark, spots)
    items, marks = list(data), list(children)
    while items:
        part = _part(items[-1], marks[-1], line, column)
        if part is not None:
            items[-1], marks[-1] = part
            break
        del items[-1], marks[-1]
    return items, (mark, marks)


def _is_left_out(value: Value, place: Place) -> bool:
    """Whether nothing is typed for a value: what belongs to it is most likely what could not be read."""
    return value is None and tuple(place[:2]) == tuple(place[2:])


def _part(value: Value, place: Place, line: int, column: int) -> tuple[Value, Place] | None:
    """What of a value stands before a place; None where nothing does, or where that is not known to be the whole of a text."""
    whole = isinstance(place[0], int)
    mark: Mark = place if whole else place[0]
    if tuple(mark[:2]) >= (line, column) or (whole and tuple(mark[2:]) > (line, column)):
        return None
    return (value, place) if whole else before(value, place, line, column)
