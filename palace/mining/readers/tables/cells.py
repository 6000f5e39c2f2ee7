"""A table's text as lines and cells: which sign stands between cells, and the first rows. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterator

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 20


def first_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Give the first rows of a text, without the last, which may break off."""
    lines = text[: text.rfind("\n") + 1] if "\n" in text else text
    try:
        for number, row in enumerate(
            csv.reader(Lines(lines), delimiter=delimiter, skipinitialspace=is_spaced(text, delimiter))
        ):
            if number == _SAMPLE:
                return
            if row:
                yield row
    except csv.Error:
        return


def is_spaced(text: str, delimiter: str) -> bool:
    """Tell a table with a blank behind every delimiter of its header, which is no part of a cell."""
    head = text.partition("\n")[0]
    return delimiter in head and head.count(delimiter) == head.count(f"{delimiter} ")


class Lines(Iterator[str]):
    """The lines of a text with their ends; a carriage return alone ends none."""

    def __init__(self, text: str, at: int = 0) -> None:
        self._text, self.at = text, at

    @property
    def is_over(self) -> bool:
        """Whether the last of them was given."""
        return self.at >= len(self._text)

    def __next__(self) -> str:
        if self.is_over:
            raise StopIteration
        start, self.at = self.at, self._text.find("\n", self.at) + 1 or len(self._text)
        return self._text[start : self.at]
