"""What differs from run to run, replaced by ordinals: ids, times and folders; what is measured by a word. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

MEASURED = re.compile(r"(^|_)(seconds|ms|milliseconds|bytes|load|pid|port|rate|free)$")
"""Keys whose numbers are of the machine and the moment."""
_ID = re.compile(r"(^|_)(id|ids|key)$")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")
_FREE = re.compile(r"[\d.,]+ [KMGT]B free")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b(?:[0-9a-f]{32}){1,2}\b")
"""And hashes, which are of what differs: a folder's path, an export with its times."""


class Ordinals:
    """The ordinals of one document; the same id or time gets the same one."""

    def __init__(self, folders: Mapping[str, str], began: datetime) -> None:
        """``folders`` are replaced by their names. Times from ``began`` on, a day before the run, are of the run.

        Where one lies a day or more ahead, its ordinal says how many.
        """
        self._folders = dict(sorted(folders.items(), key=lambda each: -len(each[0])))
        self._began = began
        self._known: dict[str, dict[str, int]] = {}

    def plain(self, value: Any, key: str = "") -> Any:
        """Give a value of JSON with everything replaced."""
        if isinstance(value, Mapping):
            return {name: self.plain(each, key if MEASURED.search(key) else name) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(each, key) for each in value]
        if isinstance(value, str):
            return self.text(value)
        return self._number(value, key)

    def _number(self, value: bool | float | None, key: str) -> Any:
        if isinstance(value, bool) or value is None:
            return value
        if MEASURED.search(key):
            return "<measured>"
        return self._ordinal("id", str(value)) if _ID.search(key) else round(value, 4)

    def text(self, text: str) -> str:
        """Give a text with folders, UUIDs and the times of the run replaced."""
        for folder, name in self._folders.items():
            text = text.replace(folder, name)
        text = _UUID.sub(lambda found: self._ordinal("id", found[0]), _FREE.sub("<measured> free", text))
        return _MOMENT.sub(self._moment, text)

    def _moment(self, found: re.Match[str]) -> str:
        try:
            moment = datetime.fromisoformat(found[0])
        except ValueError:
            return found[0]
        moment = moment if moment.tzinfo else moment.replace(tzinfo=self._began.tzinfo)
        if moment < self._began:
            return found[0]
        days = round((moment - self._began) / timedelta(days=1)) - 1
        return self._ordinal("time", found[0], f" +{days} d" if days > 0 else "")

    def _ordinal(self, kind: str, value: str, later: str = "") -> str:
        known = self._known.setdefault(kind, {})
        return f"<{kind} {known.setdefault(value, len(known) + 1)}{later}>"
