"""Pages as pictures, and the numbers on them with their places: what looking at a page asks of `raster`."""

from seasons_build.raster import Figure, figures, page_png

__all__ = ["Figure", "figures", "page_png"]
