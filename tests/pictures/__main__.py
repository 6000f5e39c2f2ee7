"""Writes the pictures of the documentation; into a folder that is named, each screen in each size and theme."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.pictures.page import page_pictures
from tests.pictures.pictures import FOLDER, pictures, screens, write

if __name__ == "__main__":
    if sys.argv[1:]:
        write(screens, Path(sys.argv[1]))
    else:
        write(pictures, FOLDER)
        write(page_pictures, FOLDER)
