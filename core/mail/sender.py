"""The one address of a From field, read strictly: nobody plays as somebody else.

Readers of mail differ over fields that hold two addresses, so a field is read only where all must
agree on one: nothing outside quotes and comments before or after it reads as another.
"""

import re
from typing import Final

_ATOM: Final = r"[^\s<>()\[\],;:\\\"@\x00-\x1f\x7f]+"
_ADDRESS: Final = re.compile(rf"{_ATOM}@{_ATOM}")
_DEEPEST: Final = 20


def the_address(field: str) -> str:
    """Return the address of a From field, lower case; empty where it is not plainly one.

    >>> the_address('Beispiel, Anna <Anna@example.org>')
    'anna@example.org'
    >>> the_address("anna@example.org <mallory@intruder.example>")
    ''
    """
    plain = _outside(field)
    if plain is None:  # quotes or brackets that do not close are letters
        plain = field if field.count("@") == 1 else ""
    angles = re.findall(r"<([^<>]*)>", plain)
    if len(angles) > 1 or plain.count("<") != len(angles) or plain.count(">") != len(angles):
        return ""
    if angles:
        before, _angle, after = plain.partition(f"<{angles[0]}>")
        address = angles[0].strip()
        others = _ADDRESS.findall(before.replace("'", " "))
        if "@" in after or any(other.lower() != address.lower() for other in others):
            return ""
        if before.count("@") != len(others) and re.search(r"\S@\S", before):
            return ""
        if re.search(r"[;<>]", before + after) or after.strip(" ,.'"):
            return ""
    else:
        address = plain.strip(" ,")
    address = address.lower()
    return address if _ADDRESS.fullmatch(address) and address.isprintable() else ""


def _outside(field: str) -> str | None:
    """Return a field without quoted texts and comments; None where one does not end.

    What was quoted leaves a blank if it stood alone, and else a sign that no address has.
    """
    kept: list[str] = []
    at, depth, quoted = 0, 0, False
    while at < len(field):
        char = field[at]
        if char == "\\" and (quoted or depth):
            at += 2
            continue
        if quoted:
            quoted = char != '"'
        elif depth:
            depth += (char == "(") - (char == ")")
        elif char == '"':
            quoted = True
            kept.append('"')
        elif char == "(":
            depth += 1
            kept.append(" ")
        else:
            kept.append(char)
        if depth > _DEEPEST:
            return ""
        at += 1
    return None if quoted or depth else "".join(kept)
