"""Text that is safe on a terminal: what would move the cursor, turn the text round or not be seen is shown as an escape.

In: any text. Out: text without control, bidi and invisible characters.
"""

from __future__ import annotations

import sys

from seasons_build.core.regex import regex

UNSAFE = regex(
    r"[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""The characters that no terminal gets."""
_ESCAPE = regex(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")


def escape(text: str) -> str:
    """Text that is safe on a terminal: control, bidi and invisible characters are shown as `\\x1b` or `\\u202e`. No two texts look the
    same: where that was typed in so many letters, its backslash is shown as `\\x5c`."""
    return visible(_ESCAPE.sub(lambda m: f"\\x5c{m[0][1:]}" if _is_ours(m[0]) else m[0], text))


def visible(text: str) -> str:
    """The same for a line that is shown as it was typed."""
    return UNSAFE.sub(lambda m: _sign(m[0]), text)


def _is_ours(typed: str) -> bool:
    """Whether letters that were typed look like what `escape` makes of a character."""
    number = int(typed[2:], 16)
    return number < sys.maxunicode and (number == 0x5C or bool(UNSAFE.match(chr(number)))) and _sign(chr(number)) == typed


def _sign(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
