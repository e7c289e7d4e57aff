"""Finish: whether written files are what a profile says. Bytes by name in, E725 for each thing that is not so out.

A file is looked at as a stranger would: nothing is taken from the build that made it, only from the profile and the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Protocol

from pikepdf import PasswordError, Pdf, PdfError

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.paper import Papers
from seasons_build.core.profile import Profile
from seasons_build.finish.verify_pages import check_pages, check_sheets, lacking
from seasons_build.finish.verify_pictures import check_pictures, check_table


class Check(Protocol):
    """What looks at files of one form: each fault is a line. `folder` is whether they are all that belongs together."""

    def __call__(self, files: Mapping[str, bytes], profile: Profile, papers: Papers, *, folder: bool = True) -> Iterator[str]: ...


_CHECKS: Mapping[str, Check] = {"sheets": check_sheets, "pages": check_pages, "pictures": check_pictures, "table": check_table}


def verify(files: Mapping[str, bytes], profile: Profile, papers: Papers, *, folder: bool = True) -> tuple[Diagnostic, ...]:
    """What is wrong with these files for a profile; a note (N726) for each demand of a shop that they do not meet and do not claim to."""
    try:
        found = [Diagnostic("E725", message) for message in _CHECKS[profile.makes](files, profile, papers, folder=folder)]
        asked = [note for demand in profile.asks for name, data in files.items() if (note := _unmet(profile, demand, name, data))]
    except (PdfError, PasswordError):
        return (Diagnostic("E725", f"`{next(iter(files))}`: expected a PDF that can be read, found something else"),)
    return (*found, *asked)


def _unmet(profile: Profile, demand: str, name: str, data: bytes) -> Diagnostic | None:
    with Pdf.open(BytesIO(data)) as document:
        found = lacking(demand, document)
    return Diagnostic("N726", f"`{profile.id}` asks for {demand}, and `{name}` is not that: {'; '.join(found)}") if found else None
