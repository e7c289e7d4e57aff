"""Licences by their SPDX names: whether what is under one may be sold. A list of names and no advice on law."""

from __future__ import annotations

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["yes", "no", "unknown"]

_FREE = (
    *("CC0-", "CC-BY-", "Apache-", "MIT", "BSD-", "0BSD", "ISC", "Unlicense", "OFL-", "OGL-", "ORC"),
    *("GPL-", "LGPL-", "AGPL-", "MPL-", "EUPL-"),
)
"""What the names of licences begin with under which things may be sold; some ask for something in return."""
_NOT = ("-NC", "NONCOMMERCIAL", "NON-COMMERCIAL")


def may_be_sold(licence: str) -> Verdict:
    """Whether the licence lets things be sold: `unknown` where the name says nothing to us."""
    name = licence.strip().upper()
    if any(word in name for word in _NOT):
        return "no"
    return "yes" if any(name.startswith(word.upper()) for word in _FREE) else "unknown"
