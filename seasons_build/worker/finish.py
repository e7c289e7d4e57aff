"""A document made fit for readers after it was written: its form, and the structure that a screen reader reads.

In go the bytes of a PDF, the fields that it is to have, and what icons are called; out come bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pikepdf

from seasons_build.core.job import DocumentJob
from seasons_build.worker.faces import Faces
from seasons_build.worker.fields import Field
from seasons_build.worker.form import put
from seasons_build.worker.onto import lay_on
from seasons_build.worker.structure import content, tidy


def finished(pdf: bytes, fields: Sequence[Field], job: DocumentJob, faces: Faces) -> bytes:
    """The document of a job with its form, and its structure tidied."""
    texts = content(pdf) if job.tagged else []
    with pikepdf.open(BytesIO(pdf)) as document:
        if fields:
            put(document, fields, faces, job.source)
        tidy(document, texts, dict(job.spoken))
        if job.paper_mm is not None:
            lay_on(document, job.paper_mm)
        out = BytesIO()
        document.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()
