"""Towns and countries that languages call by different names, folded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def usual_name(folded: str) -> str:
    """Return the English name of a town or a country, folded; any other name as it is."""
    return _usual().get(folded, folded)


@cache
def _usual() -> Mapping[str, str]:
    lines = files("palace").joinpath("data", "graph", "towns.txt").read_text("utf-8").splitlines()
    return {name: names[0] for names in (line.split(", ") for line in lines) for name in names}
