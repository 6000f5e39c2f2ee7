"""What a mail says itself, and what it only carries along: the mail it answers below it, or one it passes on. Pure.

What stands between the lines of an answer is part of it: without it the answer makes no sense. What follows below all
of an answer is the mail before, once more. Which lines are which is told from the mail alone, so that it is cut the
same way wherever it is found.
"""

from __future__ import annotations

import re
from typing import NamedTuple

DEEPEST = 12
"""Mails that are looked for below one another in one mail; what is below is left with the last."""

_FROM = r"From|Von|De|Da|Van|Från|Fra|Od|От|Lähettäjä|差出人|发件人|寄件者|보낸 사람"
_BELOW = (
    r"Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Fecha|Para|Asunto|Inviato|Data|A|"
    r"Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|Отправлено|Дата|Кому|Тема|"
    r"Assunto|Lähetetty|送信日時|宛先|件名|发送时间|收件人|主题|보낸 날짜|받는 사람|제목"
)
_HEADER_LINE = re.compile(
    rf"[ \t]{{0,4}}\*?(?P<name>{_FROM}) ?[:：]\*?[ \t]{{0,9}}(?P<who>\S.{{0,300}})", re.IGNORECASE
)
_NEXT_HEADER = re.compile(rf"[ \t]{{0,4}}\*?(?:{_BELOW}) ?[:：]\*?", re.IGNORECASE)
_SEPARATOR = re.compile(
    r"[ \t]{0,4}(?:-{2,}|_{2,}|={3,})[ \t]{0,4}[^\W\d_][^\n-]{4,50}?[ \t]{0,4}(?:-{2,}|_{2,}|={3,})[ \t]{0,4}"
)
_PASSED_ON = re.compile(
    r"forward|weitergeleitet|transféré|réexpédié|reenviado|encaminhad|inoltrat|doorgestuurd|vidarebefordrat|"
    r"videresendt|przekazan|пересылаем|переслан|転送|转发|轉寄",
    re.IGNORECASE,
)
_BEGIN_PASSED_ON = re.compile(
    r"[ \t]{0,4}(?:Begin forwarded message|Anfang der weitergeleiteten Nachricht|"
    r"Début du message (?:transféré|réexpédié)|"
    r"Inicio del mensaje reenviado|Inizio messaggio inoltrato):[ \t]{0,4}",
    re.IGNORECASE,
)
_RULE = re.compile(r"[ \t]{0,4}[_-]{10,}[ \t]{0,4}")
_WROTE = re.compile(
    r"\bwrote|\bwrites\b|"
    r"\bschrieb\b|\ba écrit|\bescribió|\bha scritto|\bescreveu|\bschreef|\bskrev\b|\bnapisał|\bpisze\b|"
    r"\bkirjoitti|\bnapsal|\bпис|\bнаписал|写道|寫道|書きました|작성",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"<?[\w.+-]{1,64}@[\w.-]{1,100}>?")
_TIMED = re.compile(r"\d{1,2}[:.h]\d\d")
_BEGINS = re.compile(
    r"(?:On|Am|Le|El|Il|Em|Op|Den|Dnia|W dniu|\d{1,4}[-./]|\w{2,12},? \d|[^\n]{0,80}<[^<>\s]+@)", re.IGNORECASE
)
_LONGEST_ATTRIBUTION = 400
_MOST_ATTRIBUTION_LINES = 3
_MOST_FOOTER_LINES = 10
_FEWEST_UNTOLD = 4
"""Lines that have to be quoted at the end for them to be the mail before, where no line says so."""
_LEADING = re.compile(
    r"^(?:.*[\d,;]\s*)?"
    r"(?:(?:[ap]\.?m\.?|uhr|h|utc|gmt(?:[+-]\d+)?|um|at|schrieb|a las|à|alle|om|klockan|kl\.?|on|am|le)\b[\s,.]*)*",
    re.IGNORECASE,
)


class Carried(NamedTuple):
    """A mail that another one carries along."""

    text: str
    """Without the marks of quotation."""
    who: str | None
    """By whom, as far as the line above it says so."""
    is_passed_on: bool
    """It was forwarded, not answered."""


class Parted(NamedTuple):
    """A mail in its parts."""

    own: str
    carried: tuple[Carried, ...] = ()
    """What stands below it, nearest first."""


