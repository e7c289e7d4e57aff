"""A library as a small site: pages that a browser reads from a folder, without a server and without asking anybody for anything.

In: entries as plain records, rolls with their odds. Out: files by name. All text is escaped here; what comes as markup was made by the
compiler from text that was escaped.
"""

from seasons_build.website.pages import Chance, Item, Library, Link, Number, Roll, Told, site

__all__ = ["Chance", "Item", "Library", "Link", "Number", "Roll", "Told", "site"]
