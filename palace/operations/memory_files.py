"""The memory tool of Anthropic's API: six commands on files whose versions are drawers (docs/memory-tool.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum

from palace.db.changes.removal import Removed
from palace.db.database import UserSession
from palace.db.locks import Guarded, wait_alone
from palace.db.memory_files import count_files, drawers_of_files, rename_file
from palace.errors import BadRequest, ModelError, NotFound
from palace.mining.filing.place import place_wing
from palace.mining.index import Runner
from palace.mining.memory_file import FileShelf, Found
from palace.mining.pipeline import MineOptions
from palace.mining.redaction import find_rules
from palace.models import Conversation, TargetKind, intake
from palace.models.activity import FORGOTTEN
from palace.opened import OpenPalace, Verbs
from palace.operations import memory_texts as texts
from palace.operations.activity import record
from palace.operations.forget import ForgetVerbs, remove_and_redraw, remove_hidden
from palace.operations.tree import wing_to_file_in
from palace.telemetry import memory

WING = "Claude memory"
MOST_FILES = 2_000
"""Files of one user, in all wings."""
LARGEST_TEXT = 100_000
"""Bytes of a file in UTF-8."""


class Command(StrEnum):
    """The commands of the tool."""

    VIEW = "view"
    CREATE = "create"
    STR_REPLACE = "str_replace"
    INSERT = "insert"
    DELETE = "delete"
    RENAME = "rename"


class MemoryFileVerbs(Verbs):
    """Files that a model keeps by the memory tool of Anthropic's API."""

    def run(self, command: Mapping[str, object], *, wing: str = WING) -> str:
        """Carry out a command of the memory tool in a wing; return the text for the model.

        ``command`` is the tool's input: ``{"command": "view", "path": "/memories"}``, or create, str_replace, insert,
        delete or rename with their fields. Each changes files of one wing alone, in one transaction.

        Raises:
            BadRequest: the command is invalid, or cannot be carried out; ``NotFound``: there is nothing at the path.
        """
        if not isinstance(command, Mapping):
            raise BadRequest("a command is a mapping, such as {'command': 'view', 'path': '/memories'}")
        chosen = intake.choice("command", command.get("command"), Command)
        opened = self._opened
        opened.database.shared.check_schema()
        name = wing_to_file_in(opened, intake.text("wing", wing)) or WING
        rules = opened.run(lambda session: find_rules(session, opened.settings))
        redactor = MineOptions(rules=rules).redactor(opened.database)
        place = place_wing(Conversation(WING, ()), asked=redactor.name(name), source_name=WING)
        files = _Files(opened, FileShelf(place, redactor, opened.settings.zone), command)
        work: dict[Command, Callable[[], str]] = {
            Command.VIEW: files.view,
            Command.CREATE: files.create,
            Command.STR_REPLACE: files.replace,
            Command.INSERT: files.insert,
            Command.DELETE: files.delete,
            Command.RENAME: files.rename,
        }
        return work[chosen]()


