"""Where a page is tried: a home and folders of its own, and the palace that the page is about."""

from __future__ import annotations

import os
import re
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from palace import Administration, Palace, Settings, load_settings
from palace.testing import LanguageModelServer
from tests.docs.files import SAMPLE, fill, lay_out
from tests.docs.shell import Ran, run
from tests.embedding.tiny import make_model
from tests.hosts import Host
from tests.hosts.embedded import EmbeddedHost
from tests.hosts.reach import LOGIN, PASSWORDS, TEMPLATE
from tests.hosts.shared import SharedHost

OWNER_ROLE = "palace_owner"
READER = "mara"
"""Who reads the page, as the operating system knows her."""


@dataclass(frozen=True, slots=True)
class Place:
    """One person's home on a computer where nobody has used Palace yet."""

    folder: Path
    """Everything is below it, what pages put below ``/tmp`` too."""
    environment: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, str] = field(default_factory=dict)
    """What stands for an address that the page cannot know."""
    files: dict[str, Path] = field(default_factory=dict)
    """What has to be in the folder a person is in, beside the usual, where the block does not make it itself."""

    def run(self, *commands: str) -> list[Ran]:
        """Run the commands of a block, in a new folder and a new shell."""
        here = self.folder / f"folder-{uuid.uuid4().hex[:6]}"
        here.mkdir()
        lay_out(self.folder / "home", here)
        for name, file in self.files.items():
            if not re.search(rf"\b(?:export|backup) {re.escape(name)}", "\n".join(commands)):
                (here / name).write_bytes(file.read_bytes())
        usual = {
            "PATH": f"{sys.prefix}/bin:{os.environ['PATH']}",
            "HOME": str(self.folder / "home"),
            "LOGNAME": READER,
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "PALACE_HOME": str(self.home),
        }
        return run([self._put_in(command) for command in commands], folder=here, environment=usual | self.environment)

    @property
    def home(self) -> Path:
        """The palace's home."""
        return self.folder / "palace"

    def _put_in(self, command: str) -> str:
        for told, meant in {"/tmp/palace-": f"{self.folder}/palace-", **self.stand_ins}.items():
            command = command.replace(told, meant)
        return command


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """The palace that pages speak of."""

    database: str
    exports: dict[str, Path]


@contextmanager
def on_a_database(
    host: Host, folder: Path, *, template: str = TEMPLATE, files: dict[str, Path] | None = None
) -> Iterator[Place]:
    """Give a place whose palace is in a database of its own on the tests' server."""
    name = f"page_{uuid.uuid4().hex[:10]}"
    host.create_database(name, template=template)
    addresses = {"DATABASE_URL": host.runtime_url(name), "DATABASE_OWNER_URL": host.owner_url(name)}
    yield Place(folder, {f"PALACE_{setting}": address for setting, address in addresses.items()}, files=files or {})
    host.drop_database(name)


@contextmanager
def with_a_model(host: Host, folder: Path) -> Iterator[Place]:
    """Give a place with a language model behind an API, which says the same to everybody."""
    with on_a_database(host, folder) as place, LanguageModelServer(*["A Quillfire 9."] * 20) as server:
        place.environment.update({"OPENAI_BASE_URL": server.api_base, "OPENAI_API_KEY": "sk-test"})
        yield place


@contextmanager
def with_an_embedding_model(host: Host, folder: Path) -> Iterator[Place]:
    """Give a place with a model in a folder, which is small."""
    model = make_model(folder / "model")
    with on_a_database(host, folder) as place:
        place.stand_ins["/srv/models/e5-small-v2"] = str(model)
        yield place


@contextmanager
def spoken_of(host: Host, folder: Path) -> Iterator[SpokenOf]:
    """Make a database with the palace that pages speak of, to be cloned, and exports of it."""
    name = f"pages_{uuid.uuid4().hex[:10]}"
    host.create_database(name, template=TEMPLATE)
    settings = load_settings(
        home=folder / "palace",
        user=READER,
        database_url=host.runtime_url(name),
        database_owner_url=host.owner_url(name),
    )
    with Palace.open(settings) as palace:
        fill(palace, folder)
        exports = {name: folder / name for name in ("palace.jsonl", "efoil.jsonl", "desktop.jsonl")}
        palace.transfer.export(exports["palace.jsonl"])
        palace.transfer.export(exports["desktop.jsonl"])
        palace.transfer.export(exports["efoil.jsonl"], wing="Efoil rebuild")
    yield SpokenOf(name, exports)
    host.drop_database(name)


@contextmanager
def with_a_server(folder: Path) -> Iterator[Place]:
    """Give a place where nothing is set: each home gets an embedded server, which is ended afterwards."""
    try:
        yield Place(folder)
    finally:
        for data in folder.glob("*/postgres"):
            EmbeddedHost(data.parent).stop()


@contextmanager
def with_a_backup(shared: SharedHost, folder: Path) -> Iterator[Place]:
    """Give a place with a palace on its embedded server, a backup of it, and an empty database on a shared one."""
    name = f"page_{uuid.uuid4().hex[:10]}"
    shared.create_database(name)
    with with_a_server(folder) as bare:
        settings = Settings(home=bare.home, user=READER)
        with Palace.open(settings) as palace:
            palace.mine(SAMPLE)
        file = Administration(settings).backup(folder / "sample.backup").file
        addresses = {OWNER_ROLE: shared.owner_url(name), LOGIN: shared.runtime_url(name)}
        told = {f"postgresql://{role}:…@db.example.com/palace": address for role, address in addresses.items()}
        yield Place(folder, stand_ins=told, files={"palace-2026-05-01.backup": file})
    shared.drop_database(name)


@contextmanager
def before_a_shared_server(shared: SharedHost, folder: Path) -> Iterator[Place]:
    """Give a place beside a prepared server with an empty database; the person knows the addresses and passwords."""
    name = f"page_{uuid.uuid4().hex[:10]}"
    shared.create_database(name)
    roles = {"OWNER": OWNER_ROLE, "APP": LOGIN}
    passwords = {f"PALACE_{who}_PASSWORD": quote(PASSWORDS[role], safe="") for who, role in roles.items()}
    told = {"127.0.0.1:5432/palace": f"127.0.0.1:{shared.port}/{name}", "postgresql://… ": f"{shared.owner_url(name)} "}
    with with_a_server(folder) as bare:
        yield Place(folder, {"PALACE_DATABASE_URL": shared.runtime_url(name), **passwords}, told)
        assert not (bare.home / "postgres").exists(), "a command went to a server of its own"
    shared.drop_database(name)
