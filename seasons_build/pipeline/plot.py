"""A picture of odds: a stacked bar a row, as SVG. In: a `Grid`. Out: text of an SVG file; the same grid gives the same bytes."""

from __future__ import annotations

from html import escape

from seasons_build.pipeline.odds import Grid, per_cent

INKS = ("#1b7837", "#7fbf7b", "#d9f0d3", "#e7d4e8", "#af8dc3", "#762a83", "#bbbbbb", "#777777")
"""Told apart in grey and by colour-blind eyes, light in the middle; each stack is also labelled."""
LEFT, TOP, WIDE, HIGH, GAP = 110, 56, 560, 22, 6


def svg(grid: Grid) -> str:
    """The grid as a stacked bar a row, with the outcomes named above."""
    names = list(grid.rows[0][1].outcomes)
    height = TOP + len(grid.rows) * (HIGH + GAP) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDE + 20} {height}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(grid.roll)}</title>",
        f'<rect width="{LEFT + WIDE + 20}" height="{height}" fill="#ffffff"/>',
    ]
    for index, name in enumerate(names):
        x = LEFT + index * (WIDE // max(1, len(names)))
        parts.append(f'<rect x="{x}" y="14" width="12" height="12" fill="{_ink(index)}" stroke="#333333" stroke-width="0.5"/>')
        parts.append(f'<text x="{x + 16}" y="25">{escape(name)}</text>')
    for row, (point, odds) in enumerate(grid.rows):
        y = TOP + row * (HIGH + GAP)
        label = ", ".join(f"{name} {value}" for name, value in zip(grid.ranged, point, strict=True))
        parts.append(f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(label)}</text>')
        start = 0
        total = sum(odds.outcomes.values())
        for index, chance in enumerate(odds.outcomes.values()):
            end = start + (round(chance / total * WIDE) if total else 0)
            end = min(end, WIDE)
            box = f'x="{LEFT + start}" y="{y}" width="{end - start}" height="{HIGH}"'
            parts.append(f'<rect {box} fill="{_ink(index)}" stroke="#333333" stroke-width="0.5"/>')
            if end - start >= 36:
                parts.append(f'<text x="{LEFT + (start + end) // 2}" y="{y + 15}" text-anchor="middle">{escape(per_cent(chance))}</text>')
            start = end
    return "\n".join([*parts, "</svg>", ""])


def _ink(index: int) -> str:
    return INKS[index % len(INKS)]
