"""Data as the text of JSON that it is sent as, packed, and taken apart when somebody asks: thousands of jobs wait at once, and few are
looked into."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

FAST = 1
"""How hard to pack: data of a card shrinks to a fifth at once, and to hardly less with more work."""


class Sealed(Mapping[str, Any]):
    """Plain data that JSON can hold; `text` is how it is sent, in the order that the data has. Two are equal where their data is."""

    __slots__ = ("_packed",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._packed = zlib.compress(text_of(data), FAST)

    @property
    def text(self) -> bytes:
        """The text of it."""
        return zlib.decompress(self._packed)

    def __getitem__(self, key: str) -> Any:
        return self._data()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data())

    def __len__(self) -> int:
        return len(self._data())

    def _data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


def text_of(data: Mapping[str, Any]) -> bytes:
    """Data as it is sent."""
    return data.text if isinstance(data, Sealed) else json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode()
