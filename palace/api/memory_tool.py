"""The memory tool for the Anthropic SDK's tool runner; import it only with the SDK (extra ``anthropic``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palace.errors import PalaceError

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818Command,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
except ImportError as problem:
    told = "the memory tool needs Anthropic's SDK: pip install 'memory-palace-pg[anthropic]'"
    raise ImportError(told) from problem

if TYPE_CHECKING:
    from palace.api.palace import Palace


class PalaceMemoryTool(BetaAbstractMemoryTool):
    """Files of a model in a wing of a palace: ``client.beta.messages.tool_runner(tools=[PalaceMemoryTool(palace)])``.

    The wing is "Claude memory" unless ``wing`` names another; each has files of its own (docs/memory-tool.md).
    """

    def __init__(
        self,
        palace: Palace,
        *,
        wing: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._palace = palace
        self._where = {} if wing is None else {"wing": wing}

    def execute(self, command: BetaMemoryTool20250818Command) -> str:
        """Carry out a command; an error of Palace is a text for the model."""
        try:
            return self._palace.memory_files.run(command.to_dict(), **self._where)
        except PalaceError as problem:
            raise ToolError(str(problem)) from problem

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or list a directory."""
        return self.execute(command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a file."""
        return self.execute(command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a part of a file that occurs once."""
        return self.execute(command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines into a file."""
        return self.execute(command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Forget a file or a directory."""
        return self.execute(command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Give a file or a directory another path."""
        return self.execute(command)
