"""The typesetter's own stylesheets as it reads them: `beforehand` gives them to it. Written by `make declared`."""

from __future__ import annotations

from math import inf
from typing import Any

from tinycss2.ast import IdentToken
from weasyprint.css.properties import Dimension

_COUNTER = ("system", "negative", "prefix", "suffix", "range", "pad", "fallback", "symbols", "additive_symbols")


def _counter(**given: Any) -> dict[str, Any]:
    return {**dict.fromkeys(_COUNTER), **given}


def _texts(*texts: str) -> tuple[Any, ...]:
    return tuple(("string", text) for text in texts)


def _weighed(weights: dict[int, str]) -> tuple[Any, ...]:
    return tuple((weight, ("string", text)) for weight, text in weights.items())


SHEETS: dict[str, tuple[Any, ...]]
"""By digest: what is declared and the selectors that it is for, what is declared for boxes of pages, and counter styles. Most selectors are
the name of an element; of the others stand the source, the specificity, what is meant inside the element, and its name."""
SHEETS={'c11f6b44c38ba2d6638f5126cb0347ae5b6bd62def92fd6a8d' 'afe73217019246': ([([('display', ('none',))],
[("lambda el: 'hidden' in el.etree_element.attrib", (0, 1, 0), None, None), 'area', 'base', 'basefont', 'command', 'datalist', 'head',
("lambda el: (el.local_name == 'input') and ('type' " 'in el.etree_element.attrib and el.etree_element.ge'
't(\'type\', "").lower() == \'hidden\')', (0, 1, 1), None, 'input'), 'link', ("lambda el: (el.local_name == 'menu') and ('type' i"
'n el.etree_element.attrib and el.etree_element.get' '(\'type\', "").lower() == \'context\')', (0, 1, 1), None, 'menu'), 'meta', 'noembed',
'noframes', 'param', 'rp', 'script', 'source', 'style', 'template', 'title', 'track']), ([('display', ('block', 'flow'))], ['address',
'article', 'aside', 'blockquote', 'body', 'center', 'dd', 'details', 'dir', 'div', 'dl', 'dt', 'frame', 'frameset', 'fieldset', 'figure',
'figcaption', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr', 'html', 'legend', 'listing', 'main', 'menu',
'nav', 'ol', 'p', 'plaintext', 'pre', 'section', 'summary', 'ul', 'xmp']), ([('display', ('inline', 'flow-root'))], ['button', 'input',
'keygen', 'select', 'textarea']), ([('display', ('block', 'flow', 'list-item'))], ['li']), ([('display', ('block', 'table'))], ['table']),
([('display', ('table-caption',))], ['caption']), ([('display', ('table-column-group',))], ['colgroup',
("lambda el: (el.local_name == 'colgroup') and ('hid" "den' in el.etree_element.attrib)", (0, 1, 1), None, 'colgroup')]), ([('display',
('table-column',))], ['col', ("lambda el: (el.local_name == 'col') and ('hidden' " 'in el.etree_element.attrib)', (0, 1, 1), None, 'col')]),
([('display', ('table-header-group',))], ['thead', ("lambda el: (el.local_name == 'thead') and ('hidden" "' in el.etree_element.attrib)",
(0, 1, 1), None, 'thead')]), ([('display', ('table-row-group',))], ['tbody', ("lambda el: (el.local_name == 'tbody') and ('hidden"
"' in el.etree_element.attrib)", (0, 1, 1), None, 'tbody')]), ([('display', ('table-footer-group',))], ['tfoot',
("lambda el: (el.local_name == 'tfoot') and ('hidden" "' in el.etree_element.attrib)", (0, 1, 1), None, 'tfoot')]), ([('display',
('table-row',))], ['tr', ("lambda el: (el.local_name == 'tr') and ('hidden' i" 'n el.etree_element.attrib)', (0, 1, 1), None, 'tr')]),
([('display', ('table-cell',))], ['td', 'th', ("lambda el: (el.local_name == 'td') and ('hidden' i" 'n el.etree_element.attrib)', (0, 1, 1),
None, 'td'), ("lambda el: (el.local_name == 'th') and ('hidden' i" 'n el.etree_element.attrib)', (0, 1, 1), None, 'th')]), ([('visibility',
'collapse')], [("lambda el: ((el.local_name == 'colgroup') or (el.l" "ocal_name == 'col') or (el.local_name == 'thead') "
"or (el.local_name == 'tbody') or (el.local_name ==" " 'tfoot') or (el.local_name == 'tr') or (el.local_"
"name == 'td') or (el.local_name == 'th')) and ('hi" "dden' in el.etree_element.attrib)", (0, 1, 1), None, None)]), ([('margin_top',
Dimension(1.0, 'em')), ('margin_bottom', Dimension(1.0, 'em'))], ['blockquote', 'dir', 'dl', 'figure', 'listing', 'menu', 'ol', 'p',
'plaintext', 'pre', 'ul', 'xmp']), ([('margin_top', Dimension(0, None)), ('margin_bottom', Dimension(0, None))],
[("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'dl') or (el.local_name == 'menu') or (el."
"local_name == 'ol') or (el.local_name == 'ul')) an" "d (any(((el.local_name == 'dir') or (el.local_name"
" == 'dl') or (el.local_name == 'menu') or (el.loca" "l_name == 'ol') or (el.local_name == 'ul')) for el" ' in el.ancestors))', (0, 0, 2),
None, None)]), ([('margin_top', Dimension(8.0, 'px')), ('margin_right', Dimension(8.0, 'px')), ('margin_bottom', Dimension(8.0, 'px')),
('margin_left', Dimension(8.0, 'px'))], ['body']), ([('margin_top', Dimension(0.67, 'em')), ('margin_bottom', Dimension(0.67, 'em'))],
['h1']), ([('margin_top', Dimension(0.83, 'em')), ('margin_bottom', Dimension(0.83, 'em'))], ['h2']), ([('margin_top', Dimension(1.0,
'em')), ('margin_bottom', Dimension(1.0, 'em'))], ['h3']), ([('margin_top', Dimension(1.33, 'em')), ('margin_bottom', Dimension(1.33,
'em'))], ['h4']), ([('margin_top', Dimension(1.67, 'em')), ('margin_bottom', Dimension(1.67, 'em'))], ['h5']), ([('margin_top',
Dimension(2.33, 'em')), ('margin_bottom', Dimension(2.33, 'em'))], ['h6']), ([('margin_left', Dimension(40.0, 'px')), ('margin_right',
Dimension(40.0, 'px'))], ['blockquote', 'figure']), ([('margin_left', Dimension(40.0, 'px'))], ['dd']), ([('margin_left', Dimension(0,
None)), ('margin_right', Dimension(40.0, 'px'))], [("lambda el: (el.local_name == 'dd') and (any(('dir'"
' in el.etree_element.attrib and el.etree_element.g' 'et(\'dir\', "").lower() == \'ltr\') for el in el.ances' 'tors))', (0, 1, 1), None,
'dd')]), ([('margin_left', Dimension(40.0, 'px')), ('margin_right', Dimension(0, None))],
[("lambda el: (el.local_name == 'dd') and (any(('dir'" ' in el.etree_element.attrib and el.etree_element.g'
'et(\'dir\', "").lower() == \'rtl\') for el in el.ances' 'tors))', (0, 1, 1), None, 'dd')]), ([('margin_left', Dimension(0, None)),
('margin_right', Dimension(40.0, 'px'))], [("lambda el: (el.local_name == 'dd') and (any((('dir"
"' in el.etree_element.attrib and el.etree_element." 'get(\'dir\', "").lower() == \'ltr\') and (any((\'dir\' i'
'n el.etree_element.attrib) for el in el.ancestors)' ')) for el in el.ancestors))', (0, 2, 1), None, 'dd')]), ([('margin_left',
Dimension(40.0, 'px')), ('margin_right', Dimension(0, None))], [("lambda el: (el.local_name == 'dd') and (any((('dir"
"' in el.etree_element.attrib and el.etree_element." 'get(\'dir\', "").lower() == \'rtl\') and (any((\'dir\' i'
'n el.etree_element.attrib) for el in el.ancestors)' ')) for el in el.ancestors))', (0, 2, 1), None, 'dd')]), ([('margin_left', Dimension(0,
None)), ('margin_right', Dimension(40.0, 'px'))], [("lambda el: (el.local_name == 'dd') and (any((('dir"
"' in el.etree_element.attrib and el.etree_element." 'get(\'dir\', "").lower() == \'ltr\') and (any(((\'dir\' '
"in el.etree_element.attrib) and (any(('dir' in el." 'etree_element.attrib) for el in el.ancestors))) fo'
'r el in el.ancestors))) for el in el.ancestors))', (0, 3, 1), None, 'dd')]), ([('margin_left', Dimension(40.0, 'px')), ('margin_right',
Dimension(0, None))], [("lambda el: (el.local_name == 'dd') and (any((('dir" "' in el.etree_element.attrib and el.etree_element."
'get(\'dir\', "").lower() == \'rtl\') and (any(((\'dir\' ' "in el.etree_element.attrib) and (any(('dir' in el."
'etree_element.attrib) for el in el.ancestors))) fo' 'r el in el.ancestors))) for el in el.ancestors))', (0, 3, 1), None, 'dd')]),
([('margin_left', Dimension(0, None)), ('margin_right', Dimension(40.0, 'px'))], [("lambda el: (el.local_name == 'dd') and ('dir' in e"
"l.etree_element.attrib and el.etree_element.get('d" 'ir\', "").lower() == \'ltr\') and (\'dir\' in el.etree_'
"element.attrib) and ('dir' in el.etree_element.att" 'rib)', (0, 3, 1), None, 'dd')]), ([('margin_left', Dimension(40.0, 'px')),
('margin_right', Dimension(0, None))], [("lambda el: (el.local_name == 'dd') and ('dir' in e"
"l.etree_element.attrib and el.etree_element.get('d" 'ir\', "").lower() == \'rtl\') and (\'dir\' in el.etree_'
"element.attrib) and ('dir' in el.etree_element.att" 'rib)', (0, 3, 1), None, 'dd')]), ([('padding_left', Dimension(40.0, 'px'))], ['dir',
'menu', 'ol', 'ul']), ([('padding_left', Dimension(40.0, 'px')), ('padding_right', Dimension(0, None))],
[("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'menu') or (el.local_name == 'ol') or (el."
"local_name == 'ul')) and (any(('dir' in el.etree_e" 'lement.attrib and el.etree_element.get(\'dir\', "").'
"lower() == 'ltr') for el in el.ancestors))", (0, 1, 1), None, None)]), ([('padding_left', Dimension(0, None)), ('padding_right',
Dimension(40.0, 'px'))], [("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'menu') or (el.local_name == 'ol') or (el."
"local_name == 'ul')) and (any(('dir' in el.etree_e" 'lement.attrib and el.etree_element.get(\'dir\', "").'
"lower() == 'rtl') for el in el.ancestors))", (0, 1, 1), None, None)]), ([('padding_left', Dimension(40.0, 'px')), ('padding_right',
Dimension(0, None))], [("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'menu') or (el.local_name == 'ol') or (el."
"local_name == 'ul')) and (any((('dir' in el.etree_" 'element.attrib and el.etree_element.get(\'dir\', "")'
".lower() == 'ltr') and (any(('dir' in el.etree_ele" 'ment.attrib) for el in el.ancestors))) for el in e' 'l.ancestors))', (0, 2, 1), None,
None)]), ([('padding_left', Dimension(0, None)), ('padding_right', Dimension(40.0, 'px'))],
[("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'menu') or (el.local_name == 'ol') or (el."
"local_name == 'ul')) and (any((('dir' in el.etree_" 'element.attrib and el.etree_element.get(\'dir\', "")'
".lower() == 'rtl') and (any(('dir' in el.etree_ele" 'ment.attrib) for el in el.ancestors))) for el in e' 'l.ancestors))', (0, 2, 1), None,
None)]), ([('padding_left', Dimension(40.0, 'px')), ('padding_right', Dimension(0, None))],
[("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'menu') or (el.local_name == 'ol') or (el."
"local_name == 'ul')) and (any((('dir' in el.etree_" 'element.attrib and el.etree_element.get(\'dir\', "")'
".lower() == 'ltr') and (any((('dir' in el.etree_el" "ement.attrib) and (any(('dir' in el.etree_element."
'attrib) for el in el.ancestors))) for el in el.anc' 'estors))) for el in el.ancestors))', (0, 3, 1), None, None)]), ([('padding_left',
Dimension(0, None)), ('padding_right', Dimension(40.0, 'px'))], [("lambda el: ((el.local_name == 'dir') or (el.local_"
"name == 'menu') or (el.local_name == 'ol') or (el." "local_name == 'ul')) and (any((('dir' in el.etree_"
'element.attrib and el.etree_element.get(\'dir\', "")' ".lower() == 'rtl') and (any((('dir' in el.etree_el"
"ement.attrib) and (any(('dir' in el.etree_element." 'attrib) for el in el.ancestors))) for el in el.anc'
'estors))) for el in el.ancestors))', (0, 3, 1), None, None)]), ([('padding_left', Dimension(40.0, 'px')), ('padding_right', Dimension(0,
None))], [("lambda el: ((el.local_name == 'dir') or (el.local_" "name == 'menu') or (el.local_name == 'ol') or (el."
"local_name == 'ul')) and ('dir' in el.etree_elemen" 't.attrib and el.etree_element.get(\'dir\', "").lower'
"() == 'ltr') and ('dir' in el.etree_element.attrib" ") and ('dir' in el.etree_element.attrib)", (0, 3, 1), None, None)]),
([('padding_left', Dimension(0, None)), ('padding_right', Dimension(40.0, 'px'))], [("lambda el: ((el.local_name == 'dir') or (el.local_"
"name == 'menu') or (el.local_name == 'ol') or (el." "local_name == 'ul')) and ('dir' in el.etree_elemen"
't.attrib and el.etree_element.get(\'dir\', "").lower' "() == 'rtl') and ('dir' in el.etree_element.attrib"
") and ('dir' in el.etree_element.attrib)", (0, 3, 1), None, None)]), ([('border_spacing', (Dimension(2.0, 'px'), Dimension(2.0, 'px'))),
('border_collapse', 'separate')], ['table']), ([('padding_top', Dimension(1.0, 'px')), ('padding_right', Dimension(1.0, 'px')),
('padding_bottom', Dimension(1.0, 'px')), ('padding_left', Dimension(1.0, 'px'))], ['td', 'th']), ([('vertical_align', 'middle')], ['thead',
'tbody', 'tfoot', ("lambda el: (el.local_name == 'tr') and (next(el is" " not None and (el.local_name == 'table') for el in"
' [el.parent]))', (0, 0, 2), None, 'tr')]), ([('vertical_align', 'inherit')], ['tr', 'td', 'th']), ([('vertical_align', 'sub')], ['sub']),
([('vertical_align', 'super')], ['sup']), ([('color_scheme', ('light',))], ['html']), ([('font_style', 'italic')], ['address', 'cite',
'dfn', 'em', 'i', 'var']), ([('font_weight', 'bold')], ['b', 'strong', 'th']), ([('font_family', ('monospace',))], ['code', 'kbd',
'listing', 'plaintext', 'pre', 'samp', 'tt', 'xmp']), ([('font_size', Dimension(2.0, 'em')), ('font_weight', 'bold')], ['h1']),
([('font_size', Dimension(1.5, 'em')), ('font_weight', 'bold')], ['h2']), ([('font_size', Dimension(1.17, 'em')), ('font_weight', 'bold')],
['h3']), ([('font_size', Dimension(1.0, 'em')), ('font_weight', 'bold')], ['h4']), ([('font_size', Dimension(0.83, 'em')), ('font_weight',
'bold')], ['h5']), ([('font_size', Dimension(0.67, 'em')), ('font_weight', 'bold')], ['h6']), ([('font_size', 'larger')], ['big']),
([('font_size', 'smaller')], ['small', 'sub', 'sup']), ([('line_height', 'normal')], ['sub', 'sup']), ([('color', IdentToken(92, 16,
'blue'))], [("lambda el: ((el.local_name in ('a', 'area', 'link'" ')) if el.in_html_document else (el.etree_element.t'
"ag in ('{http://www.w3.org/1999/xhtml}a', '{http:/" "/www.w3.org/1999/xhtml}area', '{http://www.w3.org/"
'1999/xhtml}link\'))) and el.etree_element.get("href' '") is not None ', (0, 1, 0), None, None)]), ([('background_image', [('none', None)]),
('background_repeat', [('repeat', 'repeat')]), ('background_attachment', ['scroll']), ('background_position', [('left', Dimension(0, '%'),
'top', Dimension(0, '%'))]), ('background_size', [('auto', 'auto')]), ('background_clip', ['border-box']), ('background_origin',
['padding-box']), ('background_color', IdentToken(93, 20, 'yellow')), ('color', IdentToken(93, 35, 'black'))], ['mark']),
([('border_top_color', IdentToken(95, 31, 'gray')), ('border_right_color', IdentToken(95, 31, 'gray')), ('border_bottom_color',
IdentToken(95, 31, 'gray')), ('border_left_color', IdentToken(95, 31, 'gray'))], ['table', 'td', 'th']), ([('border_top_color', 'inherit'),
('border_right_color', 'inherit'), ('border_bottom_color', 'inherit'), ('border_left_color', 'inherit')], ['thead', 'tbody', 'tfoot',
'tr']), ([('border_top_color', IdentToken(97, 538, 'black')), ('border_right_color', IdentToken(97, 538, 'black')), ('border_bottom_color',
IdentToken(97, 538, 'black')), ('border_left_color', IdentToken(97, 538, 'black'))], [("lambda el: (el.local_name == 'table') and (('rules"
"' in el.etree_element.attrib) or ('frame' in el.et" "ree_element.attrib)) and (('frame' in el.etree_ele"
'ment.attrib and el.etree_element.get(\'frame\', "").' "lower() == 'above') or ('frame' in el.etree_elemen"
't.attrib and el.etree_element.get(\'frame\', "").low' "er() == 'below') or ('frame' in el.etree_element.a"
'ttrib and el.etree_element.get(\'frame\', "").lower(' ") == 'border') or ('frame' in el.etree_element.att"
'rib and el.etree_element.get(\'frame\', "").lower() ' "== 'box') or ('frame' in el.etree_element.attrib a"
'nd el.etree_element.get(\'frame\', "").lower() == \'h' "sides') or ('frame' in el.etree_element.attrib and"
' el.etree_element.get(\'frame\', "").lower() == \'lhs' "') or ('frame' in el.etree_element.attrib and el.e"
'tree_element.get(\'frame\', "").lower() == \'rhs\') or' " ('frame' in el.etree_element.attrib and el.etree_"
'element.get(\'frame\', "").lower() == \'void\') or (\'f' "rame' in el.etree_element.attrib and el.etree_elem"
'ent.get(\'frame\', "").lower() == \'vsides\') or (\'rul' "es' in el.etree_element.attrib and el.etree_elemen"
't.get(\'rules\', "").lower() == \'all\') or (\'rules\' i' 'n el.etree_element.attrib and el.etree_element.get'
'(\'rules\', "").lower() == \'cols\') or (\'rules\' in el' ".etree_element.attrib and el.etree_element.get('ru"
'les\', "").lower() == \'groups\') or (\'rules\' in el.e' "tree_element.attrib and el.etree_element.get('rule"
's\', "").lower() == \'none\') or (\'rules\' in el.etree' "_element.attrib and el.etree_element.get('rules', " '"").lower() == \'rows\'))',
(0, 2, 1), None, 'table'), ("lambda el: ((el.local_name == 'td') or (el.local_n" "ame == 'th')) and (next(el is not None and ((el.lo"
"cal_name == 'tr') and (next(el is not None and ((e" "l.local_name == 'table') and ('rules' in el.etree_"
"element.attrib) and (('rules' in el.etree_element." 'attrib and el.etree_element.get(\'rules\', "").lower'
"() == 'all') or ('rules' in el.etree_element.attri" 'b and el.etree_element.get(\'rules\', "").lower() =='
" 'cols') or ('rules' in el.etree_element.attrib an" 'd el.etree_element.get(\'rules\', "").lower() == \'gr'
"oups') or ('rules' in el.etree_element.attrib and " 'el.etree_element.get(\'rules\', "").lower() == \'none'
"') or ('rules' in el.etree_element.attrib and el.e" 'tree_element.get(\'rules\', "").lower() == \'rows\')))'
' for el in [el.parent]))) for el in [el.parent]))', (0, 2, 3), None, None), ("lambda el: ((el.local_name == 'td') or (el.local_n"
"ame == 'th')) and (next(el is not None and ((el.lo" "cal_name == 'tr') and (next(el is not None and ((("
"el.local_name == 'thead') or (el.local_name == 'tb" "ody') or (el.local_name == 'tfoot')) and (next(el "
"is not None and ((el.local_name == 'table') and ('" "rules' in el.etree_element.attrib) and (('rules' i"
'n el.etree_element.attrib and el.etree_element.get' '(\'rules\', "").lower() == \'all\') or (\'rules\' in el.'
"etree_element.attrib and el.etree_element.get('rul" 'es\', "").lower() == \'cols\') or (\'rules\' in el.etre'
"e_element.attrib and el.etree_element.get('rules'," ' "").lower() == \'groups\') or (\'rules\' in el.etree_'
'element.attrib and el.etree_element.get(\'rules\', "' '").lower() == \'none\') or (\'rules\' in el.etree_elem'
'ent.attrib and el.etree_element.get(\'rules\', "").l' "ower() == 'rows'))) for el in [el.parent]))) for e"
'l in [el.parent]))) for el in [el.parent]))', (0, 2, 4), None, None)]), ([('text_decoration_line', {'underline'}),
('text_decoration_color', 'initial'), ('text_decoration_style', 'initial'), ('text_decoration_thickness', 'initial')],
[("lambda el: ((el.local_name in ('a', 'area', 'link'" ')) if el.in_html_document else (el.etree_element.t'
"ag in ('{http://www.w3.org/1999/xhtml}a', '{http:/" "/www.w3.org/1999/xhtml}area', '{http://www.w3.org/"
'1999/xhtml}link\'))) and el.etree_element.get("href' '") is not None ', (0, 1, 0), None, None), ('lambda el: 0', (0, 1, 0), None, None),
'ins', 'u']), ([('text_decoration_line', {'underline'}), ('text_decoration_color', 'initial'), ('text_decoration_style', 'dotted'),
('text_decoration_thickness', 'initial')], [("lambda el: (el.local_name == 'abbr') and ('title' " 'in el.etree_element.attrib)', (0, 1, 1),
None, 'abbr'), ("lambda el: (el.local_name == 'acronym') and ('titl" "e' in el.etree_element.attrib)", (0, 1, 1), None, 'acronym')]),
([('text_decoration_line', {'line-through'}), ('text_decoration_color', 'initial'), ('text_decoration_style', 'initial'),
('text_decoration_thickness', 'initial')], ['del', 's', 'strike']), ([('content', [('quote', 'open-quote')])],
[("lambda el: el.local_name == 'q'", (0, 0, 2), 'before', 'q')]), ([('content', [('quote', 'close-quote')])],
[("lambda el: el.local_name == 'q'", (0, 0, 2), 'after', 'q')]), ([('content', [('string', '\n')]), ('white_space', 'pre-line')],
[("lambda el: el.local_name == 'br'", (0, 0, 2), 'before', 'br')]), ([('content', [('string', '\u200b')])],
[("lambda el: el.local_name == 'wbr'", (0, 0, 2), 'before', 'wbr')]), ([('white_space', 'nowrap')], ['nobr']), ([('border_top_style',
'inset'), ('border_right_style', 'inset'), ('border_bottom_style', 'inset'), ('border_left_style', 'inset'), ('border_top_width',
Dimension(1.0, 'px')), ('border_right_width', Dimension(1.0, 'px')), ('border_bottom_width', Dimension(1.0, 'px')), ('border_left_width',
Dimension(1.0, 'px')), ('color', IdentToken(111, 53, 'gray')), ('margin_top', Dimension(0.5, 'em')), ('margin_right', 'auto'),
('margin_bottom', Dimension(0.5, 'em')), ('margin_left', 'auto')], ['hr']), ([('white_space', 'pre')], ['listing', 'plaintext', 'pre',
'xmp']), ([('white_space', 'pre-wrap')], ['textarea']), ([('list_style_type', 'decimal')], ['ol']), ([('list_style_type', 'disc')], ['dir',
'menu', 'ul']), ([('list_style_type', 'circle')], [("lambda el: (el.local_name == 'ul') and (any(((el.l"
"ocal_name == 'dir') or (el.local_name == 'menu') o" "r (el.local_name == 'ol') or (el.local_name == 'ul" "')) for el in el.ancestors))",
(0, 0, 2), None, 'ul')]), ([('list_style_type', 'square')], [("lambda el: (el.local_name == 'ul') and (any((((el."
"local_name == 'dir') or (el.local_name == 'menu') " "or (el.local_name == 'ol') or (el.local_name == 'u"
"l')) and (any(((el.local_name == 'dir') or (el.loc" "al_name == 'menu') or (el.local_name == 'ol') or ("
"el.local_name == 'ul')) for el in el.ancestors))) " 'for el in el.ancestors))', (0, 0, 3), None, 'ul')]), ([('font_variant_numeric',
('tabular-nums',)), ('white_space', 'pre'), ('text_transform', 'none')], [('lambda el: 1', (0, 0, 1), 'marker', None)]), ([('direction',
'ltr')], [("lambda el: 'dir' in el.etree_element.attrib and el" '.etree_element.get(\'dir\', "").lower() == \'ltr\'', (0, 1, 0), None,
None)]), ([('direction', 'rtl')], [("lambda el: 'dir' in el.etree_element.attrib and el"
'.etree_element.get(\'dir\', "").lower() == \'rtl\'', (0, 1, 0), None, None)]), ([('text_indent', 'initial')], ['table', 'input', 'select',
'option', 'optgroup', 'button', 'textarea', 'keygen']), ([('text_align_all', 'center'), ('text_align_last', 'center')], ['center']),
([('border_top_width', Dimension(2.0, 'px')), ('border_top_color', 'initial'), ('border_top_style', 'inset'), ('border_right_width',
Dimension(2.0, 'px')), ('border_right_color', 'initial'), ('border_right_style', 'inset'), ('border_bottom_width', Dimension(2.0, 'px')),
('border_bottom_color', 'initial'), ('border_bottom_style', 'inset'), ('border_left_width', Dimension(2.0, 'px')), ('border_left_color',
'initial'), ('border_left_style', 'inset')], [("lambda el: (el.local_name == 'iframe') and (not (("
"'seamless' in el.etree_element.attrib)))", (0, 1, 1), None, 'iframe')]), ([('overflow', 'hidden')], ['img', 'svg']), ([('object_fit',
'contain')], ['video']), ([('box_sizing', 'border-box')], ['table']), ([('content', [('counter()', ('footnote', 'decimal'))]),
('vertical_align', 'super'), ('font_size', 'smaller'), ('line_height', 'inherit')], [('lambda el: 1', (0, 0, 1), 'footnote-call', None)]),
([('content', [('counter()', ('footnote', 'decimal')), ('string', '. ')])], [('lambda el: 1', (0, 0, 1), 'footnote-marker', None)]),
([('content', [('counter()', ('note', 'decimal'))]), ('vertical_align', 'super'), ('font_size', 'smaller'), ('line_height', 'inherit')],
[('lambda el: 1', (0, 0, 1), 'note-call', None)]), ([('content', [('counter()', ('note', 'decimal')), ('string', '. ')])], [('lambda el: 1',
(0, 0, 1), 'note-marker', None)]), ([('content', [('string', '\u202f↩')])], [('lambda el: 1', (0, 0, 1), 'note-callback', None)]),
([('counter_reset', (('list-item', 0),))], ['ol', 'ul']), ([('bookmark_level', 1)], ['h1']), ([('bookmark_level', 2)], ['h2']),
([('bookmark_level', 3)], ['h3']), ([('bookmark_level', 4)], ['h4']), ([('bookmark_level', 5)], ['h5']), ([('bookmark_level', 6)], ['h6']),
([('bookmark_label', (('content()', 'text'),))], ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']), ([('hyphens', 'manual'), ('break_after', 'avoid'),
('break_inside', 'avoid')], ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']), ([('break_before', 'avoid')], ['ol', 'ul']), ([('border_top_width',
Dimension(1.0, 'px')), ('border_top_color', IdentToken(163, 53, 'black')), ('border_top_style', 'solid'), ('border_right_width',
Dimension(1.0, 'px')), ('border_right_color', IdentToken(163, 53, 'black')), ('border_right_style', 'solid'), ('border_bottom_width',
Dimension(1.0, 'px')), ('border_bottom_color', IdentToken(163, 53, 'black')), ('border_bottom_style', 'solid'), ('border_left_width',
Dimension(1.0, 'px')), ('border_left_color', IdentToken(163, 53, 'black')), ('border_left_style', 'solid'), ('font_size', Dimension(0.85,
'em')), ('height', Dimension(1.2, 'em')), ('padding_top', Dimension(0.2, 'em')), ('padding_right', Dimension(0.2, 'em')), ('padding_bottom',
Dimension(0.2, 'em')), ('padding_left', Dimension(0.2, 'em')), ('white_space', 'pre'), ('width', Dimension(20.0, 'em'))], ['button',
'input', 'select', 'textarea']), ([('background_image', [('none', None)]), ('background_repeat', [('repeat', 'repeat')]),
('background_attachment', ['scroll']), ('background_position', [('left', Dimension(0, '%'), 'top', Dimension(0, '%'))]), ('background_size',
[('auto', 'auto')]), ('background_clip', ['border-box']), ('background_origin', ['padding-box']), ('background_color', IdentToken(164, 82,
'lightgrey')), ('border_top_left_radius', (Dimension(0.25, 'em'), Dimension(0.25, 'em'))), ('border_top_right_radius', (Dimension(0.25,
'em'), Dimension(0.25, 'em'))), ('border_bottom_right_radius', (Dimension(0.25, 'em'), Dimension(0.25, 'em'))),
('border_bottom_left_radius', (Dimension(0.25, 'em'), Dimension(0.25, 'em'))), ('text_align_all', 'center'), ('text_align_last', 'center')],
[("lambda el: (el.local_name == 'input') and (('type'" ' in el.etree_element.attrib and el.etree_element.g'
'et(\'type\', "").lower() == \'button\') or (\'type\' in ' "el.etree_element.attrib and el.etree_element.get('"
'type\', "").lower() == \'reset\') or (\'type\' in el.et' "ree_element.attrib and el.etree_element.get('type'"
', "").lower() == \'submit\'))', (0, 1, 1), None, 'input'), 'button']), ([('max_width', Dimension(100.0, '%')), ('width', 'auto')],
[("lambda el: (el.local_name == 'input') and (('type'" ' in el.etree_element.attrib and el.etree_element.g'
'et(\'type\', "").lower() == \'button\') or (\'type\' in ' "el.etree_element.attrib and el.etree_element.get('"
'type\', "").lower() == \'reset\') or (\'type\' in el.et' "ree_element.attrib and el.etree_element.get('type'"
', "").lower() == \'submit\')) and (\'value\' in el.etr' 'ee_element.attrib)', (0, 2, 1), None, 'input'),
("lambda el: (el.local_name == 'button') and ('value" "' in el.etree_element.attrib)", (0, 1, 1), None, 'button')]), ([('content',
[('string', 'Submit')])], [("lambda el: (el.local_name == 'input') and ('type' " 'in el.etree_element.attrib and el.etree_element.ge'
't(\'type\', "").lower() == \'submit\') and (not ((\'val' "ue' in el.etree_element.attrib)))", (0, 2, 2), 'before', 'input')]),
([('content', [('string', 'Reset')])], [("lambda el: (el.local_name == 'input') and ('type' "
'in el.etree_element.attrib and el.etree_element.ge' 't(\'type\', "").lower() == \'reset\') and (not ((\'valu'
"e' in el.etree_element.attrib)))", (0, 2, 2), 'before', 'input')]), ([('height', Dimension(0.7, 'em')), ('vertical_align', Dimension(-0.2,
'em')), ('width', Dimension(0.7, 'em'))], [("lambda el: (el.local_name == 'input') and (('type'"
' in el.etree_element.attrib and el.etree_element.g' 'et(\'type\', "").lower() == \'checkbox\') or (\'type\' i'
'n el.etree_element.attrib and el.etree_element.get' '(\'type\', "").lower() == \'radio\'))', (0, 1, 1), None, 'input')]),
([('background_image', [('none', None)]), ('background_repeat', [('repeat', 'repeat')]), ('background_attachment', ['scroll']),
('background_position', [('left', Dimension(0, '%'), 'top', Dimension(0, '%'))]), ('background_size', [('auto', 'auto')]),
('background_clip', ['border-box']), ('background_origin', ['padding-box']), ('background_color', IdentToken(169, 76, 'black')), ('content',
[('string', '')]), ('display', ('block', 'flow')), ('height', Dimension(100.0, '%'))],
[("lambda el: (el.local_name == 'input') and (('type'" ' in el.etree_element.attrib and el.etree_element.g'
'et(\'type\', "").lower() == \'checkbox\') or (\'type\' i' 'n el.etree_element.attrib and el.etree_element.get'
'(\'type\', "").lower() == \'radio\')) and (\'checked\' i' 'n el.etree_element.attrib)', (0, 2, 2), 'before', 'input')]),
([('border_top_left_radius', (Dimension(50.0, '%'), Dimension(50.0, '%'))), ('border_top_right_radius', (Dimension(50.0, '%'),
Dimension(50.0, '%'))), ('border_bottom_right_radius', (Dimension(50.0, '%'), Dimension(50.0, '%'))), ('border_bottom_left_radius',
(Dimension(50.0, '%'), Dimension(50.0, '%')))], [("lambda el: (el.local_name == 'input') and ('type' "
'in el.etree_element.attrib and el.etree_element.ge' 't(\'type\', "").lower() == \'radio\')', (0, 1, 1), None, 'input'),
("lambda el: (el.local_name == 'input') and ('type' " 'in el.etree_element.attrib and el.etree_element.ge'
't(\'type\', "") == \'radio\') and (\'checked\' in el.etr' 'ee_element.attrib)', (0, 2, 2), 'before', 'input')]), ([('content', [('attr()',
('value', 'string', ''))]), ('display', ('block', 'flow')), ('overflow', 'hidden')], [("lambda el: (el.local_name == 'input') and ('value'"
" in el.etree_element.attrib) and (not (('type' in " "el.etree_element.attrib and el.etree_element.get('"
'type\', "").lower() == \'checkbox\') or (\'type\' in el' ".etree_element.attrib and el.etree_element.get('ty"
'pe\', "").lower() == \'radio\')))', (0, 2, 2), 'before', 'input')]), ([('content', [('string', '')]), ('display', ('block', 'flow'))],
[("lambda el: (el.local_name == 'input') or ((el.loca" "l_name == 'input') and ('value' in el.etree_elemen"
't.attrib and el.etree_element.get(\'value\', "") == ' "'')) or ((el.local_name == 'input') and ('type' in"
' el.etree_element.attrib and el.etree_element.get(' '\'type\', "").lower() == \'checkbox\')) or ((el.local_'
"name == 'input') and ('type' in el.etree_element.a" 'ttrib and el.etree_element.get(\'type\', "").lower()' " == 'radio'))", (0, 1, 1),
None, None)]), ([('background_image', [('none', None)]), ('background_repeat', [('repeat', 'repeat')]), ('background_attachment',
['scroll']), ('background_position', [('left', Dimension(0, '%'), 'top', Dimension(0, '%'))]), ('background_size', [('auto', 'auto')]),
('background_clip', ['border-box']), ('background_origin', ['padding-box']), ('background_color', IdentToken(173, 22, 'lightgrey')),
('border_top_left_radius', (Dimension(0.25, 'em'), Dimension(0.25, 'em'))), ('border_top_right_radius', (Dimension(0.25, 'em'),
Dimension(0.25, 'em'))), ('border_bottom_right_radius', (Dimension(0.25, 'em'), Dimension(0.25, 'em'))), ('border_bottom_left_radius',
(Dimension(0.25, 'em'), Dimension(0.25, 'em'))), ('position', 'relative'), ('white_space', 'normal')], ['select']), ([('height',
Dimension(3.6, 'em'))], [("lambda el: (el.local_name == 'select') and ('multi" "ple' in el.etree_element.attrib)", (0, 1, 1), None,
'select')]), ([('content', [('string', '˅')]), ('position', 'absolute'), ('right', Dimension(0, None)), ('text_align_all', 'center'),
('text_align_last', 'center'), ('width', Dimension(1.5, 'em'))], [("lambda el: (el.local_name == 'select') and (not (("
"'multiple' in el.etree_element.attrib)))", (0, 1, 2), 'before', 'select')]), ([('padding_right', Dimension(1.5, 'em')), ('white_space',
'nowrap')], [("lambda el: (el.local_name == 'option') and (any((e" "l.local_name == 'select') for el in el.ancestors))", (0, 0, 2), None,
'option')]), ([('display', ('none',))], [("lambda el: (el.local_name == 'option') and (any((("
"el.local_name == 'select') and (not (('multiple' i" 'n el.etree_element.attrib)))) for el in el.ancesto' 'rs))', (0, 1, 2), None,
'option')]), ([('display', ('block', 'flow')), ('overflow', 'hidden')], [("lambda el: (el.local_name == 'option') and (any((("
"el.local_name == 'select') and ('multiple' in el.e" 'tree_element.attrib)) for el in el.ancestors))', (0, 1, 2), None, 'option'),
("lambda el: ((el.local_name == 'option') and (all(s" '.tag != el.etree_element.tag    for s in el.etree_'
'siblings[:el.index]))) and (any(((el.local_name ==' " 'select') and (not (((any((el.local_name == 'opti"
"on') and ('selected' in el.etree_element.attrib) f" 'or el in list(el.iter_subtree())[1:])))))) for el ' 'in el.ancestors))', (0, 2, 3),
None, 'option'), ("lambda el: ((el.local_name == 'option') and ('sele" "cted' in el.etree_element.attrib) and (not ((((el."
"local_name == 'option') and ('selected' in el.etre" "e_element.attrib)) and (any(((el.local_name == 'op"
"tion') and ('selected' in el.etree_element.attrib)" ') for el in el.previous_siblings)))))) and (any((e'
"l.local_name == 'select') for el in el.ancestors))", (0, 3, 4), None, 'option')]), ([('height', Dimension(3.0, 'em')), ('margin_top',
Dimension(0.1, 'em')), ('margin_right', Dimension(0, None)), ('margin_bottom', Dimension(0.1, 'em')), ('margin_left', Dimension(0, None)),
('overflow', 'hidden'), ('overflow_wrap', 'break-word'), ('padding_top', Dimension(0.2, 'em')), ('padding_right', Dimension(0.2, 'em')),
('padding_bottom', Dimension(0.2, 'em')), ('padding_left', Dimension(0.2, 'em')), ('white_space', 'pre-wrap')], ['textarea']), ([('height',
Dimension(3.0, 'em'))], [("lambda el: (el.local_name == 'textarea') and (not " '(el.etree_children or el.etree_element.text))', (0, 1, 1),
None, 'textarea')]), ([('border_top_width', Dimension(2.0, 'px')), ('border_top_color', 'initial'), ('border_top_style', 'groove'),
('border_right_width', Dimension(2.0, 'px')), ('border_right_color', 'initial'), ('border_right_style', 'groove'), ('border_bottom_width',
Dimension(2.0, 'px')), ('border_bottom_color', 'initial'), ('border_bottom_style', 'groove'), ('border_left_width', Dimension(2.0, 'px')),
('border_left_color', 'initial'), ('border_left_style', 'groove'), ('margin_left', Dimension(2.0, 'px')), ('margin_right', Dimension(2.0,
'px')), ('padding_top', Dimension(0.35, 'em')), ('padding_right', Dimension(0.625, 'em')), ('padding_bottom', Dimension(0.75, 'em')),
('padding_left', Dimension(0.625, 'em'))], ['fieldset'])], [(None, [('margin_top', Dimension(75.0, 'px')), ('margin_right', Dimension(75.0,
'px')), ('margin_bottom', Dimension(75.0, 'px')), ('margin_left', Dimension(75.0, 'px'))]), ('@footnote', [('margin_top', Dimension(1.0,
'em'))]), ('@note-area', [('content', [('element()', ('note', 'all-once'))])]), ('@top-left-corner', [('text_align_all', 'right'),
('text_align_last', 'right'), ('vertical_align', 'middle')]), ('@top-left', [('text_align_all', 'left'), ('text_align_last', 'left'),
('vertical_align', 'middle')]), ('@top-center', [('text_align_all', 'center'), ('text_align_last', 'center'), ('vertical_align',
'middle')]), ('@top-right', [('text_align_all', 'right'), ('text_align_last', 'right'), ('vertical_align', 'middle')]),
('@top-right-corner', [('text_align_all', 'left'), ('text_align_last', 'left'), ('vertical_align', 'middle')]), ('@left-top',
[('text_align_all', 'center'), ('text_align_last', 'center'), ('vertical_align', 'top')]), ('@left-middle', [('text_align_all', 'center'),
('text_align_last', 'center'), ('vertical_align', 'middle')]), ('@left-bottom', [('text_align_all', 'center'), ('text_align_last',
'center'), ('vertical_align', 'bottom')]), ('@right-top', [('text_align_all', 'center'), ('text_align_last', 'center'), ('vertical_align',
'top')]), ('@right-middle', [('text_align_all', 'center'), ('text_align_last', 'center'), ('vertical_align', 'middle')]), ('@right-bottom',
[('text_align_all', 'center'), ('text_align_last', 'center'), ('vertical_align', 'bottom')]), ('@bottom-left-corner', [('text_align_all',
'right'), ('text_align_last', 'right'), ('vertical_align', 'middle')]), ('@bottom-left', [('text_align_all', 'left'), ('text_align_last',
'left'), ('vertical_align', 'middle')]), ('@bottom-center', [('text_align_all', 'center'), ('text_align_last', 'center'), ('vertical_align',
'middle')]), ('@bottom-right', [('text_align_all', 'right'), ('text_align_last', 'right'), ('vertical_align', 'middle')]),
('@bottom-right-corner', [('text_align_all', 'left'), ('text_align_last', 'left'), ('vertical_align', 'middle')])],
{'disc': _counter(system=(None, 'cyclic', None), suffix=('string', ' '), symbols=_texts(*'•')), 'circle': _counter(system=(None, 'cyclic',
None), suffix=('string', ' '), symbols=_texts(*'◦')), 'square': _counter(system=(None, 'cyclic', None), suffix=('string', ' '),
symbols=_texts(*'▪')), 'disclosure-open': _counter(system=(None, 'cyclic', None), suffix=('string', ' '), symbols=_texts(*'▾')),
'disclosure-closed': _counter(system=(None, 'cyclic', None), suffix=('string', ' '), symbols=_texts(*'▸')),
'decimal': _counter(system=(None, 'numeric', None), symbols=_texts(*'0123456789')), 'decimal-leading-zero': _counter(system=('extends',
'decimal', None), pad=(2, ('string', '0'))), 'arabic-indic': _counter(system=(None, 'numeric', None), symbols=_texts(*'٠١٢٣٤٥٦٧٨٩')),
'armenian': _counter(system=(None, 'additive', None), range=((1, 9999),), additive_symbols=_weighed({9000: 'Ք', 8000: 'Փ', 7000: 'Ւ',
6000: 'Ց', 5000: 'Ր', 4000: 'Տ', 3000: 'Վ', 2000: 'Ս', 1000: 'Ռ', 900: 'Ջ', 800: 'Պ', 700: 'Չ', 600: 'Ո', 500: 'Շ', 400: 'Ն', 300: 'Յ',
200: 'Մ', 100: 'Ճ', 90: 'Ղ', 80: 'Ձ', 70: 'Հ', 60: 'Կ', 50: 'Ծ', 40: 'Խ', 30: 'Լ', 20: 'Ի', 10: 'Ժ', 9: 'Թ', 8: 'Ը', 7: 'Է', 6: 'Զ', 5: 'Ե',
4: 'Դ', 3: 'Գ', 2: 'Բ', 1: 'Ա'})), 'upper-armenian': _counter(system=('extends', 'armenian', None)),
'lower-armenian': _counter(system=(None, 'additive', None), range=((1, 9999),), additive_symbols=_weighed({9000: 'ք', 8000: 'փ', 7000: 'ւ',
6000: 'ց', 5000: 'ր', 4000: 'տ', 3000: 'վ', 2000: 'ս', 1000: 'ռ', 900: 'ջ', 800: 'պ', 700: 'չ', 600: 'ո', 500: 'շ', 400: 'ն', 300: 'յ',
200: 'մ', 100: 'ճ', 90: 'ղ', 80: 'ձ', 70: 'հ', 60: 'կ', 50: 'ծ', 40: 'խ', 30: 'լ', 20: 'ի', 10: 'ժ', 9: 'թ', 8: 'ը', 7: 'է', 6: 'զ', 5: 'ե',
4: 'դ', 3: 'գ', 2: 'բ', 1: 'ա'})), 'bengali': _counter(system=(None, 'numeric', None), symbols=_texts(*'০১২৩৪৫৬৭৮৯')),
'cambodian': _counter(system=(None, 'numeric', None), symbols=_texts(*'០១២៣៤៥៦៧៨៩')), 'khmer': _counter(system=('extends', 'cambodian',
None)), 'cjk-decimal': _counter(system=(None, 'numeric', None), suffix=('string', '、'), range=((0, inf),),
symbols=_texts(*'〇一二三四五六七八九')), 'devanagari': _counter(system=(None, 'numeric', None), symbols=_texts(*'०१२३४५६७८९')),
'georgian': _counter(system=(None, 'additive', None), range=((1, 19999),), additive_symbols=_weighed({10000: 'ჵ', 9000: 'ჰ', 8000: 'ჯ',
7000: 'ჴ', 6000: 'ხ', 5000: 'ჭ', 4000: 'წ', 3000: 'ძ', 2000: 'ც', 1000: 'ჩ', 900: 'შ', 800: 'ყ', 700: 'ღ', 600: 'ქ', 500: 'ფ', 400: 'ჳ',
300: 'ტ', 200: 'ს', 100: 'რ', 90: 'ჟ', 80: 'პ', 70: 'ო', 60: 'ჲ', 50: 'ნ', 40: 'მ', 30: 'ლ', 20: 'კ', 10: 'ი', 9: 'თ', 8: 'ჱ', 7: 'ზ',
6: 'ვ', 5: 'ე', 4: 'დ', 3: 'გ', 2: 'ბ', 1: 'ა'})), 'gujarati': _counter(system=(None, 'numeric', None), symbols=_texts(*'૦૧૨૩૪૫૬૭૮૯')),
'gurmukhi': _counter(system=(None, 'numeric', None), symbols=_texts(*'੦੧੨੩੪੫੬੭੮੯')), 'hebrew': _counter(system=(None, 'additive', None),
range=((1, 10999),), additive_symbols=_weighed({10000: 'י׳', 9000: 'ט׳', 8000: 'ח׳', 7000: 'ז׳', 6000: 'ו׳', 5000: 'ה׳', 4000: 'ד׳',
3000: 'ג׳', 2000: 'ב׳', 1000: 'א׳', 400: 'ת', 300: 'ש', 200: 'ר', 100: 'ק', 90: 'צ', 80: 'פ', 70: 'ע', 60: 'ס', 50: 'נ', 40: 'מ', 30: 'ל',
20: 'כ', 19: 'יט', 18: 'יח', 17: 'יז', 16: 'טז', 15: 'טו', 10: 'י', 9: 'ט', 8: 'ח', 7: 'ז', 6: 'ו', 5: 'ה', 4: 'ד', 3: 'ג', 2: 'ב',
1: 'א'})), 'kannada': _counter(system=(None, 'numeric', None), symbols=_texts(*'೦೧೨೩೪೫೬೭೮೯')), 'lao': _counter(system=(None, 'numeric',
None), symbols=_texts(*'໐໑໒໓໔໕໖໗໘໙')), 'malayalam': _counter(system=(None, 'numeric', None), symbols=_texts(*'൦൧൨൩൪൫൬൭൮൯')),
'mongolian': _counter(system=(None, 'numeric', None), symbols=_texts(*'᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙')), 'myanmar': _counter(system=(None, 'numeric', None),
symbols=_texts(*'၀၁၂၃၄၅၆၇၈၉')), 'oriya': _counter(system=(None, 'numeric', None), symbols=_texts(*'୦୧୨୩୪୫୬୭୮୯')),
'persian': _counter(system=(None, 'numeric', None), symbols=_texts(*'۰۱۲۳۴۵۶۷۸۹')), 'lower-roman': _counter(system=(None, 'additive', None),
range=((1, 3999),), additive_symbols=_weighed({1000: 'm', 900: 'cm', 500: 'd', 400: 'cd', 100: 'c', 90: 'xc', 50: 'l', 40: 'xl', 10: 'x',
9: 'ix', 5: 'v', 4: 'iv', 1: 'i'})), 'upper-roman': _counter(system=(None, 'additive', None), range=((1, 3999),),
additive_symbols=_weighed({1000: 'M', 900: 'CM', 500: 'D', 400: 'CD', 100: 'C', 90: 'XC', 50: 'L', 40: 'XL', 10: 'X', 9: 'IX', 5: 'V',
4: 'IV', 1: 'I'})), 'tamil': _counter(system=(None, 'numeric', None), symbols=_texts(*'௦௧௨௩௪௫௬௭௮௯')), 'telugu': _counter(system=(None,
'numeric', None), symbols=_texts(*'౦౧౨౩౪౫౬౭౮౯')), 'thai': _counter(system=(None, 'numeric', None), symbols=_texts(*'๐๑๒๓๔๕๖๗๘๙')),
'tibetan': _counter(system=(None, 'numeric', None), symbols=_texts(*'༠༡༢༣༤༥༦༧༨༩')), 'lower-alpha': _counter(system=(None, 'alphabetic',
None), symbols=_texts(*'abcdefghijklmnopqrstuvwxyz')), 'lower-latin': _counter(system=('extends', 'lower-alpha', None)),
'upper-alpha': _counter(system=(None, 'alphabetic', None), symbols=_texts(*'ABCDEFGHIJKLMNOPQRSTUVWXYZ')),
'upper-latin': _counter(system=('extends', 'upper-alpha', None)), 'cjk-earthly-branch': _counter(system=(None, 'alphabetic', None),
suffix=('string', '、'), symbols=_texts(*'子丑寅卯辰巳午未申酉戌亥')), 'cjk-heavenly-stem': _counter(system=(None, 'alphabetic', None),
suffix=('string', '、'), symbols=_texts(*'甲乙丙丁戊己庚辛壬癸')), 'lower-greek': _counter(system=(None, 'alphabetic', None),
symbols=_texts(*'αβγδεζηθικλμνξοπρστυφχψω')), 'hiragana': _counter(system=(None, 'alphabetic', None), suffix=('string', '、'),
symbols=_texts(*'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん')),
'hiragana-iroha': _counter(system=(None, 'alphabetic', None), suffix=('string', '、'),
symbols=_texts(*'いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす')),
'katakana': _counter(system=(None, 'alphabetic', None), suffix=('string', '、'),
symbols=_texts(*'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン')),
'katakana-iroha': _counter(system=(None, 'alphabetic', None), suffix=('string', '、'),
symbols=_texts(*'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス')),
'japanese-informal': _counter(system=(None, 'additive', None), negative=[('string', 'マイナス'), ('string', '')], suffix=('string', '、'),
range=((-9999, 9999),), fallback='cjk-decimal', additive_symbols=_weighed({9000: '九千', 8000: '八千', 7000: '七千', 6000: '六千',
5000: '五千', 4000: '四千', 3000: '三千', 2000: '二千', 1000: '千', 900: '九百', 800: '八百', 700: '七百', 600: '六百', 500: '五百',
400: '四百', 300: '三百', 200: '二百', 100: '百', 90: '九十', 80: '八十', 70: '七十', 60: '六十', 50: '五十', 40: '四十', 30: '三十',
20: '二十', 10: '十', 9: '九', 8: '八', 7: '七', 6: '六', 5: '五', 4: '四', 3: '三', 2: '二', 1: '一', 0: '〇'})),
'japanese-formal': _counter(system=(None, 'additive', None), negative=[('string', 'マイナス'), ('string', '')], suffix=('string', '、'),
range=((-9999, 9999),), fallback='cjk-decimal', additive_symbols=_weighed({9000: '九阡', 8000: '八阡', 7000: '七阡', 6000: '六阡',
5000: '伍阡', 4000: '四阡', 3000: '参阡', 2000: '弐阡', 1000: '壱阡', 900: '九百', 800: '八百', 700: '七百', 600: '六百', 500: '伍百',
400: '四百', 300: '参百', 200: '弐百', 100: '壱百', 90: '九拾', 80: '八拾', 70: '七拾', 60: '六拾', 50: '伍拾', 40: '四拾', 30: '参拾',
20: '弐拾', 10: '壱拾', 9: '九', 8: '八', 7: '七', 6: '六', 5: '伍', 4: '四', 3: '参', 2: '弐', 1: '壱', 0: '零'})),
'korean-hangul-formal': _counter(system=(None, 'additive', None), negative=[('string', '마이너스  '), ('string', '')], suffix=('string',
', '), range=((-9999, 9999),), additive_symbols=_weighed({9000: '구천', 8000: '팔천', 7000: '칠천', 6000: '육천', 5000: '오천',
4000: '사천', 3000: '삼천', 2000: '이천', 1000: '일천', 900: '구백', 800: '팔백', 700: '칠백', 600: '육백', 500: '오백', 400: '사백',
300: '삼백', 200: '이백', 100: '일백', 90: '구십', 80: '팔십', 70: '칠십', 60: '육십', 50: '오십', 40: '사십', 30: '삼십', 20: '이십',
10: '일십', 9: '구', 8: '팔', 7: '칠', 6: '육', 5: '오', 4: '사', 3: '삼', 2: '이', 1: '일', 0: '영'})),
'korean-hanja-informal': _counter(system=(None, 'additive', None), negative=[('string', '마이너스  '), ('string', '')], suffix=('string',
', '), range=((-9999, 9999),), additive_symbols=_weighed({9000: '九千', 8000: '八千', 7000: '七千', 6000: '六千', 5000: '五千',
4000: '四千', 3000: '三千', 2000: '二千', 1000: '千', 900: '九百', 800: '八百', 700: '七百', 600: '六百', 500: '五百', 400: '四百',
300: '三百', 200: '二百', 100: '百', 90: '九十', 80: '八十', 70: '七十', 60: '六十', 50: '五十', 40: '四十', 30: '三十', 20: '二十',
10: '十', 9: '九', 8: '八', 7: '七', 6: '六', 5: '五', 4: '四', 3: '三', 2: '二', 1: '一', 0: '零'})),
'korean-hanja-formal': _counter(system=(None, 'additive', None), negative=[('string', '마이너스  '), ('string', '')], suffix=('string',
', '), range=((-9999, 9999),), additive_symbols=_weighed({9000: '九仟', 8000: '八仟', 7000: '七仟', 6000: '六仟', 5000: '五仟',
4000: '四仟', 3000: '參仟', 2000: '貳仟', 1000: '壹仟', 900: '九百', 800: '八百', 700: '七百', 600: '六百', 500: '五百', 400: '四百',
300: '參百', 200: '貳百', 100: '壹百', 90: '九拾', 80: '八拾', 70: '七拾', 60: '六拾', 50: '五拾', 40: '四拾', 30: '參拾', 20: '貳拾',
10: '壹拾', 9: '九', 8: '八', 7: '七', 6: '六', 5: '五', 4: '四', 3: '參', 2: '貳', 1: '壹', 0: '零'}))}),
'596b80502e375aa6fa9e712dfd9564cc7a48e260988ea344bf' '4ddcaff944d9a6': ([([('appearance', 'auto')], ['button', 'input', 'select',
'textarea']), ([('visibility', 'hidden')], [("lambda el: (el.local_name == 'option') and (any((e"
"l.local_name == 'select') for el in el.ancestors))", (0, 0, 2), None, 'option'), ("lambda el: (el.local_name == 'select') and (not (("
"'multiple' in el.etree_element.attrib)))", (0, 1, 2), 'before', 'select'), ("lambda el: (el.local_name == 'input') and (not (('"
"type' in el.etree_element.attrib and el.etree_elem" 'ent.get(\'type\', "") == \'submit\')))', (0, 1, 2), 'before', 'input')]),
([('white_space', 'normal'), ('text_indent', Dimension(10000.0, '%'))], ['textarea'])], [], {})}
