"""What a shell can take as a completion, and how it has to be written. Pure.

What is offered was said by anybody, and shells run what they are offered: the script of zsh hands it to ``eval``. So
zsh is offered letters, digits and a few signs, whatever the scripts may do to guard themselves.
"""

from __future__ import annotations

from enum import StrEnum

from palace_cli.render.visible import one_line, visible

LONGEST_MEANING = 60
"""Cells of what is told beside a completion: letters of Chinese take two."""

_PLAIN = frozenset(" -_./,+@§")
_BARE = frozenset("-_./,+%§")
"""Signs that bash takes as they stand."""
_SPECIAL_IN_QUOTES = frozenset('\\"$`')


class Shell(StrEnum):
    """Whose completion it is, and what Typer calls it."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    OTHER = ""


def shell_of(instruction: str) -> Shell:
    """Tell the shell from what its script asks for ("complete_bash")."""
    name = instruction.rpartition("_")[2]
    return Shell(name) if name in set(Shell) else Shell.OTHER


def as_typed(value: str, shell: Shell, word: str = "") -> str | None:
    """Write a value so that the shell puts it onto the command line as one word; None where it cannot be.

    ``word`` is what stands there, as it was typed: a quote that it opens is gone on with.
    """
    if not value or one_line(value) != value or value.startswith("-"):
        return None
    match shell:
        case Shell.BASH:
            return _in_bash(value, word[:1])
        case Shell.FISH:
            return value
        case _:
            return value if all(character.isalnum() or character in _PLAIN for character in value) else None


def meaning(text: str) -> str:
    """Write what is told beside a completion: what may act in a shell, or as markup, is left out."""
    plain = "".join(each if each.isalnum() or each in _PLAIN else " " for each in visible(text))
    words = " ".join(plain.split())
    if words.isascii() and len(words) <= LONGEST_MEANING:
        return words
    from rich.cells import cell_len, set_cell_size

    if cell_len(words) <= LONGEST_MEANING:
        return words[:LONGEST_MEANING]
    return f"{set_cell_size(words, LONGEST_MEANING - 1)[: LONGEST_MEANING - 1].rstrip()}…"


def tell_on_one_line() -> None:
    """Have Typer give what is told beside a completion as it is.

    It reads markup in it and breaks it at the width of the terminal; shells take each line for a completion.
    """
    from typer import _completion_classes

    _completion_classes._sanitize_help_text = lambda text: text


def _in_bash(value: str, quote: str) -> str | None:
    if quote == "'":
        return None if "'" in value else value
    if quote == '"':
        # Nothing keeps an exclamation mark from being expanded in double quotes.
        return None if "!" in value else "".join(f"\\{c}" if c in _SPECIAL_IN_QUOTES else c for c in value)
    bare = "".join(c if c.isalnum() or c in _BARE else f"\\{c}" for c in value)
    return f"\\{bare}" if bare.startswith("%") else bare
