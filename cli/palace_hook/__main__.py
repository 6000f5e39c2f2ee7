"""``python -m palace_hook EVENT``: the same as ``palace hook EVENT``, for programs that call it."""

import sys

from palace_hook.client import main

main(sys.argv[1:])
