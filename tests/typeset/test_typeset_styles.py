"""Styles that are computed once for many faces: with them and without them a page is the same, whatever was set before it."""

from __future__ import annotations

import logging
import re
import warnings
from pathlib import Path

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # a machine without fonts is told about at import, and is what we want
    from weasyprint import CSS, HTML, css
    from weasyprint.css.counters import CounterStyle
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    from seasons_build.worker import lines as lines  # it does its work where the typesetter is
    from seasons_build.worker.styles import looked_into, sharing

ROOT = Path(__file__).parent.parent
LOOK = ROOT / "fixtures" / "look"
FONTS = {path.name: path.read_bytes() for path in sorted((ROOT.parent / "templates" / "fonts").glob("*.ttf"))}
SHEETS = {"frontiers": ("fonts.css", "tokens.css", "card.css"), "seasons-pass": ("base.css",)}
CARDS = [path for path in sorted(LOOK.glob("*/*.html")) if path.stem.startswith(("card", "power"))]
OWN = re.compile("<style>(.*?)</style>", re.DOTALL)
FACE = "@font-face{font-family:T;src:url(look:fonts/barlow-semi-condensed-400-normal.ttf)}"
SMALL = FACE + (
    "@page{size:60mm 80mm;margin:2mm;@bottom-center{content:counter(page)}}body{font:9pt T;--wide:20mm}"
    "ul{list-style:disc}p+p{margin-left:2mm}li:last-child{color:blue}.row>:nth-child(2){width:9mm}.late .wide{color:green}"
    ".even{text-align:justify;width:20mm;hyphens:auto}.cut{width:9mm;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}"
    ".wrap{width:8mm;overflow-wrap:anywhere}.beside{float:left}i{letter-spacing:1pt}b{word-spacing:2pt}"
    "table{border-collapse:collapse}td{border:1pt solid;padding:1mm}.row{display:flex}.row p{flex:1}"
    ".note{float:footnote}.line::first-line{font-size:11pt}a::before{content:attr(title)}"
    ".sum{text-indent:calc(10% + 1mm);inline-size:30mm;text-decoration:underline}.aside{margin-inline-start:4mm;padding-block:1mm 2mm}"
    ".wide{width:calc(var(--wide) + 10%)}h1{string-set:t content();text-decoration:underline}"
)
PAGES = (
    "<h1 id=a lang=fr>A</h1><p class=line>one two three four five six seven eight nine ten eleven twelve thirteen</p>",
    "<table><tr><td>1<td>2</table><ul><li>x<li style='color:red'>y</ul>",
    "<div class=row><p>a<p>b</div><p class=note>foot</p><h1 id=b><em>B</em></h1>",
    "<p class=wide style='margin-left:3mm'>w <a href='#a' title='see '>there</a></p><p class=deep id=a>d</p>",
    "<table><tr><td><p>1</p><td><h1>2</h1></table><p class=wide>v<span lang=de>w</span></p>",
    "<div class=row><p style='color:red'>a<p>b</div><ul><li>x</ul>",
    "<p class=even>every measure of a sentence is even <u>under</u> <i>and over</i> <b>and between</b></p><p class=cut>one two three</p>",
    "<p class=cut>one two three</p><p class=wrap>internationalisation</p><p class=beside>one two</p><p dir=rtl>one&nbsp;two three</p>",
    "<p class=beside>one two <u>three</u></p><p class=even lang=en>internationalisation of every measure that is even</p><pre>a\n\tb</pre>",
    "<div class=late><p class=wide>w</p></div><div><p class=wide>w</p><p>p</p></div>",
    "<div class=sum><p class=aside>one <b>two</b></p><p class=aside dir=rtl>three <b>four</b></p></div>",
)


class Fetcher(URLFetcher):
    """Answers with fonts of ours."""

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        return URLFetcherResponse(url, FONTS[url.rpartition("/")[2]])


