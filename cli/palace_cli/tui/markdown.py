"""Markdown as rich sets it, but that no word is lost, and that no text, however it is made, takes long to set."""

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
"""What code is coloured of. Of others there are some whose rules take minutes for a text that is made for that."""
LONGEST_COLOURED = 4_000
"""Characters of a block of code that is coloured: the time may grow with their square."""
MOST_COLOURED = 12_000
"""Characters of all such blocks of a text."""
MOST_TOKENS = 8_000
"""Parts of a text that is set; a table of thousands of rows has more, and takes seconds."""
LEAST_ROOM = 16
"""Columns that are left for words within quotes and lists at least."""
LEAST_COLUMN = 6
"""Columns that one of a table takes at least."""
_INDENTS = {"blockquote": 4, "bullet_list": 3, "ordered_list": 4}


class Code(CodeBlock):
    """A block of code: coloured where that is quick, with what it is said to be above it where that says more."""

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> Code:
        """Choose the colours."""
        assert isinstance(markdown, WholeMarkdown)
        info = token.info.strip()
        made = cls(markdown.language_of(token), markdown.code_theme)
        made.said = "" if info.lower() in LANGUAGES else info
        return made

    said = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        if self.said:
            yield Text(f" {visible(self.said)}", ASIDE)
        yield from super().__rich_console__(console, options)


class WholeTable(TableElement):
    """A table whose long words are broken, not cut."""

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
    """Markdown of a message: tags and pictures are text, and so is what would define a link for elsewhere."""

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
        """Name the language that a block of code is coloured as; "text" for none."""
        size, name = len(token.content), token.info.strip().partition(" ")[0].lower()
        if name not in LANGUAGES or size > min(LONGEST_COLOURED, self._left):
            return "text"
        self._left -= size
        return name

    def fits(self, width: int) -> bool:
        """Whether it can be set soon, and without loss, in so many columns."""
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
