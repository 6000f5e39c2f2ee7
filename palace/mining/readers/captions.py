"""Captions of meetings as Zoom, Teams and Meet write them: WebVTT (www.w3.org/TR/webvtt1) and SRT.

The speaker stands in a voice tag (``<v Ann>``) or before a colon. Consecutive captions of one speaker are one turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import accumulate, groupby, takewhile
from typing import NamedTuple

from palace.mining.drafts.dating import base_moment, later
from palace.mining.drafts.draft import Draft, Stamp
from palace.mining.drafts.names import role_of, speaker_of
from palace.mining.files.reading import Reading
from palace.mining.readers.file_dates import file_base
from palace.mining.readers.labels import find_label
from palace.mining.readers.lines import Line, split_lines
from palace.mining.readers.speakers import is_name
from palace.models import Conversation, Role

NAME = "captions"

_STAMP = r"(?:\d{1,4}:)?\d\d:\d\d[.,]\d{1,3}"
_CUE = re.compile(rf"({_STAMP}) {{1,4}}--> {{1,4}}{_STAMP}(?:[ \t].{{0,200}})?")
_SRT = re.compile(rf"\d{{1,6}}[ \t]{{0,4}}\r?\n{_STAMP} {{1,4}}-->")
_VOICE = re.compile(r"<v(?:\.[^ >]{0,40})? ([^>]{1,80})>")
_SHARE_NAMED = 0.3
"""The least share of captions with a speaker; below it they are taken for subtitles of a film."""


class _Cue(NamedTuple):
    begins: timedelta
    speaker: str | None
    text: str


def recognises(beginning: str) -> bool:
    """Check whether a text begins like captions."""
    return beginning.startswith("WEBVTT") or _SRT.match(beginning) is not None


def read(text: str, reading: Reading) -> Iterator[Conversation]:
    """Read captions as one conversation, dated by the file's name if that contains a date.

    Raises:
        UnreadableSource: too few captions name a speaker.
    """
    cues = list(_cues(split_lines(text)))
    if sum(cue.speaker is not None for cue in cues) < max(_SHARE_NAMED * len(cues), 1):
        raise reading.problem("is subtitles in which nobody is named; save the transcript with names and mine that")
    began = base_moment(file_base([], reading), reading)
    draft = Draft(NAME, reading, dated=False)
    # A caption without a name continues the speaker before it.
    speakers: Iterator[str] = accumulate((cue.speaker or "" for cue in cues), lambda last, speaker: speaker or last)
    for speaker, spoken in groupby(zip(speakers, cues, strict=True), key=lambda each: each[0]):
        part = [cue for _, cue in spoken]
        moment = later(began, part[0].begins) if began else None
        content = "\n".join(cue.text for cue in part if cue.text)
        draft.say(role_of(speaker) or Role.USER, content, Stamp(moment, None, speaker_of(speaker)))
    if began is None:
        draft.warn("nothing tells when it was; put the date into the file's name (2024-05-01 call.vtt)")
    yield from draft.finish(whole_text=text)


def _cues(lines: list[Line]) -> Iterator[_Cue]:
    texts = [line.text for line in lines]
    cues = [(at, cue) for at, line in enumerate(texts) if "-->" in line and (cue := _CUE.fullmatch(line.strip()))]
    ends = [*(at for at, _ in cues[1:]), len(texts)]
    for (at, cue), end in zip(cues, ends, strict=True):
        *hours, minutes, seconds = cue[1].replace(",", ".").split(":")
        begins = timedelta(hours=int(hours[0]) if hours else 0, minutes=int(minutes), seconds=float(seconds))
        yield _cue(begins, "\n".join(takewhile(str.strip, texts[at + 1 : end])))


def _cue(begins: timedelta, text: str) -> _Cue:
    voice = _VOICE.match(text)
    if voice:
        return _Cue(begins, voice[1].strip(), text[voice.end() :].removesuffix("</v>"))
    label = find_label(Line(text, 0, len(text), is_code=False), 1) if text else None
    if label and label.style == "plain" and label.has_text and is_name(label.name):
        return _Cue(begins, label.name, text[label.content :])
    return _Cue(begins, None, text)
