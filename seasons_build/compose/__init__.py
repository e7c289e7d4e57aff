"""Stage: entries and sheets become plans: what stands on each face and page, as data, and which template draws it.

In: the library, the sheets, themes, card sizes, what was asked for on the command line. Out: a `Plan` for each product.
"""

from seasons_build.compose.again import Notes
from seasons_build.compose.products import Asked, compose
from seasons_build.compose.themes import ReadTheme, ThemeFiles, read_themes
from seasons_build.compose.view import Viewer

__all__ = ["Asked", "Notes", "ReadTheme", "ThemeFiles", "Viewer", "compose", "read_themes"]
