"""What `compose` gives to the typesetter and the printer: products as plans of faces and documents."""

from __future__ import annotations

from typing import NamedTuple

from seasons_build.core.entry import Key
from seasons_build.core.face import AnyFace
from seasons_build.core.job import BookJob, DocumentJob, FaceJob, KnownFace
from seasons_build.core.paper import CardSize
from seasons_build.core.record import dataclass


@dataclass(frozen=True, slots=True)
class PlannedFace:
    """One entry's card: its face, how many copies of it are printed, and its back where it has one. `rest` is the back of one whose text
    may go on there, without that text."""

    entry: Key
    job: FaceJob | KnownFace
    copies: int = 1
    back: FaceJob | None = None
    rest: FaceJob | None = None

    @property
    def composed(self) -> FaceJob:
        """Its face, of which all is known: for who asks for no more than what was composed in this run."""
        assert isinstance(self.job, FaceJob), f"{self.job.key} was composed by an earlier program"
        return self.job


class Side(NamedTuple):
    """A card of a deck as it was typeset: the name that its files get, its title, its two sides and how often it is printed."""

    name: str
    title: str
    face: AnyFace
    back: AnyFace | None
    copies: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One product of one pack. Cards have `faces` and their trim in millimetres; pages have a `document` and the entries in it."""

    pack: str
    product: str
    title: str
    layout: str
    theme: str
    faces: tuple[PlannedFace, ...] = ()
    card: CardSize | None = None
    document: DocumentJob | BookJob | None = None
    entries: tuple[Key, ...] = ()
    broken: tuple[Key, ...] = ()
    """Entries that belong to the product and cannot be printed: it keeps its old file."""
    of: str = ""
    """The entry that this file is for, where a product makes one for each of a kind."""
    part: bool = False
    """Whether only some of its entries were asked for: what is made of it has a name of its own."""

    @property
    def file(self) -> str:
        """The file's name below the output folder, without its ending."""
        return f"{self.pack}/{self.product}/{self.of}" if self.of else f"{self.pack}/{self.product}"

    @property
    def chosen(self) -> str:
        """What the names of its files get where it is only a part of the product."""
        return "~only" if self.part else ""

    @property
    def label(self) -> str:
        """How people name this file: `frontiers:sheets/ander`."""
        return f"{self.name}/{self.of}" if self.of else self.name

    @property
    def name(self) -> str:
        """How people name it: `frontiers:gear-cards`."""
        return f"{self.pack}:{self.product}"
