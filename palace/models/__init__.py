"""Values that travel between the parts of Palace, and how they are written as JSON and in an export.

``__init__.pyi`` beside this file declares them: the program starts faster without those that a command does not use.
"""

from __future__ import annotations

from palace import import_late

__getattr__, __dir__ = import_late(__name__, __file__)
