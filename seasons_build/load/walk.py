"""Load: events to data. In goes the stream of events of one file, out come its plain data, the place of every key and value, and what is
wrong with it.

The walk keeps its own stack, counts its work against the limits and looks at each event once; whatever is rare leaves the loop for a
method of `Walk`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from seasons_build.core.diagnostic import Trace
from seasons_build.core.document import Mark, Place, Value
from seasons_build.core.limits import Limits
from seasons_build.core.regex import regex
from seasons_build.load.anchors import Anchors
from seasons_build.load.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    MarkedYAMLError,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from seasons_build.load.quoting import clip
from seasons_build.load.remains import before
from seasons_build.load.text import REFUSED
from seasons_build.load.words import Stop, Words

_DROPPED = object()
"""The key under which a value is kept whose own key was refused, until its map ends."""

_UNKNOWN = object()
_ECHOES = frozenset(("E107", "E109", "E117", "W101", "W102"))
"""What is said of a line that, as it turns out, cannot be read at all."""

_NO_COLON = "E127"
"""What is the reason, most likely, where the rest of its line cannot be read."""

_CUT = regex(r" #(?=[^ \t\n#])")
_DECORATION = regex(r"(?:[&!]\S*[ \t]+)+")


class TooNested(Exception):
    """libyaml gave up on brackets before the first of them could be looked at; `line` and `column` say where it stopped."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__(line, column)
        self.line = line
        self.column = column


