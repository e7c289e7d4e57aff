"""The proof of a page: everything that should stand on it does, in fonts of its place, large enough, inside the cut.

In go what a page was made from, what was laid out and what the finished PDF says; out come findings, each with the field whose text it is
about where that can be told. Nothing is measured on a picture: texts are compared as characters, places as boxes.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from seasons_build.core.finding import Finding, decimal, millimetres_over
from seasons_build.core.named import NamedTuple
from seasons_build.worker.boxes import Rect, Run
from seasons_build.worker.markup import Same, Source, bare, words
from seasons_build.worker.theme import LoadedTheme

MM_PER_PIXEL = Fraction(254, 960)
POINTS_PER_PIXEL = Fraction(3, 4)
_NO_GLYPH = ("Zs", "Zl", "Zp", "Cc", "Cf")
"""Kinds of characters that are drawn without a glyph."""
_SIZE_TOLERANCE = Fraction(1, 100)
_TELLING = 20
"""Letters from which on a text is taken to be its field's, and not a word that stands elsewhere too."""
_SHOWN = 60
"""Characters of a text that a finding shows."""


class Expected(NamedTuple):
    """The texts that must be on a page, with their fields; those that a fit step leaves out are not among them."""

    fields: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    bare: tuple[tuple[str, ...], ...]
    joined: tuple[str, ...] = ()

    @classmethod
    def of(cls, texts: Sequence[tuple[str, str]], same: Same) -> Expected:
        """The texts of a job, made ready to be compared."""
        cut = tuple(tuple(words(text)) for _, text in texts)
        bared = tuple(tuple(bare(word, same) for word in line) for line in cut)
        return cls(tuple(name for name, _ in texts), cut, bared, tuple("".join(line) for line in bared))

    def field_of(self, text: str) -> str | None:
        """The first field whose text holds this one."""
        if not text:
            return None
        return next((name for name, joined in zip(self.fields, self.joined, strict=True) if text in joined), None)


