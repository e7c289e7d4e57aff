"""What is found while a build is typeset, gathered to be told: each finding where its author can mend it, and once.

In: findings as they come, with the plan and the entry of their job. Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Key
from seasons_build.core.finding import Finding
from seasons_build.core.plan import Plan
from seasons_build.pipeline.places import placed
from seasons_build.pipeline.read import Project

NO_GLYPH = ("E606", "E607")
"""What is told where the character is typed, and not on each face that it is printed on."""


class Placed:
    """What was found while a build of a project is typeset, at the places that the author can mend."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: list[Diagnostic] = []
        self._without_glyph: list[tuple[Finding, Plan, Key | None]] = []

    def add(self, findings: Iterable[Finding], plan: Plan, entry: Key | None) -> None:
        """Takes what was found on a job of a plan, about an entry where it is about one."""
        for finding in findings:
            if finding.code in NO_GLYPH:
                self._without_glyph.append((finding, plan, entry))
            else:
                self._found.append(placed(self._project, finding, plan, entry))

    def told(self) -> list[Diagnostic]:
        """All of it."""
        if not self._without_glyph:
            return self._found
        from seasons_build.pipeline.glyphs import OnAFace, by_cause

        return [*self._found, *by_cause(self._project, [OnAFace(*one) for one in self._without_glyph])]
