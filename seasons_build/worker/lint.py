"""The lint of a page: what is on it and would print badly: coarse pictures, rows and numbers that break, texts on one another,
text that nobody has filled in.

In goes what was laid out and what it was made from; out come findings, each with the field or the picture that it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from seasons_build.core.finding import Finding
from seasons_build.core.regex import regex
from seasons_build.worker.boxes import Laid, Picture, Rect, Run
from seasons_build.worker.markup import Same, Source, bare
from seasons_build.worker.proof import Expected

DENSITY = 300
"""Dots an inch that print wants of a picture."""
LEAST_DENSITY = 150
"""Dots an inch below which a picture is a fault, and not only worse than it could be."""
_PIXELS_AN_INCH = 96
_NEAR = 0.5
"""Dots an inch by which a size in pixels is rounded."""
_TOUCH = 0.5
"""Pixels by which two lines of text may reach into one another."""
_OVER = 1.0
"""Pixels of its width by which a text may stand on another."""
_OVER_HIGH = 0.25
"""The same in parts of the height of the lower one: marks above and below a line reach into it."""
_PLACEHOLDER = regex(r"\{\{[^{}]*\}?\}?|\{%[^{}]*%?\}?|\{[a-z][\w.-]*\}|\[\[[^\]]*\]?\]?|\b[Ll]orem ipsum\b")
_OPEN = regex(r"\*\*\w*|(?<![\w*])\*\w+|(?<![\w_])__?[^\W_]\w*")
_MARKS = "*_"
"""Marks of emphasis: what is expected of a text is without them."""
_NOTE = regex(r"\b(?:TODO|TBD|FIXME|XXX)\b")
_NUMBER_ENDS = regex(r"\d[+\-\u2010-\u2015\u2212/.,:\u00d7]?\Z")
_LINE = "line:"


def coarse(pictures: Iterable[Picture]) -> Iterator[Finding]:
    """Pictures with fewer pixels than their size on the page asks for, each once, at its largest."""
    worst: dict[str, tuple[float, Picture]] = {}
    for picture in pictures:
        dots = min(_PIXELS_AN_INCH * have / max(drawn, 0.01) for have, drawn in zip(picture.pixels, picture.drawn, strict=True))
        if dots < worst.get(picture.address, (dots + 1, picture))[0]:
            worst[picture.address] = (dots, picture)
    for address, (dots, picture) in worst.items():
        if dots < DENSITY - _NEAR:
            wide, high = (round(length * 25.4 / _PIXELS_AN_INCH, 1) for length in picture.drawn)
            needed = tuple(-(-round(length * DENSITY) // _PIXELS_AN_INCH) for length in picture.drawn)
            detail = f"it has {picture.pixels[0]} x {picture.pixels[1]} pixels, {int(dots)} dots an inch at {wide:g} x {high:g} mm"
            code = "E730" if dots < LEAST_DENSITY else "W731"
            yield Finding(code, text=address.removeprefix("images/"), detail=detail, choices=(f"{needed[0]} x {needed[1]}",))


def broken_lines(laid: Laid, words: Collection[str], expected: Expected, same: Same) -> Iterator[Finding]:
    """Elements that must stand on one line and do not, and numbers that a line ends in the middle of. `words` are those of the source."""
    for name, runs in laid.parts.items():
        if name.startswith(_LINE) and (below := _second_line(runs)) is not None:
            field = name.removeprefix(_LINE)
            yield Finding("E732", field=field, text=below.text.strip(), detail="stands on more than one line")
    told: set[str] = set()
    for first, second in zip(laid.runs, laid.runs[1:], strict=False):
        word = _cut(first, second)
        if word and word in words and word not in told:
            told.add(word)
            yield Finding("E732", field=expected.field_of(bare(word, same)), text=word, detail="is broken at the end of a line")


def _second_line(runs: Sequence[Run]) -> Run | None:
    """The first run that stands below another one."""
    visible = [run for run in runs if run.text.strip()]
    lowest = min((run.rect[3] for run in visible), default=0.0)
    return next((run for run in visible if run.rect[1] >= lowest - _TOUCH), None)


def _cut(first: Run, second: Run) -> str:
    """The number that two lines of one element share; empty where there is none."""
    if first.element != second.element or second.rect[1] < first.rect[3] - _TOUCH:
        return ""
    if not _NUMBER_ENDS.search(first.text) or not second.text[:1].isdigit():
        return ""
    return first.text.split()[-1] + second.text.split()[0]


def on_another(runs: Sequence[Run], source: Source, expected: Expected, same: Same) -> Iterator[Finding]:
    """Texts of a page that stand on other texts, so that neither can be read; each pair once. An icon, or what a stylesheet writes, may lie
    below a text; what its box cuts off is not there to be read."""
    read = [run for run in runs if not run.generated and run.element not in source.hidden and any(map(str.isalnum, run.text))]
    open_: list[tuple[Rect, Run]] = []
    for rect, run in sorted(((_shown(run), run) for run in read), key=lambda pair: pair[0][1]):
        open_ = [pair for pair in open_ if pair[0][3] > rect[1]]
        for there, other in open_:
            if _overlap(rect, there):
                below, above = sorted((run, other), key=lambda one: one.rect[0])
                yield Finding("E742", field=expected.field_of(bare(above.text, same)), text=above.text.strip(), detail=below.text.strip())
        open_.append((rect, run))


def _shown(run: Run) -> Rect:
    """What is seen of a text; nothing high or wide where its box cuts it off."""
    if run.clip is None:
        return run.rect
    left, top, right, bottom = run.rect
    return max(left, run.clip[0]), max(top, run.clip[1]), min(right, run.clip[2]), min(bottom, run.clip[3])


def _overlap(first: Rect, second: Rect) -> bool:
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    return wide > _OVER and high > 0 and high > _OVER_HIGH * min(first[3] - first[1], second[3] - second[1])


def unfilled(source: Source, expected: Expected, same: Same) -> Iterator[Finding]:
    """Places for values that nothing was put into, notes that writers leave themselves, and marks of an emphasis that has no end."""
    for code, pattern in (("E733", _PLACEHOLDER), ("W734", _NOTE), ("W735", _OPEN)):
        for text in dict.fromkeys(found[0] for found in pattern.finditer(source.text)):
            field = expected.field_of(bare(text, same)) or expected.field_of(bare(text.strip(_MARKS), same))
            yield Finding(code, field=field, text=text)
