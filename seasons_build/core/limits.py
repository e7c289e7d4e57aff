"""The limits that keep a stranger's file from costing more than it should: one table, raised by the project alone, never by a pack.

Sources: DESIGN of the project, section 6; the figures are measured ones, see docs/architecture.md.
"""

from __future__ import annotations

from seasons_build.core.named import NamedTuple


class Limits(NamedTuple):
    """Sizes are bytes unless the name says otherwise; work is counted in steps, so that a verdict is the same on every machine."""

    file_bytes: int = 2 * 1024 * 1024
    project_bytes: int = 64 * 1024 * 1024
    depth: int = 64
    values: int = 200_000
    key_characters: int = 200
    text_characters: int = 256 * 1024
    aliases: int = 1_000
    alias_values: int = 200_000
    alias_characters: int = 8 * 1024 * 1024
    file_findings: int = 1_000
    number: int = 10**15
    decimal_digits: int = 15
    expression_characters: int = 2_000
    expression_depth: int = 50
    expression_steps: int = 10_000
    value_depth: int = 60
    dice: int = 1_000
    faces: int = 1_000
    roll_steps: int = 5_000_000
    pattern_characters: int = 1_000
    pattern_text: int = 1_000
    template_output: int = 5 * 1024 * 1024
    template_steps: int = 1_000_000
    template_depth: int = 20
    boxes: int = 200
    pages: int = 500
    layouts: int = 4
    pack_files: int = 5_000
    pack_bytes: int = 200 * 1024 * 1024
    pack_file_bytes: int = 50 * 1024 * 1024
    pack_ratio: int = 100
    pack_path: int = 200
    pack_depth: int = 10
    attributes: int = 100
    sheet_bytes: int = 256 * 1024
    colors: int = 100
    image_bytes: int = 20 * 1024 * 1024
    image_pixels: int = 40_000_000
    drawing_bytes: int = 1024 * 1024
    face_seconds: int = 10
    document_seconds: int = 60
    book_seconds: int = 300
    worker_memory: int = 1024 * 1024 * 1024
    worker_file: int = 64 * 1024 * 1024
    shown: int = 50
    quoted_characters: int = 120


DEFAULT = Limits()