class Proof:
    """One page, or the pages of one document, being proved."""

    def __init__(self, source: Source, runs: Sequence[Run], expected: Expected, theme: LoadedTheme) -> None:
        self._source = source
        self._runs = runs
        self._expected = expected
        self._theme = theme

    def texts(self, drawn: str) -> Iterator[Finding]:
        """Characters lost on the way from the source to the boxes or from the boxes to the page; words missing or out of order."""
        shown = [run for run in self._runs if run.element not in self._source.hidden]
        laid = Counter(self._bare("".join(run.text for run in _once(shown) if not run.generated)))
        boxed = Counter(self._bare("".join(run.text for run in shown)))
        page = self._bare(drawn)
        lost = (Counter(self._bare(self._source.text)) - laid) | (boxed - Counter(page))
        broken = list(_broken(self._expected, page))
        if lost and not broken:
            yield Finding("E604", text=_cut("".join(sorted(lost.elements()))))
        for name, text, detail in broken:
            yield Finding("E604", field=name, text=_cut(text)) if lost else Finding("E605", field=name, text=_cut(text), detail=detail)

    def fonts(self) -> Iterator[Finding]:
        """Characters that no font of their stack has: the typesetter draws them in any other of ours, silently, or as an empty box."""
        everything = self._theme.covered(tuple(sorted(self._theme.coverage)))
        told: set[tuple[str | None, str]] = set()
        for run in self._runs:
            for character in sorted(set(run.text) - self._theme.covered(run.families)):
                if unicodedata.category(character) in _NO_GLYPH or "\ufe00" <= character <= "\ufe0f":
                    continue
                name = self._expected.field_of(self._bare(run.text)) or self._expected.field_of(self._bare(character))
                if (name, character) in told:
                    continue
                told.add((name, character))
                if character in everything:
                    yield Finding("E607", field=name, text=character, choices=run.families)
                else:
                    yield Finding("E606", field=name, text=character)

    def sizes(self, floors: Mapping[str, Fraction] = MappingProxyType({})) -> Iterator[Finding]:
        """Texts smaller than the theme's floor or, where they are long enough to be told apart, than that of their field; the smallest of
        each field. Floors are in points."""
        least = self._theme.theme.floor_pt
        largest = max((least, *floors.values()))
        smallest = float((largest - _SIZE_TOLERANCE) / POINTS_PER_PIXEL)
        worst: dict[str | None, tuple[Fraction, str, Fraction]] = {}
        for run, text in self._read(lambda run: run.size < smallest):
            name, size = self._expected.field_of(text), Fraction(run.size) * POINTS_PER_PIXEL
            floor = max(least, floors.get(name or "", least)) if len(text) >= _TELLING else least
            if size < floor - _SIZE_TOLERANCE and (name not in worst or size < worst[name][0]):
                worst[name] = (size, run.text.strip(), floor)
        for name, (size, text, floor) in worst.items():
            detail = f"expected at least {decimal(floor)} pt, found {decimal(Fraction(round(size * 100), 100))} pt"
            yield Finding("E608", field=name, text=_cut(text), detail=detail)

    def places(self, width: float, height: float, safe: Fraction) -> Iterator[Finding]:
        """Texts that their box or the edge of the page cuts off, or that stand nearer to the cut than is safe. The size is in pixels, the
        distance in millimetres."""
        margin = float(safe / MM_PER_PIXEL)
        inside = (margin, margin, width - margin, height - margin)
        at_edge = "is cut off" if not margin else "stands too near the cut"
        worst: dict[tuple[str | None, str], tuple[float, str]] = {}
        for run, text in self._read(lambda run: _outside(run, inside) > 0 or _outside(run, run.clip) > 0):
            for detail, bounds in (("is cut off", run.clip), (at_edge, inside)):
                name, over = self._expected.field_of(text), _outside(run, bounds)
                if over > worst.get((name, detail), (0.0, ""))[0]:
                    worst[name, detail] = (over, run.text.strip())
        for (name, detail), (over, text) in worst.items():
            yield Finding("E609", field=name, text=_cut(text), millimetres=in_millimetres(over), detail=detail)

    def _bare(self, text: str) -> str:
        return bare(text, self._theme.same)

    def _read(self, suspect: Callable[[Run], bool]) -> Iterator[tuple[Run, str]]:
        """The suspect runs that a reader reads, with what they say."""
        for run in self._runs:
            if suspect(run) and run.element not in self._source.hidden and (text := self._bare(run.text)):
                yield run, text


def _once(runs: Iterable[Run]) -> Iterator[Run]:
    """The runs, but for what the margins of later pages repeat."""
    seen: set[tuple[int, str]] = set()
    for run in runs:
        if run.margin:
            if (run.element, run.text) in seen:
                continue
            seen.add((run.element, run.text))
        yield run


def _broken(expected: Expected, page: str) -> Iterator[tuple[str, str, str]]:
    """The fields whose words do not stand on the page in order, with what is missing from there on, and whether it is elsewhere."""
    for name, whole, parts, joined in zip(expected.fields, expected.words, expected.bare, expected.joined, strict=True):
        if joined in page:
            continue
        at = 0
        for number, part in enumerate(parts):
            found = page.find(part, at)
            if found < 0:
                yield name, " ".join(whole[number:]), "is not on the page" if part not in page else "stands before what it follows"
                break
            at = found + len(part)


def _outside(run: Run, bounds: Rect | None) -> float:
    """How many pixels the letters of a text reach beyond its bounds."""
    if bounds is None:
        return 0
    left, top, right, bottom = run.rect
    return max(bounds[0] - left, bounds[1] - top, right - bounds[2], bottom + run.tail - bounds[3])


def in_millimetres(pixels: float) -> Fraction:
    """A length as a finding reports it."""
    return millimetres_over(Fraction(pixels).limit_denominator(10_000) * MM_PER_PIXEL)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