class Setting:
    """One set of stylesheets, and what is computed for the pages that are set with it."""

    def __init__(self, *texts: str) -> None:
        self.fetcher = Fetcher(allowed_protocols=("look",), allow_redirects=False)
        self.fonts, self.counters, self.shared = FontConfiguration(), CounterStyle(), sharing()
        given = {"font_config": self.fonts, "counter_style": self.counters, "url_fetcher": self.fetcher, "base_url": "look:"}
        self.sheets = [CSS(string=text, **given) for text in texts]

    def page(self, html: str, *, shared: bool) -> bytes:
        """The page as PDF."""
        source = HTML(string=html, url_fetcher=self.fetcher, base_url="look:")
        given = {"stylesheets": self.sheets, "font_config": self.fonts, "counter_style": self.counters}
        document = self.shared.rendered(lambda: source.render(**given)) if shared else source.render(**given)
        return bytes(document.write_pdf(uncompressed_pdf=True))


def same_in_any_order(setting: Setting, pages: list[str]) -> None:
    alone = [setting.page(page, shared=False) for page in pages]
    assert [setting.page(page, shared=True) for page in pages] == alone
    assert [setting.page(page, shared=True) for page in reversed(pages)] == alone[::-1]
    assert [setting.page(page, shared=False) for page in pages] == alone


@pytest.mark.parametrize("game", SHEETS)
def test_the_cards_of_the_look_are_the_same_in_any_order(game: str) -> None:
    cards = [path.read_text(encoding="utf-8") for path in CARDS if path.parent.name == game]
    assert len(cards) > 1
    texts = [(LOOK / game / sheet).read_text(encoding="utf-8") for sheet in SHEETS[game]]
    texts += dict.fromkeys(style for card in cards for style in OWN.findall(card))
    setting = Setting(*(text.replace("../fonts/", "look:fonts/") for text in texts))
    same_in_any_order(setting, [OWN.sub("", card) for card in cards])
    assert not setting.shared.ended


def test_a_page_with_sheets_of_its_own_shares_nothing() -> None:
    setting = Setting(SMALL)
    same_in_any_order(setting, [f"<style>p{{color:{colour}}}</style><p>a</p>" for colour in ("red", "blue")])
    assert setting.shared.looks == 0


def test_what_layout_does_to_a_style_is_of_its_page_alone() -> None:
    setting = Setting(SMALL)
    same_in_any_order(setting, list(PAGES))
    assert not setting.shared.ended
    assert setting.shared.lines


@pytest.mark.parametrize("style", [".deep{font-size:2vw}", ".x:empty{height:3mm}", ".x:has(b){height:3mm}"])
def test_where_a_style_hangs_on_more_than_its_place_nothing_is_shared(style: str) -> None:
    setting = Setting(SMALL, style)
    pages = ["<p class='deep x'>a</p><p class=x></p>", "<p class=x>b</p><p class='deep x'></p>", "<p class=x><b></b></p><p class=x>c</p>"]
    same_in_any_order(setting, pages)
    assert setting.shared.ended


def test_elements_that_a_sheet_looks_into_by_their_tag_are_styled_anew() -> None:
    setting = Setting(SMALL, "q:empty{color:red}q:not(:has(b)){margin-left:3mm}")
    same_in_any_order(setting, ["<q>a<i>b</i></q>", "<q></q><q><b>c</b></q>", "<p><q><i>d</i></q></p>"])
    assert not setting.shared.ended


def test_the_sheets_of_the_typesetter_look_into_controls_alone() -> None:
    (sheet,) = HTML(string="")._ua_stylesheets()
    assert looked_into(sheet.matcher) == {"option", "textarea"}


def test_what_the_typesetter_says_of_a_value_is_said_to_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that are worked out in silence are shared; one warning, and each page works out its own again."""
    told: list[str] = []

    def noisy(style: object, name: str, value: object) -> object:
        logging.getLogger("weasyprint").warning("a poor value")
        return value

    monkeypatch.setitem(css.COMPUTER_FUNCTIONS, "margin_top", noisy)

    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage())

    logger, heard = logging.getLogger("weasyprint"), Heard()
    logger.addHandler(heard)
    try:
        setting = Setting(SMALL, "p{margin-top:3mm}")
        counts = []
        for _ in range(3):
            told.clear()
            setting.page("<p>a</p><p>b</p>", shared=True)
            counts.append(len(told))
    finally:
        logger.removeHandler(heard)
    assert counts[0] and counts == [counts[0]] * 3
    assert setting.shared.ended
