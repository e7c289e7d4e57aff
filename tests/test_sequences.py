"""Long lives of a project: whatever is edited, renamed, taken away, broken and mended, and whatever becomes of the cache meanwhile, the
last build prints what a build from nothing prints."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from small_project import SCHEMA, files, seasons, start
from straw import Straw, set_with
from traps import trap

from seasons_build.cli.building import Order, Shop
from seasons_build.cli.gallery import Gallery
from seasons_build.cli.main import seasons as command_line
from seasons_build.cli.stopwatch import Stopwatch
from seasons_build.core.face import Face, sha_of
from seasons_build.core.job import FaceJob, KnownFace, NotKept, PartJob, Typeset, Wanted
from seasons_build.core.profile import Wishes
from seasons_build.pipeline.build import Seen
from seasons_build.pipeline.files import Bindery
from seasons_build.pipeline.kept import KeptPress, KeptReader
from seasons_build.pipeline.read import Project
from seasons_build.sources import open_sources
from seasons_build.store import FOLDER, Store

MARKS = (".seasons-lock", ".seasons-output")
KIT = {
    "title": "Kit",
    "description": "A kit.",
    "allOf": [{"$ref": "core/entry"}],
    "properties": {
        "charm": {"type": "string", "x-ref": "charm", "title": "Charm", "description": "What is in it."},
        "worth": {"type": ["integer", "string"], "x-expr": "number", "title": "Worth", "description": "How much it is worth."},
    },
}
PRODUCTS = "product:\n  list: {layout: pages, select: {kind: charm}}\n  cards: {layout: cards, select: {kind: [kit]}}\n"
BAD = "  bad: [\n"
ENTRY = re.compile(r"^  (\w+):\n(?:    .*\n)+", re.MULTILINE)


OFTEN = ("edit", "edit", "edit", "reword", "rename_entry", "rename_file", "add", "take", "break_")
RARELY = ("mend", "version", "product", "schema", "damage", "damage", "touch", "second_pack")


class Paper(Straw):
    """A typesetter whose faces and documents are made of what they were asked for, and of nothing else."""

    def run(self, jobs: Iterable[Wanted]) -> Generator[Typeset, None, None]:
        for job in jobs:
            if isinstance(job, KnownFace):
                raise NotKept(job.key)
            assert not isinstance(job, PartJob), "there are no books here"
            shown = dict(job.context) if isinstance(job, FaceJob) else job.parts
            said = json.dumps([job.texts, job.title, shown], sort_keys=True, default=str)
            yield Typeset(job.key, face=_face(job, said)) if isinstance(job, FaceJob) else Typeset(job.key, pdf=said.encode(), pages=1)


def _face(job: FaceJob, said: str) -> Face:
    drawn = f"% {sha_of(said.encode())}".encode()
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length %d>>\nstream\n%s\nendstream" % (len(drawn), drawn)
    width, height = (length * 72 / Fraction("25.4") for length in job.size_mm)
    bleed = job.bleed_mm * 72 / Fraction("25.4")
    box = (-bleed, -bleed, width + bleed, height + bleed)
    return Face(box, (Fraction(0), Fraction(0), width, height), sha_of(form), {sha_of(form): form}, {})


class Life:
    """A project of twelve cards, and what may happen to it."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root = root
        self.chance = chance
        self.count = 0
        for folder in ("content/charms", "schemas/charms"):
            (root / folder).mkdir(parents=True)
        for name, schema in (("charm", SCHEMA), ("kit", KIT)):
            (root / f"schemas/charms/{name}.json").write_text(json.dumps(schema), encoding="utf-8")
        self.write("pack.yaml", 'id: charms\ntitle: Charms\nversion: "1"\nformat: 1\n')
        self.write("products.yaml", PRODUCTS)
        for half in (0, 1):
            self.write(f"charms-{half}.yaml", "charm:\n" + "".join(self.charm(4 * half + n) for n in range(4)))
        kits = (f"  kit-{n}: {{name: Kit {n}, charm: c{n}, worth: charm.luck * {n + 1}}}\n" for n in range(4))
        self.write("kits.yaml", "kit:\n" + "".join(kits))

    def charm(self, number: int) -> str:
        luck, word = self.chance.randrange(9), self.chance.random()
        return f"  c{number}:\n    name: Charm {number}\n    luck: {luck}\n    rules: Say {word} aloud.\n"

    def write(self, name: str, text: str) -> None:
        (self.root / "content/charms" / name).write_text(text, encoding="utf-8")

    def happen(self, what: str = "") -> None:
        """One thing that happens, or a certain one."""
        getattr(self, what or self.chance.choice((*OFTEN, *RARELY)))()

    def some(self, pattern: str) -> Path | None:
        found = sorted(self.root.glob(f"content/charms/{pattern}"))
        return self.chance.choice(found) if found else None

    def change(self, pattern: str, how: Callable[[str], str]) -> None:
        path = self.some(pattern)
        if path is not None:
            path.write_text(how(path.read_text(encoding="utf-8")), encoding="utf-8")

    def edit(self) -> None:
        lines = self.change
        lines("charms-*.yaml", lambda text: "\n".join(self._line(line) for line in text.split("\n")))

    def _line(self, line: str) -> str:
        return f"    luck: {self.chance.randrange(9)}" if line.startswith("    luck:") and self.chance.random() < 0.4 else line

    def reword(self) -> None:
        self.change("charms-*.yaml", lambda text: text.replace("aloud", self.chance.choice(("aloud twice", "softly aloud", "aloud")), 1))

    def rename_entry(self) -> None:
        self.count += 1
        old, new = f"c{self.chance.randrange(8)}", f"c{self.chance.randrange(8)}x{self.count}"
        for path in self.root.glob("content/charms/*.yaml"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(f"  {old}:\n", f"  {new}:\n").replace(f"charm: {old},", f"charm: {new},"), encoding="utf-8")

    def rename_file(self) -> None:
        path = self.some("charms-*.yaml")
        if path is not None:
            self.count += 1
            path.rename(path.with_name(f"charms-{self.count:03}.yaml"))

    def add(self) -> None:
        self.count += 1
        self.change("charms-*.yaml", lambda text: text.rstrip("\n") + "\n" + self.charm(100 + self.count))

    def take(self) -> None:
        """An entry goes that nothing names."""
        kits = (self.root / "content/charms/kits.yaml").read_text(encoding="utf-8")

        def without(text: str) -> str:
            free = [m for m in ENTRY.finditer(text) if f"charm: {m[1]}," not in kits]
            if len(ENTRY.findall(text)) < 2 or not free:
                return text
            gone = self.chance.choice(free)
            return text[: gone.start()] + text[gone.end() :]

        self.change("charms-*.yaml", without)

    def break_(self) -> None:
        self.change("[ck]*.yaml", lambda text: text + BAD)

    def mend(self) -> None:
        for path in self.root.glob("content/*/*.yaml"):
            path.write_text(path.read_text(encoding="utf-8").replace(BAD, ""), encoding="utf-8")

    def version(self) -> None:
        self.write("pack.yaml", f'id: charms\ntitle: Charms\nversion: "{self.chance.randrange(3)}"\nformat: 1\n')

    def product(self) -> None:
        extra = self.chance.choice(("", "  more: {layout: pages, select: {kind: [kit, charm]}}\n"))
        self.write("products.yaml", PRODUCTS + extra)

    def schema(self) -> None:
        title = self.chance.choice(("Luck", "Fortune"))
        properties = {"luck": {"type": "integer", "title": title, "description": "How much."}}
        schema = {**SCHEMA, "properties": properties}
        (self.root / "schemas/charms/charm.json").write_text(json.dumps(schema), encoding="utf-8")

    def second_pack(self) -> None:
        place = self.root / "content/more"
        if place.exists():
            shutil.rmtree(place)
            return
        place.mkdir()
        (place / "pack.yaml").write_text('id: more\ntitle: More\nversion: "1"\nformat: 1\nrequires: {charms: ">=0"}\n', encoding="utf-8")
        (place / "all.yaml").write_text("charm:\n  d1: {name: Other, luck: 3, rules: Say it.}\n", encoding="utf-8")

    def touch(self) -> None:
        path = self.some("*.yaml")
        if path is not None:
            path.touch()

    def damage(self) -> None:
        """Something in the cache is cut, overwritten, exchanged or taken away; or all of it goes."""
        kept = sorted(p for p in (self.root / FOLDER).rglob("*") if p.is_file())
        if not kept:
            return
        path, other = self.chance.choice(kept), self.chance.choice(kept)
        data = path.read_bytes()
        at = self.chance.randrange(len(data)) if data else 0
        self.chance.choice(
            (
                lambda: path.write_bytes(data[:at]),
                lambda: path.write_bytes(data[:at] + b"\0" + data[at + 1 :]),
                lambda: path.write_bytes(other.read_bytes()),
                path.unlink,
                lambda: shutil.rmtree(self.root / FOLDER),
            )
        )()

    def printed(self) -> dict[str, bytes]:
        return {name: data for name, data in files(self.root / "dist").items() if name not in MARKS}

    def copied(self) -> Path:
        """The project as it is, as if it were never built."""
        place = self.root.parent / "clean"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.root, place, ignore=shutil.ignore_patterns("dist", FOLDER))
        return place


