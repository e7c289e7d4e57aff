"""Styles, found and computed once for all faces of a theme that look alike: what cost a third of each face.

In goes a page as the typesetter styles it; an element that stands where one stood before, with the same attributes, under the same parents
and among the same siblings, gets the very style that was computed then. That is all of an element that a selector sees, so a face comes out
the same whatever was set before it; elements that a stylesheet looks into (`:empty`, `:has()`) are styled anew.

This replaces one class of WeasyPrint 70.0, `StyleFor`, and how it looks for sheets inside a page; a test sets the same pages with it and
without it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from math import inf
from typing import Any, TypeAlias

from weasyprint import css
from weasyprint.css import ComputedStyle, InitialStyle, StyleFor

from seasons_build.worker.kept import KeptStyle, Look, Shared, Sizes, current, settled, watched
from seasons_build.worker.selectors import asks

_MOST = 5_000
"""Looks that are remembered at most."""
_MOST_FAMILIES = 20_000
"""Families that are remembered at most."""
_SIBLINGS = 100
"""Elements of one family that are remembered at most."""
_LOOKS_INSIDE = frozenset({"etree_children", "iter_children", "iter_subtree"})
"""What a compiled selector calls that asks for more of an element than where it stands."""
_OF_ELEMENTS = (css.declaration_precedence("author", False), css.declaration_precedence("author", True))
"""The weights of what an element declares itself: our pages have no sheets of their own."""
_CHANGED = ("html", "body")
"""Elements whose styles layout changes on every page."""

_Cascaded: TypeAlias = dict[str | None, dict[str, Any]]
"""Declarations by pseudo-element and name."""
_Family: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""The children of one element: tags and attributes."""


def sharing() -> Shared:
    """What the pages of one theme will share."""
    return Shared()


class _Place:
    """Where elements stand that no selector tells apart: how they look, and the places inside, by the families that stand there."""

    __slots__ = ("families", "look")

    def __init__(self, look: Look) -> None:
        self.look = look
        self.families: dict[_Family, tuple[_Place, ...]] = {}


class _Tree:
    """All places of pages that are set with the same sheets. The sheets are kept, so that no others come to be where they are."""

    def __init__(self, sheets: list[Any], shared: Shared) -> None:
        self.sheets = sheets
        self.shared = shared
        self.top = _Place(Look(kept=True))
        self.sizes = Sizes(shared)
        looks = [looked_into(sheet.matcher) for sheet, _, _ in sheets]
        self.unlike = frozenset(chain.from_iterable(tags for tags in looks if tags is not None))
        if None in looks:
            shared.ended = True


def looked_into(matcher: Any) -> frozenset[str] | None:
    """The tags of elements that some selector looks into; None where it looks into elements of any tag."""
    by_tag = matcher.lower_local_name_selectors
    others = (matcher.id_selectors, matcher.class_selectors, matcher.namespace_selectors)
    rest = chain(matcher.lang_attr_selectors, matcher.other_selectors, *(chain.from_iterable(table.values()) for table in others))
    if any(asks(test, _LOOKS_INSIDE) for test, *_ in rest):
        return None
    return frozenset(tag for tag, entries in by_tag.items() if any(asks(test, _LOOKS_INSIDE) for test, *_ in entries))