def part(text: str, *, is_answer: bool = False) -> Parted:
    """Tell what a mail says itself from the mails that it carries below; one that says nothing itself is left whole
    unless it passes something on.

    ``is_answer`` is whether it says at its head that it answers: what little it quotes at its end is what it answers
    then, though no line says so.
    """
    own, below = _cut(text, is_answer=is_answer)
    if below is None or not (own.strip() or below.is_passed_on):
        return Parted(text)
    carried: list[Carried] = []
    for _ in range(DEEPEST):
        inner, further = _cut(below.text)
        said = (inner if further is not None else below.text).strip("\n")
        if said.strip():
            carried.append(below._replace(text=said))
        elif further is not None:
            # The line that says whose it is was quoted with it.
            further = further._replace(who=further.who or below.who, is_passed_on=below.is_passed_on)
        if further is None:
            break
        below = further
    else:
        carried.append(below)
    return Parted(own.rstrip(), tuple(carried))


def _cut(text: str, *, is_answer: bool = False) -> tuple[str, Carried | None]:
    lines = text.split("\n")
    found = [cut for cut in (_below_headers(lines), _below_attribution(lines, is_answer=is_answer)) if cut]
    if not found:
        return text, None
    cut = min(found)
    body, footer = lines[cut.body : cut.end], lines[cut.end :]
    own = "\n\n".join(piece for lines in (lines[: cut.begin], footer) if (piece := "\n".join(lines).strip("\n")))
    return own, Carried(_unquoted(body), cut.who or None, cut.is_passed_on)


class _Cut(NamedTuple):
    """Where in the lines of a mail the one before stands."""

    begin: int
    body: int
    """Where it begins behind the lines that say whose it is."""
    end: int
    who: str
    is_passed_on: bool


def _below_headers(lines: list[str]) -> _Cut | None:
    """Find the first mail that stands below a line of dashes that says so, or below its sender, date and subject."""
    for number, line in enumerate(lines):
        bare = line.lstrip(" \t")
        if not bare or bare[0] == ">":
            continue
        is_forward = _BEGIN_PASSED_ON.fullmatch(bare) is not None
        is_set_off = bare[0] in "-_=" and len(bare) < 90 and _SEPARATOR.fullmatch(bare) is not None
        is_set_off = is_set_off or is_forward
        first = next(
            (at for at in range(number + is_set_off, min(number + 4, len(lines))) if lines[at].strip("> ")), -1
        )
        if first < 0 or (first != number and not is_set_off):
            continue
        sender = _HEADER_LINE.match(lines[first].lstrip("> "))
        if sender is None:
            continue
        end = _behind_headers(lines, first)
        if end - first < 2 or (not is_set_off and end - first < 3):
            continue
        begin = number
        while begin > 0 and (not lines[begin - 1].strip() or _RULE.fullmatch(lines[begin - 1])):
            begin -= 1
        forwarded = is_forward or (is_set_off and _PASSED_ON.search(bare) is not None)
        return _Cut(begin, end, len(lines), _name_in(sender["who"], is_alone=True), forwarded)
    return None


def _behind_headers(lines: list[str], first: int) -> int:
    """Give where the lines of a mail's head end that begin with its sender; as many as there are of them."""
    at = first + 1
    while at < len(lines) and at < first + 12:
        bare = lines[at].lstrip("> ")
        if not bare.strip() or not (_NEXT_HEADER.match(bare) or _HEADER_LINE.match(bare) or ":" in bare[:12]):
            break
        at += 1
    return at


def _below_attribution(lines: list[str], *, is_answer: bool) -> _Cut | None:
    """Find the quotation that a mail ends with, and the line above it that says who wrote it."""
    end = _without_footer(lines)
    last = end
    while last > 0 and not lines[last - 1].strip():
        last -= 1
    begin = last
    while begin > 0 and (lines[begin - 1].startswith(">") or not lines[begin - 1].strip()):
        begin -= 1
    while begin < last and not lines[begin].strip():
        begin += 1
    if begin == last:
        return _unmarked(lines, end)
    told = _attribution(lines, begin)
    if told is not None:
        return _Cut(told[0], begin, end, told[1], False)
    # Apple Mail quotes the line that says whose it is with the mail.
    inner = [line[1:].removeprefix(" ") for line in lines[begin : begin + _MOST_ATTRIBUTION_LINES]]
    within = next((at for at in range(1, len(inner) + 1) if (_attribution(inner[:at], at) or (1, ""))[0] == 0), None)
    if within is not None:
        return _Cut(begin, begin + within, end, _name_in(" ".join(inner[:within])), False)
    quoted = sum(line.startswith(">") for line in lines[begin:last])
    is_untold = quoted >= _FEWEST_UNTOLD or (is_answer and _is_set_off(lines, begin))
    return _Cut(begin, begin, end, "", False) if is_untold else None


