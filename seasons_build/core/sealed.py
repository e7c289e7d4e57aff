"""Data as the text of JSON that it is sent as, taken apart when somebody asks: thousands of jobs wait at once, and few are looked into."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


class Sealed(Mapping[str, Any]):
    """Plain data that JSON can hold; `text` is how it is sent, in the order that the data has. Two are equal where their data is."""

    __slots__ = ("text",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.text = text_of(data)

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
