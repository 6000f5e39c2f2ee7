"""``python -m palace_cli``: the same as ``palace``."""

from palace_cli.entry import main

main()
