"""How a build prints: the profile, the paper and what the command line asked of both, and what that adds to the names of files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from seasons_build.compose import Asked
from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.finding import decimal
from seasons_build.core.job import DocumentJob
from seasons_build.core.limits import Limits
from seasons_build.core.paper import CardSize, Layout, Paper, Papers
from seasons_build.core.plan import Plan
from seasons_build.core.profile import Profile, Wishes
from seasons_build.core.record import dataclass
from seasons_build.impose import lay_out
from seasons_build.pipeline.themes import read_profile
from seasons_build.sources import Sources

FORM = "form"
USUAL = "home-a4"
"""The profile of a build that names none."""

FLOWING = ("pages",)
"""Layouts whose pages may be of any size: a book has a cover and a form has panels that are drawn for theirs."""
INK = {"": "", "friendly": "inky"}
"""What may be asked of the ink, and the class that pages get for it."""


@dataclass(frozen=True, slots=True)
class Printing:
    """What is printed on and how. `added` is what the names of sheets get, `shade` what those of single faces do; `otherwise` names a paper
    that is not the usual one."""

    profile: Profile
    paper: Paper
    wishes: Wishes
    added: str
    shade: str
    otherwise: str = ""

    def document(self, plan: Plan) -> str:
        """What the name of a document gets."""
        flat = "~flat" if self.wishes.flat and plan.layout == FORM else ""
        paper = self.otherwise if plan.layout in (*FLOWING, FORM) else ""
        scaled = _scaled(self.wishes) if plan.layout in FLOWING else ""
        return f"{paper}{scaled}{self.shade}{flat}"

    def deck(self, plan: Plan) -> str:
        """The name of the file of a deck, without its ending."""
        return f"{plan.file}{self.added}{plan.chosen}"

    @property
    def pictures(self) -> str:
        """What the names of pictures get."""
        return self.shade if self.profile.at_home else self.added

    def paged(self, plan: Plan) -> Plan:
        """A plan whose pages are those of the paper, in the size of type that was asked for; a form lies on it whole, a book stays."""
        if not isinstance(plan.document, DocumentJob):
            return plan
        if plan.layout == FORM and self.otherwise:
            paper = (Fraction(self.paper.width), Fraction(self.paper.height))
            return replace(plan, document=replace(plan.document, paper_mm=paper))
        if plan.layout not in FLOWING or (not self.otherwise and self.wishes.scale == 1):
            return plan
        size = (Fraction(self.paper.width), Fraction(self.paper.height))
        return replace(plan, document=replace(plan.document, page_mm=size, zoom=Fraction(self.wishes.scale)))

    def layout(self, card: CardSize) -> Result[Layout | None]:
        """How cards lie on a sheet of the paper."""
        profile, wishes = self.profile, self.wishes
        return lay_out(
            card,
            self.paper,
            bleed=profile.bleed,
            gap=profile.gap,
            marks=profile.marks,
            flip=wishes.flip or profile.flip,
            fold=profile.fold,
            back_offset=wishes.back_offset,
            scale=wishes.scale,
        )


def printing_of(sources: Sources, wishes: Wishes, papers: Papers, limits: Limits) -> Result[Printing | None]:
    """The printing that was asked for; nothing where a paper or a profile is not there (E706, E721), or a wish is not for it (E723)."""
    read = read_profile(sources, wishes.profile or USUAL, limits)
    profile = read.value
    if profile is None:
        return Result(None, read.diagnostics)
    usual = profile.paper or papers.default or ""
    wanted = wishes.paper or usual
    if wanted not in papers.papers:
        return Result(None, (Diagnostic("E706", f"unknown paper `{wanted}`", None, (f"there are {', '.join(papers.papers)}",)),))
    if not profile.at_home and (given := _for_sheets(wishes)):
        message = f"{given} is for sheets of a home printer, and the profile `{profile.id}` makes none"
        return Result(None, (Diagnostic("E723", message),))
    shade = f"~ink-{wishes.ink}" if wishes.ink else ""
    paper = "" if wanted == usual else f"-{wanted}"
    otherwise = "" if wanted == papers.default else f"-{wanted}"
    named = "" if profile.id == USUAL else f"@{profile.id}"
    return Result(Printing(profile, papers.papers[wanted], wishes, f"{paper}{named}{_turned(wishes)}{shade}", shade, otherwise))


def _for_sheets(wishes: Wishes) -> str:
    """The first wish that only sheets can meet."""
    usual = Wishes()
    for option, name in (("--paper", "paper"), ("--flip", "flip"), ("--back-offset", "back_offset"), ("--scale", "scale")):
        if getattr(wishes, name) != getattr(usual, name):
            return f"`{option}`"
    return ""


def _turned(wishes: Wishes) -> str:
    x, y = (decimal(Fraction(length)) for length in wishes.back_offset)
    parts = [
        f"~flip-{wishes.flip}" if wishes.flip else "",
        f"~back-{x},{y}" if any(wishes.back_offset) else "",
        _scaled(wishes),
    ]
    return "".join(parts)


def _scaled(wishes: Wishes) -> str:
    return f"~scale-{decimal(Fraction(wishes.scale))}" if wishes.scale != 1 else ""


def told_of(layout: Layout, paper: Paper, cards: int, pages: int, *, two_sided: bool) -> str:
    """How a deck lies on its sheets, for people: `45 cards, 9 on a sheet of A4 (3 x 3, edge to edge), 5 sheets on both sides`."""
    apart = "to fold along the middle" if layout.fold else f"{decimal(Fraction(layout.gap))} mm apart" if layout.gap else "edge to edge"
    columns, rows = (len({place[side] for place in layout.fronts()}) for side in (0, 1))
    leaves = pages // 2 if two_sided else pages
    counted = f"{leaves} sheet{'' if leaves == 1 else 's'}{' on both sides' if two_sided else ''}"
    many = "card" if cards == 1 else "cards"
    return f"{cards} {many}, {layout.count} on a sheet of {paper.title} ({columns} x {rows}, {apart}), {counted}"


def with_printing(asked: Asked, printing: Printing) -> Asked:
    """What was asked for, with the profile that cuts cards and the class of pages that save ink, and whether sheets are flat."""
    return replace(asked, profile=printing.profile, ink=INK[printing.wishes.ink], flat=printing.wishes.flat)