def _is_set_off(lines: list[str], begin: int) -> bool:
    """Tell a quotation that nothing leads up to and that is the only one: it is no part of what is said above it."""
    above = next((line.rstrip() for line in reversed(lines[:begin]) if line.strip()), "")
    return bool(above) and not above.endswith((":", "：")) and not any(line.startswith(">") for line in lines[:begin])


def _without_footer(lines: list[str]) -> int:
    """Give where the footer of a mailing list begins below what is quoted; the end where there is none."""
    for at in range(len(lines) - 1, max(len(lines) - _MOST_FOOTER_LINES, 0) - 1, -1):
        if _RULE.fullmatch(lines[at]) or lines[at].rstrip() == "--":
            above = next((line for line in reversed(lines[:at]) if line.strip()), "")
            return at if above.startswith(">") else len(lines)
        if lines[at].startswith(">"):
            break
    return len(lines)


def _attribution(lines: list[str], below: int) -> tuple[int, str] | None:
    """Read the line or lines right above a quotation that say who wrote it: where they begin, and the name."""
    last = below - 1
    while last >= 0 and not lines[last].strip():
        last -= 1
    if last < 0 or below - last > 3 or not lines[last].rstrip().endswith((":", "：")):
        return None
    joined = ""
    for begin in range(last, max(last - _MOST_ATTRIBUTION_LINES, -1), -1):
        if not lines[begin].strip():
            break
        joined = f"{lines[begin].strip()} {joined}".strip()
        if len(joined) > _LONGEST_ATTRIBUTION:
            return None
        if _tells(joined) and _BEGINS.match(joined):
            return begin, _name_in(joined)
    # "Ann wrote:" says all that is needed.
    alone = lines[last].strip()
    return (last, _name_in(alone)) if len(alone) < 100 and _WROTE.search(alone) else None


def _tells(line: str) -> bool:
    return _WROTE.search(line) is not None or (_ADDRESS.search(line) is not None and any(map(str.isdigit, line)))


def _unmarked(lines: list[str], end: int) -> _Cut | None:
    """Find a mail that stands below its sender and time without any marks of quotation."""
    if any(line.startswith(">") for line in lines):
        return None
    for number in range(1, len(lines)):
        line = lines[number]
        if not line.rstrip().endswith(":") or len(line) > _LONGEST_ATTRIBUTION or _WROTE.search(line) is None:
            continue
        told = _attribution(lines, number + 1)
        if told is None or any(part.strip() for part in lines[told[0] - 1 : told[0]]):
            continue
        joined = " ".join(lines[told[0] : number + 1])
        if _ADDRESS.search(joined) and _TIMED.search(joined) and any(part.strip() for part in lines[number + 1 :]):
            return _Cut(told[0], number + 1, end, told[1], False)
    return None


def _unquoted(lines: list[str]) -> str:
    """Take one mark of quotation off each line, where the lines have them."""
    said = [line for line in lines if line.strip()]
    if sum(line.startswith(">") for line in said) * 2 < len(said):
        return "\n".join(lines).strip("\n")
    bare = (line[1:].removeprefix(" ") if line.startswith(">") else line for line in lines)
    return "\n".join(bare).strip("\n")


def _name_in(told: str, *, is_alone: bool = False) -> str:
    """Find the name in a line that says who wrote a mail, and when unless it is alone; else the address."""
    told = told.replace("*", "").strip()
    address = _ADDRESS.search(told)
    found = _WROTE.search(told)
    if address and told[: address.start()].strip(" \"'(["):
        before = told[: address.start()].replace("mailto:", "").strip(" \"'([<")
    elif address:
        before = ""
    elif found and found.group().lower() == "schrieb" and told[found.end() :].strip(" :"):
        before = told[found.end() :].strip(" :")
    else:
        before = told[: found.start()] if found else told
    before = before.strip(" \"'<([:,")
    name = before if is_alone else _LEADING.sub("", before, count=1).strip(" \"'<([:,")
    if len(name) > 80 or not any(sign.isalpha() for sign in name):
        name = ""
    return name or (address.group().strip("<>") if address else "")
