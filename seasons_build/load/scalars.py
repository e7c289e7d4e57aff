"""Load: what single words mean. In goes the text of a key or a value, out comes the value, or what is wrong with it.

Unquoted values are read by the core rules of YAML 1.2, so `no`, `1:30` and `2024-01-01` stay text. Decimals are exact.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction

from seasons_build.core.limits import Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex

WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}

_DECIMAL = regex(r"([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?\Z")
_OTHER_BASE = regex(r"0(?:o([0-7]+)|x([0-9a-fA-F]+))\Z")
_NOT_FINITE = regex(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_LETTERS = regex(r"[^\W\d_]+")
_BLANKS = frozenset("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
_ALIKE = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")
_LATIN_LOOK = frozenset("авекмнорстухіјѕһԁԛԝьАВЕКМНОРСТУХІЈЅԌԚԜοναρυκιχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
_EXPONENT_DIGITS = 4


class Refused(NamedTuple):
    """A word that looks like a number and cannot be one of ours: why, and the number that stands for it from here on."""

    why: str
    stand_in: int | Fraction


def number(word: str, limits: Limits) -> int | Fraction | Refused | None:
    """The number that an unquoted word is; None where it is text; `Refused` where it is too large, too fine or not finite."""
    if word.isdecimal() and word.isascii() and len(word) <= limits.decimal_digits:
        value = int(word)
        return value if value <= limits.number else _too_large("", limits)
    found = _DECIMAL.match(word)
    if not found or not (found.group(2) or found.group(3)):
        return _other_number(word, limits)
    sign, whole, part, exponent = found.groups()
    if part is None and exponent is None:
        digits = whole.lstrip("0")
        value = int(digits or "0") if len(digits) <= len(str(limits.number)) else limits.number + 1
        return _signed(sign, value) if value <= limits.number else _too_large(sign, limits)
    return _decimal(sign, whole, part or "", exponent or "0", limits)


def _decimal(sign: str, whole: str, part: str, exponent: str, limits: Limits) -> Fraction | Refused:
    digits = (whole + part).strip("0")
    if not digits:
        return Fraction(0)
    shift = exponent.lstrip("+-").lstrip("0") or "0"
    down = exponent.startswith("-")
    if len(shift) > _EXPONENT_DIGITS:
        return _too_fine(limits) if down else _too_large(sign, limits)
    power = (-int(shift) if down else int(shift)) - len(part) + len(whole + part) - len((whole + part).rstrip("0"))
    if len(digits) + power > len(str(limits.number)):
        return _too_large(sign, limits)
    if len(digits) > limits.decimal_digits or -power > limits.decimal_digits:
        return _too_fine(limits)
    value = Fraction(int(digits) * 10**power) if power >= 0 else Fraction(int(digits), 10**-power)
    if value > limits.number:
        return _too_large(sign, limits)
    return -value if sign == "-" else value


def _other_number(word: str, limits: Limits) -> int | Refused | None:
    found = _OTHER_BASE.match(word)
    if found:
        octal, hexadecimal = found.groups()
        digits = (octal or hexadecimal).lstrip("0") or "0"
        value = int(digits, 8 if octal else 16) if len(digits) <= 2 * limits.decimal_digits else limits.number + 1
        return value if value <= limits.number else _too_large("", limits)
    if _NOT_FINITE.match(word):
        return Refused(f"expected a number, found `{word}`", 0)
    return None


def _signed(sign: str, value: int) -> int:
    return -value if sign == "-" else value


def _too_large(sign: str, limits: Limits) -> Refused:
    return Refused(f"expected a number of at most {limits.number:,}".replace(",", " "), _signed(sign, limits.number))


def _too_fine(limits: Limits) -> Refused:
    return Refused(f"expected a number of at most {limits.decimal_digits} digits", Fraction(0))


def padded(word: str) -> bool:
    """Whether a whole number is written with zeros in front, which no number keeps: `007`."""
    digits = word.lstrip("+-")
    return len(digits) > 1 and digits[0] == "0" and digits.isdecimal()


def unseen(text: str) -> str | None:
    """The first character of a key that does not show or turns the writing around; None where there is none."""
    if text.isascii():
        return None
    for character in text:
        if character in _BLANKS or character in _INVISIBLE or unicodedata.category(character) in ("Cf", "Co"):
            return character
    return None


def mixed(text: str) -> tuple[str, str] | None:
    """Two letters of one key that come from alphabets which look alike: the odd one out, and one of the others; None for most keys."""
    if text.isascii():
        return None
    letters: dict[str, list[str]] = {}
    for character in text:
        alphabet = unicodedata.name(character, "").split(" ", 1)[0]
        if alphabet in _ALIKE and character.isalpha():
            letters.setdefault(alphabet, []).append(character)
    if len(letters) < 2:
        return None
    odd, *rest = sorted(letters.values(), key=len)
    return odd[0], rest[-1][0]


def disguised(word: str) -> str | None:
    """A letter of another alphabet that passes for a Latin one among Latin letters, in a value of one word, as ids are."""
    if word.isascii() or " " in word or "\n" in word:
        return None
    for run in _LETTERS.findall(word):
        if not run.isascii() and any("LATIN" in unicodedata.name(character, "") for character in run):
            for character in run:
                if character in _LATIN_LOOK:
                    return str(character)
    return None