def once(shop: Shop, root: Path) -> None:
    """One build of a shop that stays open, as `watch` does it."""
    order = Order((), (), None, None, Wishes(), ("pdf",), 1, False, False, steady=True)
    while shop.once(order, *open_sources(root), Stopwatch()) is None:
        continue
    shop.store.close()


def opened(root: Path) -> Shop:
    store = Store(root)
    return Shop(store, KeptPress(Paper(), store, hold=True), KeptReader(store, hold=True), Bindery(lasting=True))


def live(root: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    life = Life(root, chance)
    shop = opened(root)
    set_with(lambda **_: Paper(), monkeypatch)
    for _ in range(chance.randrange(3, 8)):
        for _ in range(chance.choice((1, 1, 2, 3))):
            life.happen()
        if chance.random() < 0.5:
            once(shop, root)
        elif chance.random() < 0.9:
            command_line.main(["--project", str(root), "build"], standalone_mode=False)
    life.mend()
    if chance.random() < 0.5:
        once(shop, root)
    else:
        command_line.main(["--project", str(root), "build"], standalone_mode=False)
    clean = life.copied()
    once(opened(clean), clean)
    made, good = life.printed(), {name: data for name, data in files(clean / "dist").items() if name not in MARKS}
    assert made == good, f"seed {seed}: {[n for n in {*made, *good} if made.get(n) != good.get(n)]}"
    assert len(good) > 2


@pytest.mark.parametrize("seed", range(8))
def test_a_life(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live(tmp_path / "p", seed, monkeypatch)


@pytest.mark.slow
def test_two_hundred_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(200):
        live(tmp_path / str(seed) / "p", seed, monkeypatch)
        shutil.rmtree(tmp_path / str(seed))


class Killed(BaseException):
    """The end of a program in the midst of its work: whatever it would still change stays as it is."""


class Lives(RuleBasedStateMachine):
    """Lives that Hypothesis thinks up, and cuts short where one goes wrong: builds are killed in them, too."""

    @initialize(chance=st.randoms(use_true_random=False))
    def begin(self, chance: random.Random) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.root = Path(self.place.name) / "p"
        self.life = Life(self.root, chance)
        self.patch = pytest.MonkeyPatch()
        set_with(lambda **_: Paper(), self.patch)
        self.shop = opened(self.root)

    @rule(what=st.sampled_from(sorted({*OFTEN, *RARELY})))
    def something_happens(self, what: str) -> None:
        self.life.happen(what)

    @rule()
    def it_is_built_by_who_watches(self) -> None:
        once(self.shop, self.root)

    @rule()
    def it_is_built(self) -> None:
        command_line.main(["--project", str(self.root), "build"], standalone_mode=False)

    @rule(number=st.integers(1, 90))
    def it_is_built_until_it_is_killed(self, number: int) -> None:
        taken_away = trap(number, self.end, ever=True)
        try:
            command_line.main(["--project", str(self.root), "build"], standalone_mode=False)
        except Killed:
            pass
        finally:
            taken_away()

    def end(self) -> None:
        raise Killed

    @rule()
    def it_is_cleaned(self) -> None:
        command_line.main(["--project", str(self.root), "clean"], standalone_mode=False)

    @rule()
    def all_is_as_if_built_from_nothing(self) -> None:
        self.life.mend()
        self.it_is_built()
        clean = self.life.copied()
        once(opened(clean), clean)
        good = {name: data for name, data in files(clean / "dist").items() if name not in MARKS}
        assert self.life.printed() == good
        assert len(good) > 2

    def teardown(self) -> None:
        if hasattr(self, "life"):
            try:
                self.all_is_as_if_built_from_nothing()
            finally:  # it may be cut short when what chance gives is used up
                self.patch.undo()
                self.place.cleanup()


def test_lives_that_are_thought_up() -> None:
    run_state_machine_as_test(Lives, settings=settings(derandomize=True, max_examples=6, stateful_step_count=12, deadline=None))


@pytest.mark.slow
def test_many_lives_that_are_thought_up() -> None:
    run_state_machine_as_test(Lives, settings=settings(max_examples=60, stateful_step_count=30, deadline=None, print_blob=True))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("seed", range(10))
def test_lives_with_sudden_ends(seed: int, tmp_path: Path) -> None:
    """Real programs with the real typesetter, each killed at any moment."""
    chance = random.Random(seed)
    root, scratch = tmp_path / "p", tmp_path / "s"
    life = Life(root, chance)
    for _ in range(4):
        life.happen()
        process = start(root, scratch, "build", "--jobs", "1")
        time.sleep(chance.random() * 4)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    life.mend()
    code, _, err = seasons(root, scratch, "build")
    clean = life.copied()
    assert code in (0, 1), err
    assert seasons(clean, scratch, "build")[0] == code
    assert life.printed() == {name: data for name, data in files(clean / "dist").items() if name not in MARKS}
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_four_builds_at_once_and_cleaning_between(tmp_path: Path) -> None:
    root, scratch = tmp_path / "p", tmp_path / "s"
    life = Life(root, random.Random(1))
    clean = life.copied()
    assert seasons(clean, scratch, "build", straw=True)[0] in (0, 1)
    good = {name: data for name, data in files(clean / "dist").items() if name not in MARKS}
    for round_ in range(2):
        running = [start(root, scratch, "build", straw=True) for _ in range(4)]
        if round_:
            seasons(root, scratch, "clean", straw=True)
        for process in running:
            _, err = process.communicate(timeout=120)
            assert process.returncode in (0, 1), err.decode()
            assert b"fault of ours" not in err
        seasons(root, scratch, "build", straw=True)
        assert life.printed() == good


def test_what_there_will_be_is_shown_before_it_is_typeset(tmp_path: Path) -> None:
    """Places first, cards next, pages last; and after a change what is at hand is there from the beginning."""
    root = tmp_path / "p"
    life = Life(root, random.Random(3))
    shop, order = opened(root), Order((), (), None, None, Wishes(), ("pdf",), 1, False, False, steady=True)
    seen: list[tuple[dict[str, bool], bool]] = []

    def show(project: Project, now: Seen, seconds: float) -> None:
        gallery.show(project, now, seconds)
        answer = gallery.answer("/state", {})
        assert answer is not None
        pictures = json.loads(answer.body)["pictures"]
        assert all(picture["waiting"] or picture["picture"] for picture in pictures)
        seen.append(({picture["id"]: picture["waiting"] for picture in pictures}, now.cards_set))

    def look() -> list[tuple[dict[str, bool], bool]]:
        seen.clear()
        looked = shop.look(order, *open_sources(root), Stopwatch(), show)
        assert looked is not None
        show(*looked, 0.0)
        return list(seen)

    gallery = Gallery()
    first = look()
    names = list(first[0][0])
    assert len(names) == 5
    assert all(list(pictures) == names for pictures, _ in first), "all have their places from the beginning"
    assert all(first[0][0].values())
    assert not any(first[-1][0].values())
    whenset = [pictures for pictures, cards_set in first if cards_set]
    assert [name for name, waiting in whenset[0].items() if waiting] == ["charms:list"]
    life.change("kits.yaml", lambda text: text.replace("name: Kit 2", "name: Kit of two"))
    assert [name for name, waiting in look()[0][0].items() if waiting] == ["charms:cards/kit/kit-2"]


def test_only_what_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "p"
    life = Life(root, random.Random(2))
    set_with(lambda **_: Paper(), monkeypatch)

    def build(*words: str) -> dict[str, dict[str, str]]:
        command_line.main(["--project", str(root), "build", *words], standalone_mode=False)
        made = json.loads((root / "dist/manifest.json").read_bytes())["files"]
        return {name: about["cards"] for name, about in made.items() if "cards" in about}

    whole = build()
    assert set(build("--changed")) == {"charms/cards.pdf"}, "nothing has changed"
    life.change("kits.yaml", lambda text: text.replace("name: Kit 2", "name: Kit of two"))
    after = build("--changed")
    assert after["charms/cards.pdf"] == whole["charms/cards.pdf"], "the deck stays as it is"
    assert list(after["charms/cards~changed.pdf"]) == ["kit-kit-2"]
    last = build()
    assert set(last) == {"charms/cards.pdf"}
    assert last != whole
    build("--ink", "friendly")
    assert set(build("--changed")) == {"charms/cards.pdf", "charms/cards~ink-friendly.pdf"}, "nothing has changed since it was printed so"
    manifest = root / "dist/manifest.json"
    spoilt = json.loads(manifest.read_bytes())
    spoilt["files"]["odd.pdf"] = {"product": ["charms:cards"], "cards": {}}
    manifest.write_text(json.dumps(spoilt), encoding="utf-8")
    assert "charms/cards.pdf" in build("--changed"), "what somebody else has written there brings nobody down"
