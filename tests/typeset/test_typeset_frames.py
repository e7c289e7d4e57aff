"""A heavy picture that many cards share stands in their file once."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image
from small_theme import ALL_FONTS, Press, face_job, small_theme

from seasons_build.core.face import sha_of
from seasons_build.core.paper import CardSize, Paper
from seasons_build.impose import Card, font_parts, lay_out, link, sheets

CSS = ".frame{position:absolute;left:-3mm;top:-3mm;width:69mm;height:94mm}.say{position:absolute;left:8mm;top:20mm}"
HTML = '<img class="frame" src="images/frame.png" alt=""><p class="say">{{ entry.text }}</p>'


def frame() -> bytes:
    """A picture of about a megabyte that does not get smaller: a band of noise on a plain ground, with the pixels that print wants."""
    out, picture = BytesIO(), Image.new("RGB", (817, 1113), (240, 230, 210))
    picture.paste(Image.frombytes("RGB", (817, 410), Random(1).randbytes(817 * 410 * 3)), (0, 0))
    picture.save(out, "PNG")
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 100])
def test_cards_with_one_frame_weigh_little_more_than_it(press: Press, count: int) -> None:
    picture = frame()
    assert len(picture) > 900_000
    theme = small_theme(templates={"card": HTML}, css={"own.css": CSS}, images={"frame.png": picture})
    press.typesetter.open(theme)
    jobs = [face_job(f"Card number {n}", stylesheets=("fonts.css", "page.css", "own.css")) for n in range(count)]
    results = list(press.typesetter.run(jobs))
    assert [result.findings for result in results] == [()] * count
    layout = lay_out(CardSize("poker", "Poker", 63, 88), Paper("a4", "A4", 210, 297)).value
    assert layout is not None
    fonts = {sha_of(data): font_parts(data) for data in ALL_FONTS.values()}
    pdf = link(sheets([Card(result.face) for result in results if result.face is not None], layout), fonts, title="Deck")
    assert len(pdf) < 2_000_000
