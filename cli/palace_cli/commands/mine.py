"""``palace mine`` and ``note``: read conversations and file their drawers, or file a note by hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from rich.table import Table

from palace.errors import BadRequest, NotFound, UnreadableSource
from palace.models import Drawer, Memory, MemoryState, MemoryType, MineSummary, RehearsedSource
from palace.models.intake import LARGEST_MESSAGE
from palace.models.spool import STANDARD_INPUT, own_input
from palace_cli import completion, diagnostics, options, output, process
from palace_cli.clock import shown
from palace_cli.command import Palace
from palace_cli.opening import ask_worker, open_palace, settings_of, worker_follows
from palace_cli.options import argument, choice, flag, option, since
from palace_cli.render.figures import count, passages, secret_places, secrets_of
from palace_cli.render.layout import named_values

MOST_SOURCES = 20
"""So many sources of a dry run are shown."""


def mine(
    sources: list[str] = argument("SOURCE...", "Files, folders, archives, or - for standard input."),
    *,
    name: str | None = option("--name", 'What standard input is called; "standard input" unless given.', "FILE"),
    wing: options.Wing = None,
    dry_run: bool = flag("--dry-run", "Read everything, store nothing; say what is new in each source."),
    exclude: list[str] | None = option(
        "--exclude", "Leave out messages in which this regular expression is found; repeatable.", "PATTERN"
    ),
    keep_secrets: bool = flag("--keep-secrets", "File keys, passwords and card numbers as they were said."),
    restore_forgotten: bool = flag("--restore-forgotten", "File again what was forgotten."),
    dates: str | None = option(
        "--dates", "How 05/01/2024 is meant; told from each source unless given.", "day-first|month-first"
    ),
    encoding: str | None = option("--encoding", "How text is encoded; UTF-8 unless given.", "NAME"),
    me: str | None = option("--me", 'Who "I" is in chats, by name; kept in config.toml.', "NAME"),
    background: bool = flag("--background", "Only file; workers do the rest."),
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """Read conversations and file each message verbatim.

    Mining the same conversation again changes nothing; a grown one adds only its new turns. A file, a
    conversation or a message that cannot be read is named and the others are mined all the same; the exit code is
    then 1. What a folder holds that is not for mining, such as pictures, is counted.
    What was forgotten stays forgotten, unless --restore-forgotten. What says nothing of itself goes into a
    wing called after its file, or after the folder or archive that it was found in. Secrets are replaced
    by [secret: kind] and counted, unless --keep-secrets.

    \b
    palace mine conversations.json
    palace mine ~/.claude/projects --wing "Efoil rebuild"
    palace mine january.json february.json notes/
    palace mine conversations.json --me "Marta Lindqvist"
    cat notes.md | palace mine - --name meeting.md --dry-run
    """
    is_new_name = me is not None and _know_person(me, user, () if dry_run else sources, new_user=new_user)
    how: dict[str, Any] = {"name": name, "dates": dates, "encoding": encoding, "wing": wing, "dry_run": dry_run}
    how |= {"exclude": exclude or (), "keep_secrets": keep_secrets, "restore_forgotten": restore_forgotten}
    process.save_memory_for_mining()
    with open_palace(user, new_user=new_user) as palace, diagnostics.progress() as progress:
        summary = palace.mine(*sources, **how, background=background, progress=progress)
    settings = settings_of(user)
    person = settings.person or user or settings.user
    output.present(summary, partial(summary_view, background=background, person=person), as_json=as_json)
    diagnostics.report_mined(summary)
    if is_new_name and summary.drawers_unchanged and not dry_run:
        diagnostics.remark(f"what was filed before is not yet read as said by {me}: `palace rebuild` reads it again")


def _know_person(me: str, user: str | None, sources: Sequence[str], *, new_user: bool) -> bool:
    """Store the name of the person, if a source exists and the palace opens; return whether it is another one."""
    former = settings_of(user).person
    _check_person(me, user)
    if any(source == "-" or os.path.exists(source) for source in sources):  # noqa: PTH110 — False for odd names
        with open_palace(user, new_user=new_user):
            _keep_person(me)
    return me != former


def _check_person(name: str, user: str | None) -> None:
    """Check that ``config.toml`` can say by which name the person speaks in chats."""
    from palace.config.settings import names_in

    usual = settings_of(None).user
    if user not in (None, usual):
        instead = f"for {user!r}, set PALACE_USER and PALACE_PERSON instead of --user and --me"
        raise BadRequest(f"--me is for {usual!r}, the user of config.toml: {instead}")
    if os.environ.get("PALACE_PERSON"):
        raise BadRequest("PALACE_PERSON says who you are: change or unset it")
    try:
        names_in(name)
    except ValueError as problem:
        raise BadRequest(f"--me {problem}") from problem


def _keep_person(name: str) -> None:
    """Write into ``config.toml`` by which name the person speaks in chats."""
    from palace.config.settings import CONFIGURATION_FILE
    from palace_cli.connect import files, toml
    from palace_cli.connect.jsonc import Refused

    file = files.read(settings_of(None).home_folder / CONFIGURATION_FILE)
    try:
        changed = toml.put(file.text, ("person",), name)
    except Refused as problem:
        raise BadRequest(f"--me {problem}") from problem
    files.write(file, changed.encode(), is_private=True)


def summary_view(summary: MineSummary, *, background: bool = False, person: str = "") -> Table:
    turns = summary.drawers_new + summary.drawers_unchanged + summary.drawers_excluded + summary.drawers_forgotten
    rate = f" ({turns / summary.seconds:,.0f} turns/s)" if summary.seconds else ""
    is_read = summary.names or summary.claims
    return named_values(
        [
            ("dry run", "nothing was stored; this is what would have been" if summary.dry_run else ""),
            ("drawers", _drawers(summary)),
            ("filed in", ", ".join(f"{wing}: {number:,}" for wing, number in summary.wings[:MOST_SOURCES])),
            ("read", f"{count(summary.conversations, 'conversation')} in {count(summary.files, 'source')}"),
            ("secrets", secrets_of(summary.secrets)),
            *(("", line) for line in secret_places(summary.secrets_in)),
            ("left out", ", ".join(f"{number:,} {kind}" for kind, number in summary.left_out)),
            ("passed over", ", ".join(count(number, kind.removesuffix("s")) for kind, number in summary.passed_over)),
            *(("source", line) for line in _sources(summary.sources)),
            ("closets", summary.closets),
            ("I", f"{person} (--me NAME says otherwise)" if person and is_read else ""),
            ("graph", f"{count(summary.names, 'name')}, {count(summary.claims, 'claim')} read" if is_read else ""),
            ("passages", passages(summary, background=background)),
            ("cost", summary.cost_usd),
            ("time", f"{summary.seconds:,.1f} s{rate}"),
        ]
    )


def _sources(sources: Sequence[RehearsedSource]) -> list[str]:
    """Return a line for each of several sources with something new or replaced; of many for the first."""
    if len(sources) < 2:
        return []
    changed = [source for source in sources if source.new or source.replaced]
    lines = [
        f"{source.file}: {source.new:,} new, {source.unchanged:,} unchanged, {source.replaced:,} replaced"
        for source in changed[:MOST_SOURCES]
    ]
    more, same = len(changed) - len(lines), len(sources) - len(changed)
    if more:
        lines.append(f"… and {more:,} more with something new or replaced (--json has all)")
    return [*lines, f"{same:,} with nothing new"] if same else lines


def _drawers(summary: MineSummary) -> str:
    new, unchanged, excluded = summary.drawers_new, summary.drawers_unchanged, summary.drawers_excluded
    line = f"{new:,} new, {unchanged:,} unchanged, {excluded:,} excluded"
    return f"{line}, {summary.drawers_forgotten:,} forgotten" if summary.drawers_forgotten else line


def note(
    text: str = argument("TEXT", "The note, or - to read it from standard input."),
    *,
    wing: options.Wing = None,
    said_at: datetime | None = since("--said-at", "When it was so: a date or moment; now unless given."),
    id_: str | None = option("--id", "Your own name for the note: another text under it replaces the former.", "NAME"),
    keep_secrets: bool = flag("--keep-secrets", "File keys, passwords and card numbers as they stand in it."),
    type_: str | None = choice("--type", "Store it as a memory of this type.", *MemoryType),
    evidence: list[str] | None = option(
        "--evidence",
        "A drawer that the memory stands on; may be repeated.",
        "POINTER",
        completes=completion.pointers(completion.DRAWERS),
    ),
    importance: float | None = option("--importance", "Of the memory; 0.5 unless given.", "SHARE", min=0, max=1),
    user: options.User = None,
    new_user: options.NewUser = False,
    as_json: options.Json = False,
) -> None:
    """File a note by hand and print its pointer.

    The very same note again, with the same words, wing and moment, is the drawer that it has. A note with an id
    stays in the wing where it was filed first. Secrets are replaced by [secret: kind], unless --keep-secrets.
    With --type it is a memory (`palace memories`), in the wing Memories unless --wing names another.

    \b
    palace note "The spare battery is with Derek" --wing "Efoil rebuild"
    palace note "The spare battery is with Mara" --id spare-battery
    palace note "The spare battery is with Derek" --type semantic --importance 0.8
    date | palace note -
    """
    options.exclusive(("--type", type_ is not None), ("--keep-secrets", keep_secrets))
    if type_ is None and (evidence or importance is not None):
        raise BadRequest("--evidence and --importance are for a memory: give its --type as well")
    content = _read_standard_input() if text == "-" else text
    how: dict[str, Any] = {"wing": wing, "said_at": said_at, "id": id_}
    if type_ is None:
        return _note(content, how, user, keep_secrets=keep_secrets, new_user=new_user, as_json=as_json)
    how |= {"evidence": evidence or (), "importance": 0.5 if importance is None else importance}
    with open_palace(user, new_user=new_user) as palace:
        memory = palace.memories.store(content, type_, **how)
        others = [palace.memories.get(str(each)) for each in memory.contradicts]
    _write_note(memory, memory.drawer, as_json=as_json)
    for each in others:
        if each.superseded_by == memory.id:
            diagnostics.remark(f"it replaces {each.id}, which it contradicts")
        elif each.superseded_by is None and each.state is MemoryState.ACCEPTED:
            diagnostics.remark(f"it contradicts {each.id}: palace memories resolve ID keeps one of the two")


def _note(
    content: str, how: dict[str, Any], user: str | None, *, keep_secrets: bool, new_user: bool, as_json: bool
) -> None:
    how |= {"keep_secrets": keep_secrets}
    # What a worker filed without answering in time is the same note here, by its moment.
    now = datetime.now(UTC)
    done = None if new_user else ask_worker("note", user, text=content, now=now, **how)
    drawer, is_elsewhere = done or (None, False)
    if drawer is None:
        wing, how["said_at"] = how["wing"], how["said_at"] or shown(now)
        with open_palace(user, new_user=new_user) as palace:
            drawer = palace.note(content, **how, background=worker_follows())
            is_elsewhere = wing is not None and not _stands_in(palace, drawer, wing)
    _write_note(drawer, drawer, as_json=as_json)
    if is_elsewhere:
        there = f"stands in the wing {drawer.wing_name!r} already; `palace move` takes its room to another"
        diagnostics.warn([f"the note {there}"])


def _write_note(filed: Drawer | Memory, drawer: Drawer, *, as_json: bool) -> None:
    output.present(filed, lambda _: str(drawer.pointer), as_json=as_json)
    if drawer.redacted:
        diagnostics.remark(f"taken out of the note: {secrets_of(drawer.redacted)}")


def _stands_in(palace: Palace, drawer: Drawer, wing: str) -> bool:
    """Return whether a note is in the requested wing: one with an id stays where it was filed first."""
    try:
        return palace.tree.wing(wing).number == drawer.pointer.wing
    except NotFound:
        return False


def _read_standard_input() -> str:
    # One byte more than a note can have is enough to tell that it is too large.
    raw = own_input().read(LARGEST_MESSAGE + 1)
    if len(raw) > LARGEST_MESSAGE:
        raise UnreadableSource(STANDARD_INPUT, f"has more than the {LARGEST_MESSAGE:,} bytes that a note can have")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise UnreadableSource(STANDARD_INPUT, "is not UTF-8 text", place=f"byte {problem.start}") from problem
