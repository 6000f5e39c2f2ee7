"""Which project a folder belongs to, by where it lies on this machine; and which repository a checkout is of."""

from __future__ import annotations

import os

from palace.projects.checkout import Checkout, find_checkout, home_folder, written_out
from palace.projects.keys import folder_of, key_of, names_of, numbered, plain_key
from palace.projects.repository import SCHEME, key_of_repository, matches_checkout
from palace.projects.workplace import is_workplace

__all__ = [
    "SCHEME",
    "Checkout",
    "find_checkout",
    "folder_of",
    "home_folder",
    "is_workplace",
    "key_of",
    "key_of_folder",
    "key_of_repository",
    "matches_checkout",
    "names_of",
    "numbered",
    "plain_key",
    "written_out",
]


def key_of_folder(folder: str | os.PathLike[str]) -> str:
    """Return the key of the project that a folder belongs to, on this machine or on another; "" where it can have none.

    A folder that is not here has the key that it would have where it was, whosever home that lay in.
    """
    home = home_folder()
    checkout = find_checkout(folder, home)
    if checkout is None or not (checkout.is_there or checkout.is_repository or checkout.root.is_relative_to(home)):
        return plain_key(folder) if isinstance(folder, str) else ""
    return key_of(checkout.root, home)
