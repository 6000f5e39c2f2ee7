"""Names of wings as `palace doctor` looks at them: one that is written like a pointer means the wing of that number."""

from __future__ import annotations

from collections.abc import Iterator

from palace.opened import OpenPalace
from palace.records import Check, Verdict
from palace.store.tree import list_wings
from palace.text.pointers import find_wing_number, has_shape


def check_names(opened: OpenPalace) -> Iterator[Check]:
    """Name the wings that earlier versions called like a pointer: whoever says that name gets another wing, or none."""
    for wing in opened.run(list_wings):
        if has_shape(wing.name) and find_wing_number(wing.name) != wing.number:
            finding = (
                f"the wing {wing.pointer} is called {wing.name!r}, which means a number and goes before every name"
            )
            yield Check("names", Verdict.WARNING, finding, f"palace rename {wing.pointer} NAME")
