"""A card whose text does not fit goes on on its back: the same job in two (part of compose).

In: a planned face that may continue and the share of its text that is to stay in front. Out: jobs of both sides, or nothing where the text
cannot be parted. A text is parted between sentences, lines and items of a list, never inside one; both sides name it as the card does.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from seasons_build.core.job import FaceJob
from seasons_build.core.plan import PlannedFace
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

HTML = "$html"
GOES_ON = "…"
_BLOCK = regex(r"<(p|ul|ol)>(.*?)</\1>", re.DOTALL)
_ITEM = regex(r"<li>(.*?)</li>", re.DOTALL)
_TOKEN = regex(r"<br ?/?>|<[^>]*>|[^<]+", re.DOTALL)
_SENTENCE = regex(r"(?<=[.!?…])[\"”’)]*\s+")
_TAG = regex(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class _Part:
    """What is never parted: a sentence or an item, the block that it stands in and the place of that."""

    block: int
    tag: str
    text: str


def continued(planned: PlannedFace, share: Fraction) -> tuple[FaceJob, FaceJob] | None:
    """The two sides of a card of whose longest text about `share` stays in front; None where it has only one part."""
    job, rest = planned.composed, planned.rest
    assert rest is not None, "only a card that may continue is asked to"
    whole = max(_texts(job.context.get("entry")), key=len, default="")
    name = next((name for name, text in job.texts if _bare(text) == _bare(whole)), None)
    parts = list(_parts(whole))
    if name is None or len(parts) < 2:
        return None
    cut = _cut(parts, share)
    first, second = _joined(parts[:cut]), _joined(parts[cut:])
    shown = {whole: f"{first}<p>{GOES_ON}</p>"}
    texts = tuple((n, first if n == name else text) for n, text in job.texts)
    front = replace(job, context=_replaced(job.context, shown), texts=texts)
    back = replace(rest, context={**rest.context, "more": {HTML: second}}, texts=((name, second),))
    return front, back


def _texts(value: Any) -> Iterator[str]:
    """All markup in what a template gets of an entry."""
    if isinstance(value, Mapping):
        if isinstance(value.get(HTML), str):
            yield value[HTML]
        else:
            for inner in value.values():
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _replaced(value: Any, shown: Mapping[str, str]) -> Any:
    """The same data, with other markup in the place of some."""
    if isinstance(value, Mapping):
        found = value.get(HTML)
        if isinstance(found, str):
            return {HTML: shown.get(found, found)}
        return {key: _replaced(inner, shown) for key, inner in value.items()}
    return [_replaced(inner, shown) for inner in value] if isinstance(value, list) else value


def _bare(text: str) -> str:
    return "".join(html.unescape(_TAG.sub("", text)).split())


def _parts(text: str) -> Iterator[_Part]:
    for number, block in enumerate(_BLOCK.finditer(text)):
        pieces = _sentences(block[2]) if block[1] == "p" else (f"<li>{item[1]}</li>" for item in _ITEM.finditer(block[2]))
        yield from (_Part(number, block[1], piece) for piece in pieces if piece.strip())


def _sentences(text: str) -> Iterator[str]:
    """A paragraph cut where a sentence or a line ends and no markup is open."""
    said, depth = "", 0
    for token in _TOKEN.findall(text):
        if token.startswith("<br"):
            yield f"{said}<br>"
            said = ""
        elif token.startswith("<"):
            depth += -1 if token.startswith("</") else 1
            said += token
        elif depth:
            said += token
        else:
            *ended, last = _SENTENCE.split(token)
            for sentence in ended:
                yield said + sentence
                said = ""
            said += last
    yield said


def _cut(parts: Sequence[_Part], share: Fraction) -> int:
    """After which part to cut, so that about that share of the letters comes before."""
    lengths = [len(_bare(part.text)) for part in parts]
    wanted = share * sum(lengths)
    ends = [sum(lengths[: index + 1]) for index in range(len(parts) - 1)]
    return 1 + min(range(len(ends)), key=lambda index: (abs(ends[index] - wanted), index))


def _joined(parts: Sequence[_Part]) -> str:
    blocks: dict[int, list[_Part]] = {}
    for part in parts:
        blocks.setdefault(part.block, []).append(part)
    said = []
    for inner in blocks.values():
        text = " ".join(part.text for part in inner).removesuffix("<br>")
        said.append(f"<{inner[0].tag}>{text}</{inner[0].tag}>")
    return "".join(said)
