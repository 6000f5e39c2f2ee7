"""Invitations to appointments, as mails carry them (RFC 5545): what, when, where, who. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time

_MOST_GUESTS = 12
_LINE = re.compile(
    r"(?P<name>[A-Za-z-]{1,40})(?P<params>(?:;[^:;\"]{0,500}(?:\"[^\"]{0,500}\")?){0,30}):(?P<value>.*)", re.DOTALL
)
_PARAM = re.compile(r";(?P<name>[A-Za-z-]{1,40})=(?:\"(?P<quoted>[^\"]*)\"|(?P<plain>[^;\"]*))")
_ESCAPED = re.compile(r"\\(.)")
_WHEN = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z?))?")
_METHODS = {"CANCEL": "cancelled invitation", "REPLY": "answer to an invitation", "COUNTER": "proposal of another time"}
_SHOWN = ("SUMMARY", "RRULE", "LOCATION")


def invitation_text(calendar: str) -> str:
    """Say in a few lines what a calendar's first appointment is; "" where there is none.

    Times stand in the zone in which they were written, with its name.
    """
    method, found = "", dict[str, tuple[dict[str, str], str]]()
    guests: list[str] = []
    for name, params, value in _properties(calendar):
        if name == "METHOD":
            method = value.strip().upper()
        elif name == "ATTENDEE":
            guests.append(_person(params, value))
        else:
            found.setdefault(name, (params, value))
    if "DTSTART" not in found and "SUMMARY" not in found:
        return ""
    summary, repeats, where = (_plain(found[name][1]) if name in found else "" for name in _SHOWN)
    more = f" and {len(guests) - _MOST_GUESTS} more" if len(guests) > _MOST_GUESTS else ""
    about = {
        "When": _stretch(found) if "DTSTART" in found else "",
        "Repeats": repeats,
        "Where": where,
        "Organizer": _person(*found["ORGANIZER"]) if "ORGANIZER" in found else "",
        "Guests": f"{', '.join(guests[:_MOST_GUESTS])}{more}",
    }
    first = f"[{_METHODS.get(method, 'invitation')}] {summary}".rstrip()
    return "\n".join([first, *(f"{name}: {text}" for name, text in about.items() if text)])


def _properties(calendar: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield the properties of a calendar and of its first event, but for those of what is nested in that."""
    inside: list[str] = []
    for line in _unfolded(calendar):
        parsed = _LINE.fullmatch(line)
        if parsed is None:
            continue
        name, value = parsed["name"].upper(), parsed["value"]
        if name == "BEGIN":
            inside.append(value.strip().upper())
        elif name == "END":
            if inside and inside.pop() == "VEVENT":
                return
        elif not inside or inside[-1] in ("VCALENDAR", "VEVENT"):
            params = _PARAM.finditer(parsed["params"])
            yield name, {one["name"].upper(): one["quoted"] or one["plain"] or "" for one in params}, value


def _unfolded(calendar: str) -> list[str]:
    return re.sub(r"\r?\n[ \t]", "", calendar).replace("\r\n", "\n").split("\n")


def _plain(value: str) -> str:
    said = _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
    return " ".join(said.split())


def _person(params: dict[str, str], value: str) -> str:
    address = re.sub("^mailto:", "", value.strip(), flags=re.IGNORECASE)
    return " ".join((params.get("CN") or address).split())


def _stretch(found: dict[str, tuple[dict[str, str], str]]) -> str:
    params, value = found["DTSTART"]
    began = _moment(value)
    ended = _moment(found["DTEND"][1]) if "DTEND" in found else ""
    if ended.startswith(f"{began[:10]} "):
        ended = ended[11:]
    zone = params.get("TZID", "") or ("UTC" if value.strip().endswith("Z") else "")
    shown = f"{began} – {ended}" if ended and len(began) > 10 else began
    return f"{shown} ({zone})" if zone else shown


def _moment(value: str) -> str:
    found = _WHEN.match(value.strip())
    if found is None:
        return value.strip()
    year, month, day, hour, minute, _ = found.groups()
    try:
        on = date(int(year), int(month), int(day))
        return f"{on} {time(int(hour), int(minute)):%H:%M}" if hour else str(on)
    except ValueError:
        return value.strip()
