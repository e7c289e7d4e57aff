"""What of a page is read out, as its HTML says it: what is decoration, what is said in place of signs, what the outline calls its headings.

In goes a document of WeasyPrint 70.0 before it is written, which knows neither `aria-hidden` nor `aria-label`. It does know words for
pictures: so each box of an element that is hidden or labelled is made known to it as a picture with these words, nothing but a blank where
it is hidden, and `structure` finds them at their place in the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weasyprint.formatting_structure.boxes import InlineBox, MarginBox, ParentBox, TextBox

from seasons_build.core.spoken import spoken as speak

HIDDEN = " "
"""The words of what is not read out."""
_BOOKMARK = "bookmark_label"


def mark(document: Any, icons: Mapping[str, str]) -> None:
    """Marks what is hidden and what is said in place of it, and gives the headings in the outline the words that are read out: icons by
    their names, blanks between what stands apart. The document is changed."""
    for page in document.pages:
        boxes = list(_boxes(page._page_box))
        apart = {id(box.element) for box in boxes if box.element is not None and not isinstance(box, InlineBox)}
        heads = (box for box in boxes if getattr(box, _BOOKMARK, "") and isinstance(box.style["bookmark_level"], int))
        titles = [_title(box, icons, apart) for box in heads]
        assert len(titles) == len(page.bookmarks), "the boxes are those that the outline was made of"
        page.bookmarks[:] = [(level, title, *rest) for title, (level, _, *rest) in zip(titles, page.bookmarks, strict=True)]
        for box in boxes:
            words = _words(box)
            if words is not None:
                box.element_tag = "img"
                box.element.set("alt", words)


def _boxes(box: Any) -> Iterator[Any]:
    """All boxes but those of text, in the order in which the typesetter looks for headings."""
    box = getattr(box, "_box", box)
    if isinstance(box, TextBox):
        return
    yield box
    if isinstance(box, ParentBox):
        for child in box.all_children():
            yield from _boxes(child)


def _words(box: Any) -> str | None:
    """What is said in place of what is in a box; nothing where that is read as it stands."""
    if box.element is None or isinstance(box, MarginBox) or "::" in str(box.element_tag):
        return None
    return HIDDEN if box.element.get("aria-hidden") == "true" else box.element.get("aria-label")


def _title(box: Any, icons: Mapping[str, str], apart: set[int]) -> str:
    """What the outline calls a heading: its text as it is read out, or what the style sheet says."""
    element = box.element
    label = str(getattr(box, _BOOKMARK))
    if element is None or "".join(label.split()) != "".join("".join(element.itertext()).split()):
        return label
    return speak(_text(element, apart), icons)


def _text(element: Any, apart: set[int]) -> str:
    """The text of an element but for what is hidden, with blanks around what does not run on in a line."""
    text = element.text or ""
    for child in element:
        if child.get("aria-hidden") != "true":
            said = child.get("aria-label") or _text(child, apart)
            text += f" {said} " if id(child) in apart or child.tag == "br" else said
        text += child.tail or ""
    return text