@dataclass(frozen=True, slots=True)
class _Files:
    """One command on the files of a wing."""

    opened: OpenPalace
    shelf: FileShelf
    command: Mapping[str, object]

    def view(self) -> str:
        """Show a file or list a directory."""
        path, resolved = self._path("path")
        view_range = self._range()

        def view(session: UserSession) -> str:
            found = self.shelf.find(session, resolved)
            if found.file:
                return texts.show_file(path, self.shelf.read(session, found.file), view_range)
            if not found.below and resolved != texts.ROOT:
                raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
            return texts.show_directory(path, resolved, {each: found.files[each].size for each in found.below})

        return self.opened.run(view)

    def create(self) -> str:
        """Create a file."""
        (path, resolved), text = self._path("path"), self._text("file_text")
        _check_size(text)

        def create(session: UserSession) -> tuple[int, str]:
            wait_alone(session, Guarded.MEMORY_FILES)
            found = self.shelf.find(session, resolved)
            if found.file or found.below or resolved == texts.ROOT:
                raise BadRequest(f"File {path} already exists")
            _check_parent(found)
            if count_files(session) >= MOST_FILES:
                raise BadRequest(f"there are {MOST_FILES:,} files already: delete some before you create another")
            return self.shelf.write(session, resolved, text), f"File created successfully at: {path}"

        return self._filed(create)

    def replace(self) -> str:
        """Replace a part of a file that occurs once."""
        path, old, new = self._path("path")[0], self._text("old_str"), self._text("new_str")

        def replace(text: str) -> tuple[str, str]:
            changed = texts.replace_once(path, text, old, new)
            stored = self.shelf.redactor.stored(changed).text
            return changed, texts.show_change(stored, text.count("\n", 0, text.find(old)))

        return self._edit(replace)

    def insert(self) -> str:
        """Insert lines into a file."""
        path, inserted = self._path("path")[0], self._text("insert_text")
        at = intake.integer("insert_line", self.command.get("insert_line"))
        return self._edit(lambda text: (texts.insert_lines(text, at, inserted), f"The file {path} has been edited."))

    def delete(self) -> str:
        """Forget all versions of a file, or of all files in a directory; they can be restored for a while."""
        path, resolved = self._path("path")
        if resolved == texts.ROOT:
            raise BadRequest(f"Cannot delete the {texts.ROOT} directory itself")
        due_at = ForgetVerbs(self.opened).due_at()

        def forget(session: UserSession) -> Removed:
            wait_alone(session, Guarded.MEMORY_FILES)
            going = self._at_or_below(session, path, resolved)
            removed, _ = remove_hidden(session, drawers_of_files(session, list(going)), self.opened.owner, due_at)
            record(session, FORGOTTEN, what=TargetKind.CONVERSATION.value, place="", **asdict(removed.removal))
            return removed

        with memory("delete_memory", "memory_file") as observed:
            observed.count(remove_and_redraw(self.opened, forget).removal.drawers)
        return f"Successfully deleted {path}"

    def rename(self) -> str:
        """Give a file, or all files in a directory, other paths."""
        (old, source), (new, target) = self._path("old_path"), self._path("new_path")
        if source == texts.ROOT:
            raise BadRequest(f"Cannot rename the {texts.ROOT} directory itself")

        def rename(session: UserSession) -> None:
            wait_alone(session, Guarded.MEMORY_FILES)
            there = self.shelf.find(session, target)
            if there.file or there.below or target == texts.ROOT:
                raise BadRequest(f"The destination {new} already exists")
            going = self._at_or_below(session, old, source)
            _check_parent(there)
            if target.startswith(f"{source}/"):
                raise BadRequest(f"{old} cannot be moved into itself")
            for conversation_id, path in going.items():
                moved = texts.resolve_path(target + path.removeprefix(source))
                rename_file(session, conversation_id, moved)

        self.opened.run(rename)
        return f"Successfully renamed {old} to {new}"

    def _at_or_below(self, session: UserSession, path: str, resolved: str) -> dict[int, str]:
        """Map the conversations of the files at or below a path to their paths, older ones of the same path included.

        Raises:
            NotFound: there are none.
        """
        found = self.shelf.find(session, resolved)
        chosen = {resolved, *found.below}
        going = {each.conversation_id: each.path for each in found.all if each.path in chosen}
        if not going:
            raise NotFound(f"The path {path} does not exist")
        return going

    def _edit(self, change: Callable[[str], tuple[str, str]]) -> str:
        """File the text that ``change`` makes of a file's text; return what it tells the model."""
        path, resolved = self._path("path")

        def edit(session: UserSession) -> tuple[int, str]:
            wait_alone(session, Guarded.MEMORY_FILES)
            found = self.shelf.find(session, resolved)
            if not found.file:
                if found.below or resolved == texts.ROOT:
                    raise BadRequest(f"The path {path} is not a file.")
                raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
            text, told = change(self.shelf.read(session, found.file))
            _check_size(text)
            last = found.file.conversation_id
            former = [each for each in found.all if each.path == resolved and each.conversation_id == last]
            return self.shelf.write(session, resolved, text, former), told

        return self._filed(edit)

    def _filed(self, filing: Callable[[UserSession], tuple[int, str]]) -> str:
        """File in one transaction, then index; without the embedding model the words are found, the rest is pending."""
        with memory("upsert_memory", "memory_file"):
            conversation_id, told = self.opened.run(filing)
            with suppress(ModelError):
                Runner(self.opened.work()).run([conversation_id])
        return told

    def _text(self, field: str) -> str:
        return intake.repair(intake.text(field, self.command.get(field)))[0]

    def _path(self, field: str) -> tuple[str, str]:
        path = intake.text(field, self.command.get(field))
        return path, texts.resolve_path(self.shelf.redactor.name(texts.resolve_path(path)))

    def _range(self) -> list[int] | None:
        given = self.command.get("view_range")
        if given is None:
            return None
        if not isinstance(given, list) or len(given) != 2:
            raise BadRequest("view_range must be two numbers: the first and the last line, or -1")
        return [intake.integer("view_range", each) for each in given]


def _check_parent(found: Found) -> None:
    if found.parent_file:
        raise BadRequest(f"{found.parent_file} is a file, not a directory")


def _check_size(text: str) -> None:
    size = intake.message_bytes(text)
    if size > LARGEST_TEXT:
        raise BadRequest(f"a file has {LARGEST_TEXT:,} bytes at most, not {size:,}")
