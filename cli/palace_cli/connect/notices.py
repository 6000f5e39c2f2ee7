"""What a person has to do, or to know, once a client is connected."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palace.errors import BadRequest
from palace_cli.connect.clients import Client
from palace_cli.connect.contents import entries, texts
from palace_cli.connect.editing.refusals import Refused
from palace_cli.connect.files.reading import read
from palace_cli.connect.planning import roles_of
from palace_cli.connect.program import is_confined, is_server, server_words
from palace_cli.connect.standing import state_of

if TYPE_CHECKING:
    from palace.settings import Settings

MISSING = "the server cannot start: the protocol's library is missing, pip install 'memory-palace-pg[mcp]'"
_TO_DO = {
    "claude-code": "Claude Code has it in sessions that begin from now on: start those anew that are open",
    "codex": "Codex runs a new hook only when you have approved it: type /hooks in it and trust those of palace;"
    " `codex exec` runs none that were not",
    "gemini": "start Gemini CLI anew: it has it from then on, and says which hooks it runs",
    "cursor": "Cursor takes up hooks at once, and the server when you switch it on under Settings, MCP",
    "opencode": "start opencode anew: it has it from then on; it runs no hooks, so its agent remembers when it asks",
    "vscode": "VS Code asks whether you trust the server when it first starts it; it runs no hooks, so its agent"
    " remembers when it asks",
}
_OFF: dict[str, tuple[tuple[str, ...], Any]] = {
    "claude-code": (("disableAllHooks",), True),
    "codex": (("features", "hooks"), False),
    "gemini": (("hooksConfig", "enabled"), False),
}
"""Where each client's configuration says that no hooks are run."""


def notices(client: Client, root: Path | None, settings: Settings) -> tuple[str, ...]:
    """Tell what is to be done, and what stands in the way of what was connected."""
    told = [_TO_DO[client.name]]
    if client.events and (settings.database_url or not settings.worker_starts):
        told.append(
            "what is said is filed by a worker, and none starts by itself here: run `palace worker`, or have it run"
            " with `palace worker --install`"
        )
    if find_spec("mcp") is None:
        told.append(MISSING)
    data = _said(client, root)
    servers = [entries.at(each, texts.server_path(client, each)) for each in data]
    if any(is_server(each) and not is_confined(server_words(each)) for each in servers):
        told.append(
            "the server's tools look at everything of yours, whatever the project:"
            f" `palace connect {client.name} --wing NAME` confines them to one wing"
        )
    if client.name in _OFF and any(entries.at(each, _OFF[client.name][0]) is _OFF[client.name][1] for each in data):
        told.append(f"{client.title} runs no hooks: {'.'.join(_OFF[client.name][0])} says so, and was left as it is")
    plug_ins = [entries.at(each, ("enabledPlugins",)) for each in data]
    if any(isinstance(each, dict) and any(name.startswith("palace@") for name in each) for each in plug_ins):
        told.append("the plug-in palace is there as well, and runs the same hooks: keep one of the two")
    if root is not None:
        told.append(
            "everybody who works here has it, and the program is looked for by the name palace; a client started from a"
            " desktop may not find it: then connect without --project"
        )
        if state_of(client).server:
            told.append("it is connected for you as well, so everything happens twice here: undo one of the two")
    return tuple(told)


def _said(client: Client, root: Path | None) -> list[Any]:
    """Return what the files say; what cannot be read says nothing."""
    files = client.of_user() if root is None else client.of_project(root)
    found = []
    for path, roles in roles_of(files).items():
        try:
            found.append(texts.said(read(path, within=root).text, client, roles))
        except (Refused, BadRequest):
            continue
    return found