class Walk:
    """The walk over one file. `text` ends with a line break, `parser` reads it; `words.diagnostics` is filled in the order of the walk."""

    def __init__(self, file: str, text: str, limits: Limits, parser: Callable[[str], Any]) -> None:
        self.file = file
        self.parser = parser
        self.text = text
        self.lines = text.split("\n")
        self.limits = limits
        self.words = Words(file, self.lines, limits)
        self.anchors = Anchors(self.words)
        self.good_keys: dict[str, str] = {}
        self.cuts = _cuts(text, self.lines) if " #" in text else frozenset()

    def run(self) -> tuple[Value, Place]:
        """The data of the file and its places. After an error that nothing can be read beyond, what stands before it."""
        next_event: Callable[[], Any] = self.parser(self.text).get_event
        failed: tuple[int, int] | None = None
        words, anchors = self.words, self.anchors
        known, good_keys, cuts, opened = words.known, self.good_keys, self.cuts, anchors.open
        limits = self.limits
        most_values, deepest, most_characters = limits.values, limits.depth, limits.text_characters
        long = len(self.text) > most_characters
        decorated = "&" in self.text or "!" in self.text
        escapes = "\\" in self.text
        wide = not self.text.isascii()
        stack: list[tuple[Any, Any, bool, Any, Any, int, int, bool]] = []
        value: Any
        data: Any = None
        spots: Any = None
        key: Any = None
        key_mark: Any = None
        done: tuple[Value, Place] = {}, ((0, 0, 0, 0), {})
        in_map = flow = False
        first_line = first_column = key_line = line = column = end_line = end_column = count = 0
        event: Any = None
        try:
            event = self._root(next_event)
            if event is None:
                return done
            start = event.start_mark
            stack.append((data, spots, in_map, key, key_mark, first_line, first_column, flow))
            first_line, first_column, flow = start.line, start.column, event.flow_style
            in_map = event.__class__ is MappingStartEvent
            data, spots = ({}, {}) if in_map else ([], [])
            while True:
                event = next_event()
                kind = event.__class__
                if kind is MappingEndEvent or kind is SequenceEndEvent:
                    if flow:
                        end = event.end_mark
                        if end.column != event.start_mark.column:
                            end_line = end.line
                            end_column = end.column
                    if opened:
                        anchors.end(len(stack), data, spots, count, event.start_mark.index)
                    if in_map and _DROPPED in data:
                        del data[_DROPPED], spots[_DROPPED]
                    value = data
                    place = (first_line, first_column, end_line, end_column), spots
                    data, spots, in_map, key, key_mark, first_line, first_column, flow = stack.pop()
                    if in_map:
                        data[key] = value
                        spots[key] = key_mark, place
                        continue
                    if stack:
                        data.append(value)
                        spots.append(place)
                        continue
                    if value.__class__ is dict:
                        done = value, place
                    event = self._end(next_event)
                    anchors.unused()
                    return done
                if in_map:
                    if kind is ScalarEvent:
                        key = good_keys.get(event.value)
                        if key is None or (decorated and (event.anchor is not None or event.tag is not None)):
                            key = self._key(event, _mark(event), flow)
                        start = event.start_mark
                        end = event.end_mark
                        key_line = start.line
                        end_line = end.line
                        end_column = end.column
                        key_mark = key_line, start.column, end_line, end_column
                        if key in data and key is not _DROPPED:
                            key = self._twice(key, key_mark, spots[key][0])
                    else:
                        start = event.start_mark
                        key_line = start.line
                        key = self._no_text_as_key(event, next_event)
                        end_line, end_column = start.line, start.column
                        key_mark = key_line, start.column, end_line, end_column
                    event = next_event()
                    kind = event.__class__
                count += 1
                start = event.start_mark
                line = start.line
                column = start.column
                if kind is ScalarEvent:
                    value = event.value
                    end = event.end_mark
                    end_line = end.line
                    end_column = end.column
                    if decorated and (event.anchor is not None or event.tag is not None):
                        column = self._past_decoration(event, line, column)
                    style = event.style
                    if not style:
                        text = value
                        value = known.get(text, _UNKNOWN)
                        if value is _UNKNOWN:
                            value = words.plain(text, line, column, end_line, end_column)
                        if not text:
                            if in_map:
                                line, column = end_line, end_column = words.after_colon(key_mark, line, column)
                                if flow and key is not _DROPPED:
                                    words.empty_in_braces(key, key_mark, first_line, first_column)
                        elif line != key_line and in_map and value.__class__ is str:
                            words.own_line(text, line, column, end_line, end_column)
                        if cuts and (end_line, end_column) in cuts:
                            words.cut(value, line, column, end_line, end_column)
                    elif style == "|" or style == ">":
                        end_line, end_column = words.end_of_block(line, end_line, end_column)
                    elif escapes and style == '"' and REFUSED.search(value):
                        value = words.refused_escape(value, line, column)
                    if wide and value.__class__ is str and not value.isascii():
                        words.look(value, line, column, end_line, end_column)
                    if long and value.__class__ is str and len(value) > most_characters:
                        words.too_long(value, line, column)
                    if in_map:
                        data[key] = value
                        spots[key] = key_mark, (line, column, end_line, end_column)
                    else:
                        data.append(value)
                        spots.append((line, column, end_line, end_column))
                    if decorated and event.anchor is not None:
                        anchors.scalar(event, value, line)
                elif kind is AliasEvent:
                    end = event.end_mark
                    end_line = end.line
                    end_column = end.column
                    value, place = anchors.alias(event.anchor, (line, column, end_line, end_column))
                    if in_map:
                        data[key] = value
                        spots[key] = key_mark, place
                    else:
                        data.append(value)
                        spots.append(place)
                elif kind is MappingStartEvent or kind is SequenceStartEvent:
                    if len(stack) >= deepest:
                        self._too_deep(line, column)
                    stack.append((data, spots, in_map, key, key_mark, first_line, first_column, flow))
                    if event.anchor is not None or event.tag is not None:
                        if event.anchor is not None:
                            anchors.begin(len(stack), event, count - 1)
                        column = self._past_decoration(event, line, column)
                    first_line = line
                    first_column = column
                    flow = event.flow_style
                    in_map = kind is MappingStartEvent
                    data = {} if in_map else []
                    spots = {} if in_map else []
                if count > most_values:
                    self._too_many(line, column)
        except MarkedYAMLError as error:
            brackets = [(frame[5], frame[6]) for frame in stack if frame[7]]
            if flow:
                brackets.append((first_line, first_column))
            failed = self._failed(error, event, brackets)
        except Stop:
            pass
        while stack:
            if in_map and _DROPPED in data:
                del data[_DROPPED], spots[_DROPPED]
            value = data
            place = (first_line, first_column, *max((end_line, end_column), (first_line, first_column + 1))), spots
            data, spots, in_map, key, key_mark, first_line, first_column, flow = stack.pop()
            if in_map:
                data[key] = value
                spots[key] = key_mark, place
            elif stack:
                data.append(value)
                spots.append(place)
            elif value.__class__ is dict:
                done = value, place
        return done if failed is None else before(*done, *failed)

    # The ends of a file

    def _root(self, next_event: Callable[[], Any]) -> Any:
        """The event that opens the data of the file, a map or a list; None where there is neither."""
        next_event()
        if next_event().__class__ is StreamEndEvent:
            return None
        event = next_event()
        start = event.start_mark
        if event.__class__ is MappingStartEvent:
            return event
        if event.__class__ is ScalarEvent and not event.value and not event.style:
            self._end(next_event)
            return None
        mark = start.line, start.column, start.line, start.column + 1
        if event.__class__ is SequenceStartEvent:
            self.words.report("E105", "expected a map (`name: value` lines), found a list", mark)
            return event
        from seasons_build.load.trap import missing_blank

        next_event()  # Raises where more stands below: then that is the finding.
        missing = event.__class__ is ScalarEvent and missing_blank(self.file, self.lines, start.line)
        if missing:
            self.words.add(missing)
        else:
            self.words.report("E105", "expected a map (`name: value` lines), found text", mark)
        return None

    def _end(self, next_event: Callable[[], Any]) -> Any:
        """Reads on to the end of the file, and says so where more than one document stands in it."""
        event = next_event()
        if event.__class__ is DocumentEndEvent:
            event = next_event()
        if event.__class__ is not StreamEndEvent:
            start = event.start_mark
            mark = start.line, start.column, start.line, start.column + 3
            hints = ("delete the line, or make a file of what follows",)
            self.words.report("E106", "expected one document in a file, found another", mark, hints)
        return event

    def _failed(self, error: Any, event: Any, brackets: list[tuple[int, int]]) -> tuple[int, int]:
        """Turns what the parser could not read into words; one finding for one file. Gives the place where it went wrong."""
        from seasons_build.load import traps
        from seasons_build.load.trap import Trap

        problem, context = error.problem_mark, error.context_mark
        line, column = (problem.line, problem.column) if problem else (len(self.lines) - 1, 0)
        if "nesting" in (error.problem or ""):
            raise TooNested(line, column) from None
        last = _mark(event) if event.__class__ is ScalarEvent else None
        trap = Trap(
            file=self.file,
            lines=self.lines,
            said=f"{error.context or ''}: {(error.problem or '').split(', but ')[0]}",
            line=line,
            column=column,
            context=(context.line, context.column) if context else None,
            last=last,
            brackets=brackets,
            parser=self.parser,
        )
        found = traps.explain(trap)
        begin = (found.span.line, found.span.column) if found.span else (line + 1, column + 1)
        near = {line + 1, begin[0]}
        told = [d for d in self.words.diagnostics if d.code not in _ECHOES or not d.span or d.span.line not in near]
        if not any(d.code == _NO_COLON and d.span and d.span.line in near for d in told):
            told = [*(d for d in told if not d.span or (d.span.line, d.span.column) < begin), found]
        self.words.diagnostics = told
        return min((begin[0] - 1, begin[1] - 1), (line, column))

    # Keys

    def _key(self, event: Any, mark: Mark, in_brackets: bool) -> Any:
        """The text of a key, looked at for the first time; `_DROPPED` where it cannot be one.

        A `?` in brackets with no key behind it ends the reading: the parsers go on from there in different ways.
        """
        text: str = event.value
        if event.tag is not None:
            self._past_decoration(event, mark[0], mark[1])
        if event.anchor is not None:
            self.anchors.scalar(event, text, mark[0])
        missing = in_brackets and not text and not event.style
        key = self.words.key(text, self.words.behind_question_mark(mark) if missing else mark)
        if missing:
            raise Stop
        if key is None:
            return _DROPPED
        self.good_keys[text] = key
        return key

    def _no_text_as_key(self, event: Any, next_event: Callable[[], Any]) -> object:
        """Refuses a list, a map or an alias as a key and reads past it."""
        start = event.start_mark
        what = "a list" if event.__class__ is SequenceStartEvent else "a map"
        if event.__class__ is AliasEvent:
            what = f"`*{clip(str(event.anchor))}`"
        mark = start.line, start.column, start.line, start.column + 1
        self.words.report("E113", f"expected text as a key, found {what}", mark, ("put the key in quotes",))
        depth = 0 if event.__class__ is AliasEvent else 1
        while depth:
            kind = next_event().__class__
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                depth += 1
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                depth -= 1
        return _DROPPED

    def _twice(self, key: str, mark: Mark, first: Mark) -> object:
        trace = (Trace(f"`{clip(key)}` stands here first", self.words.span(first)),)
        self.words.report("E101", f"the key `{clip(key)}` stands twice in one map", mark, (), trace)
        return _DROPPED

    def _past_decoration(self, event: Any, line: int, column: int) -> int:
        """The column at which a value begins behind its `&name` and `!tag` on the same line. Tags are refused."""
        row = self.lines[line]
        if event.tag is not None:
            self.words.tag(line, column)
        found = _DECORATION.match(row, column)
        return found.end() if found and found.end() < len(row) else column

    # Limits

    def _too_deep(self, line: int, column: int) -> None:
        message = f"maps and lists stand more than {self.limits.depth} deep in each other here"
        self.words.report("E110", message, (line, column, line, column + 1))
        raise Stop

    def _too_many(self, line: int, column: int) -> None:
        message = f"the file has more than {self.limits.values} values"
        self.words.report("E111", message, (line, column, line, column + 1), ("spread the entries over several files",))
        raise Stop


def _mark(event: Any) -> Mark:
    start, end = event.start_mark, event.end_mark
    return start.line, start.column, end.line, end.column


def _cuts(text: str, lines: list[str]) -> frozenset[tuple[int, int]]:
    """The places behind which one blank and `#` follow and then no blank: where text would be cut rather than commented."""
    found = [at for at in (match.start() for match in _CUT.finditer(text)) if at and text[at - 1] not in " \t\n"]
    if not found:
        return frozenset()
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    rows = [bisect_right(starts, at) - 1 for at in found]
    return frozenset((row, at - starts[row]) for row, at in zip(rows, found, strict=True))