class _Styling:
    """One page being styled. `done` gets the styles of each element."""

    def __init__(self, html: Any, tree: _Tree, style_for: Any, collector: Any) -> None:
        self._html = html
        self._tree = tree
        self._fonts = style_for.font_config
        self._collector = collector
        self._wrappers = {html.etree_element: html.wrapper_element}
        self._parents: dict[Any, Any] = {}
        self._declared: dict[Any, list[tuple[Any, str, Any]]] | None = None
        self.done = style_for._computed_styles
        (self.root,) = self._family(tree.top, [html.etree_element])

    def all(self) -> None:
        """Styles every element, in the order of the tree."""
        waiting = [(self._html.etree_element, self.root)]
        while waiting:
            element, place = waiting.pop()
            self.give(element, place.look)
            if children := [child for child in element if isinstance(child.tag, str)]:
                waiting += reversed([*zip(children, self._family(place, children), strict=True)])

    def give(self, element: Any, look: Look) -> None:
        """Gives an element its styles."""
        for pseudo, kept in look.styles.items():
            style = self._tree.shared.copy(kept) if look.own else kept
            self.done[element, pseudo] = style
            if self._collector and style["anchor"]:
                self._collector.collect_anchor(style["anchor"])

    def look(self, outer: Look, cascaded: _Cascaded) -> Look:
        """How an element looks for which this is declared; it is kept where that can be."""
        try:
            rules = tuple((pseudo, _rules(declared)) for pseudo, declared in cascaded.items())
            if rules in outer.inner:
                return outer.inner[rules]
        except TypeError:
            return self._new(outer, cascaded, ComputedStyle)
        if not outer.kept or self._tree.shared.looks >= _MOST:
            return self._new(outer, cascaded, ComputedStyle)
        self._tree.shared.looks += 1
        made = outer.inner[rules] = self._new(outer, cascaded, KeptStyle)
        return made

    def _family(self, outer: _Place, children: list[Any]) -> tuple[_Place, ...]:
        """The places of all children of an element."""
        family = tuple((child.tag, tuple(child.attrib.items())) for child in children)
        if family in outer.families:
            return outer.families[family]
        shared, made = self._tree.shared, tuple(_Place(self._styled(outer.look, child)) for child in children)
        if len(children) <= _SIBLINGS and shared.families < _MOST_FAMILIES and all(place.look.kept for place in (outer, *made)):
            shared.families += 1
            outer.families[family] = made
        return made

    def _styled(self, outer: Look, element: Any) -> Look:
        cascaded = self._cascaded(element)
        if element.tag.lower() in self._tree.unlike:
            return self._new(outer, cascaded, ComputedStyle)
        look = self.look(outer, cascaded)
        look.own = look.own or (look.kept and element.tag in _CHANGED)
        return look

    def _new(self, outer: Look, cascaded: _Cascaded, kind: Any) -> Look:
        root = self.root.look.styles[None] if outer is not self._tree.top.look else None
        made = Look(kept=kind is KeptStyle)
        for pseudo, declared in cascaded.items():
            parent = outer.styles.get(None) if pseudo is None else made.styles[None]
            top = InitialStyle(self._fonts) if root is None and pseudo is None else root or made.styles[None]
            style = kind(parent, declared, pseudo, top, self._html.base_url, self._fonts, self._tree.sizes)
            made.styles[pseudo] = settled(style, made, self._tree.shared) if made.kept else style
        return made

    def _cascaded(self, element: Any) -> _Cascaded:
        """What is declared for an element and inside it: as the typesetter puts it together."""
        found: _Cascaded = {None: {}}
        for weight, name, value in self._own(element):
            _put(found[None], name, value, weight)
        for sheet, origin, all_as in self._tree.sheets:
            for specificity, _, pseudo, (declarations, layer) in sheet.matcher.match(self._wrapper(element)):
                order = inf if layer is None else sheet.layers.index(layer)
                style = found.setdefault(pseudo, {})
                for name, value, important in declarations:
                    _put(style, name, value, (css.declaration_precedence(origin, important), order, all_as or specificity))
        return found

    def _own(self, element: Any) -> list[tuple[Any, str, Any]]:
        """What an element declares itself, with the weight of it."""
        if self._declared is None:
            self._declared = defaultdict(list)
            with watched(self._tree.shared):
                given = css.find_style_attributes(self._html.etree_element, base_url=self._html.base_url)
                for specificity, owner, declarations, base_url in given:
                    for name, value, important in css.preprocess_declarations(base_url, declarations):
                        weight = css.declaration_precedence("author", important), inf, specificity
                        self._declared[owner].append((weight, name, value))
        return self._declared.get(element, [])

    def _wrapper(self, element: Any) -> Any:
        """An element as selectors see it."""
        if element not in self._wrappers:
            if not self._parents:
                self._parents = {child: parent for parent in self._html.etree_element.iter() for child in parent}
            inside = self._wrapper(self._parents[element]).iter_children()
            self._wrappers.update((wrapper.etree_element, wrapper) for wrapper in inside)
        return self._wrappers[element]


def _put(style: dict[str, Any], name: str, value: Any, weight: tuple[Any, ...]) -> None:
    if name not in style or style[name][1] <= weight:
        style[name] = value, weight


def _rules(cascaded: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> tuple[Any, ...]:
    """What a style is computed from, beside its parent: declarations of sheets by their identity, which lasts as long as the sheet, and
    those of the element itself as they are."""
    rules: list[Any] = []
    for name, (value, weight) in cascaded.items():
        rules += (name, value if weight[0] in _OF_ELEMENTS else id(value))
    return tuple(rules)


# In place of the typesetter's own


def _start(self: Any, html: Any, sheets: list[Any], presentational_hints: bool, font_config: Any, target_collector: Any) -> None:
    """As the typesetter's own, but that an element is given what is known of its place. A page with sheets of its own is like no other."""
    self.styling = None
    shared = current()
    if shared is None or any(origin == "author" for _, origin, _ in sheets):
        StyleFor.__init__(self, html, sheets, presentational_hints, font_config, target_collector)
        return
    key = tuple(id(sheet) for sheet, _, _ in sheets)
    tree = shared.trees[key] = shared.trees.get(key) or _Tree(sheets, shared)
    tree.sizes.update(box=None, area=None)
    self._cascaded_styles, self._computed_styles = {}, {}
    self.initial_page_sizes, self._sheets, self.font_config = tree.sizes, sheets, font_config
    self.styling = _Styling(html, tree, self, target_collector)
    self.styling.all()


def _set_computed_styles(self: Any, element: Any, parent: Any, pseudo_type: Any = None, **more: Any) -> None:
    """As the typesetter's own, once the elements have their styles: those of a page and, with it, of its margins."""
    if self.styling is None:
        StyleFor.set_computed_styles(self, element, parent, pseudo_type=pseudo_type, **more)
    elif pseudo_type is None:
        cascaded = {None: {}, **{pseudo: style for (page, pseudo), style in self._cascaded_styles.items() if page == element}}
        look = self.styling.look(self.styling.root.look, cascaded)
        look.own = look.kept
        self.styling.give(element, look)


def _find_stylesheets(page: Any, *given: Any) -> Iterator[Any]:
    """As the typesetter's own, but that it looks first whether there is any."""
    return _SHEETS_OF(page, *given) if any(page.etree_element.find(f".//{tag}") is not None for tag in ("style", "link")) else iter(())


_SHEETS_OF = css.find_stylesheets
css.find_stylesheets = _find_stylesheets
css.StyleFor = type("SharingStyleFor", (StyleFor,), {"__init__": _start, "set_computed_styles": _set_computed_styles})
