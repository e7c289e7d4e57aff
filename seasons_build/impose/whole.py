"""Impose: the long way, for faces whose objects the linker does not know (pikepdf).

Sheets are linked as ever, with the place of such a face left empty; then its own page is copied in as it was typeset. Fonts are not shared
on this way, and it costs milliseconds a face; the sheets look the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO

import pikepdf

from seasons_build.core.face import WholeFace
from seasons_build.impose.fonts import FontParts
from seasons_build.impose.link import link
from seasons_build.impose.sheets import Sheet


def link_whole(sheets: Sequence[Sheet], fonts: Mapping[str, FontParts], *, title: str, language: str = "") -> bytes:
    """As `link`, for sheets that may hold a `WholeFace`; where none does, the very same bytes."""
    linked = link(sheets, fonts, title=title, language=language)
    if not any(isinstance(placement.face, WholeFace) for sheet in sheets for placement in sheet.placements):
        return linked
    with pikepdf.open(BytesIO(linked)) as target:
        copied: dict[int, pikepdf.Object] = {}
        for sheet, page in zip(sheets, target.pages, strict=True):
            names: dict[str | int, str] = {}
            for placement in sheet.placements:
                face = placement.face
                # As `link` names them: faces that are drawn alike are one.
                name = names.setdefault(id(face) if isinstance(face, WholeFace) else face.form, f"/C{len(names)}")
                if isinstance(face, WholeFace):
                    if id(face) not in copied:
                        copied[id(face)] = _copied(face, target)
                    page.obj.Resources.XObject[name] = copied[id(face)]
        out = BytesIO()
        target.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        return out.getvalue()


def _copied(face: WholeFace, target: pikepdf.Pdf) -> pikepdf.Object:
    """The page of a face as a form of the target, painting into its bleed as a linked one does."""
    with pikepdf.open(BytesIO(face.pdf)) as source:
        page = source.pages[0]
        form = page.as_form_xobject(handle_transformations=False)
        form.BBox = page.obj.MediaBox
        return target.copy_foreign(form)
