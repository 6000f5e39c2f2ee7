"""Markdown as rich typesets it, but without losing words, and in bounded time for any text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, TableElement
from rich.table import Table
from rich.text import Text

from palace_cli.render.visible import visible
from palace_cli.styles import ASIDE

_COMMON = """
bash c c++ cfg cpp cs csharp css diff docker dockerfile go golang haskell hs html http ini java javascript js json jsx
kotlin kt latex lua make makefile mysql nginx patch perl php pl postgres postgresql powershell ps1 py python python3 r
rb rs rust scala scss sh shell sql svg swift tex toml ts tsx typescript xml yaml yml zsh
"""
LANGUAGES = frozenset(_COMMON.split())
"""Languages whose code is coloured. The lexers of some others can take minutes on hostile text."""
LONGEST_COLOURED = 4_000
"""The longest block of code that is coloured, in characters: the time may grow with their square."""
MOST_COLOURED = 12_000
"""Characters of code that are coloured in one text at most."""
MOST_TOKENS = 8_000
"""Tokens of a text that is typeset at most; a table of thousands of rows has more, and takes seconds."""
LEAST_ROOM = 16
"""The fewest columns for words within quotes and lists."""
LEAST_COLUMN = 6
"""The narrowest column of a table."""
_INDENTS = {"blockquote": 4, "bullet_list": 3, "ordered_list": 4}


class Code(CodeBlock):
    """A block of code, coloured where that is quick; below its info string where that is no language we colour."""

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> Code:
        """Make the block of a token."""
        assert isinstance(markdown, WholeMarkdown)
        info = token.info.strip()
        made = cls(markdown.language_of(token), markdown.code_theme)
        made.title = "" if info.lower() in LANGUAGES else info
        return made

    title = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        if self.title:
            yield Text(f" {visible(self.title)}", ASIDE)
        yield from super().__rich_console__(console, options)


class WholeTable(TableElement):
    """A table whose long words are wrapped, not cut."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        table = Table(box=box.SIMPLE, pad_edge=False, collapse_padding=True)
        for cell in self.header.row.cells if self.header and self.header.row else ():
            heading = cell.content.copy()
            heading.stylize("markdown.table.header")
            table.add_column(heading, overflow="fold")
        for row in self.body.rows if self.body else ():
            table.add_row(*(cell.content for cell in row.cells))
        yield table


class WholeMarkdown(Markdown):
    """The Markdown of a message; HTML tags, pictures and link definitions are shown as text."""

    elements = {**Markdown.elements, "fence": Code, "code_block": Code, "table_open": WholeTable}  # noqa: RUF012

    def __init__(self, text: str, code_theme: str) -> None:
        super().__init__("", code_theme=code_theme, hyperlinks=False)
        parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
        self.parsed = parser.disable(["image", "reference"]).parse(text)
        self._left = MOST_COLOURED
        for token in _every(self.parsed):
            token.content = visible(token.content)
            if token.type == "softbreak":
                token.type = "hardbreak"
            if token.type == "link_open" and token.attrs.get("title"):
                token.attrs["href"] = f'{token.attrs.get("href", "")} "{visible(str(token.attrs["title"]))}"'

    def language_of(self, token: Token) -> str:
        """Return the language in which a block of code is coloured; "text" for none."""
        size, name = len(token.content), token.info.strip().partition(" ")[0].lower()
        if name not in LANGUAGES or size > min(LONGEST_COLOURED, self._left):
            return "text"
        self._left -= size
        return name

    def fits(self, width: int) -> bool:
        """Return whether it can be typeset quickly and without loss in a width."""
        if sum(1 for _ in _every(self.parsed)) > MOST_TOKENS:
            return False
        indent, columns, room = 0, 0, width
        for token in self.parsed:
            indent += _INDENTS.get(token.type.rpartition("_")[0], 0) * token.nesting
            columns = 0 if token.type == "thead_open" else columns + (token.type == "th_open")
            room = min(room, width - indent - LEAST_COLUMN * columns + LEAST_ROOM * bool(columns))
        return room >= min(LEAST_ROOM, width)


def _every(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _every(token.children or ())
