"""Databases on a second server, which is set up as docs/shared-server.md says."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from palace import Administration, load_settings
from palace.db.embedded.binaries import reachable, wheel_binaries
from palace.db.embedded.home import Layout, give_folders, make_folder, make_private, server_account
from palace.db.embedded.lock import take
from palace.db.embedded.postmaster import last_complaint, launch, server_command, stop_processes
from tests.hosts.reach import (
    ADMINISTRATOR,
    LOGIN,
    OWNER,
    PASSWORDS,
    PATIENCE_SECONDS,
    TEMPLATE,
    execute,
    free_port,
    tcp_url,
    wait_for,
    wait_for_template,
    write_for,
)

PREPARE = Path(__file__).parents[2] / "docker" / "prepare.sql"


class SharedHost:
    """A second server, as an administrator sets one up: TCP alone, a password for everybody, no superuser at work."""

    def __init__(self, home: Path) -> None:
        self.layout = Layout.of(home / "shared")
        self._port_file = self.layout.home / "port"

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return int(self._port_file.read_text())

    def ensure_running(self) -> None:
        """Start the server, prepare it as docker-compose.yml does, and migrate the template as its owner."""
        if self._port_file.exists():
            return
        port = free_port()
        self._start(port)
        self._prepare(port)
        self._port_file.write_text(str(port))
        settings = load_settings(
            home=self.layout.home,
            database_url=self.url(LOGIN, TEMPLATE),
            database_owner_url=self.owner_url(TEMPLATE),
        )
        Administration(settings).upgrade()

    def stop(self) -> None:
        """End the server."""
        stop_processes(self.layout)

    def create_database(self, name: str, *, template: str | None = None) -> None:
        """Make a database of the owner's; an empty one gets the extensions, as only a superuser may make them."""
        administrator = self.administrator_url("postgres")
        make = f"CREATE DATABASE {name} OWNER {OWNER} TEMPLATE {template or 'template1'}"
        wait_for_template(lambda: execute(administrator, make))
        if template is None:
            extensions = (f"CREATE EXTENSION {extension}" for extension in ("vector", "btree_gin", "btree_gist"))
            execute(self.administrator_url(name), *extensions)

    def drop_database(self, name: str) -> None:
        """Remove a database."""
        execute(self.administrator_url("postgres"), f"DROP DATABASE {name} WITH (FORCE)")

    def administrator_url(self, database: str) -> str:
        """URL of the superuser."""
        return self.url(ADMINISTRATOR, database)

    def owner_url(self, database: str) -> str:
        """URL of the schema's owner."""
        return self.url(OWNER, database)

    def runtime_url(self, database: str) -> str:
        """URL of a member of the runtime role."""
        return self.url(LOGIN, database)

    def url(self, role: str, database: str) -> str:
        """URL of any of the roles, straight to the server."""
        return tcp_url(self.port, role, database)

    def _start(self, port: int) -> None:
        layout, begun = self.layout, time.time()
        make_folder(layout)
        account = server_account(layout)
        give_folders(layout, account)
        binaries = reachable(wheel_binaries(), account, layout)
        make_private(layout.data, account)
        passwords = write_for(account, layout.folder / "password", PASSWORDS[ADMINISTRATOR])
        options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off"}
        made = account.run(
            [
                binaries.binary("initdb"),
                f"--username={ADMINISTRATOR}",
                f"--pwfile={passwords}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
                *(f"--set={name}={value}" for name, value in options.items()),
                f"--pgdata={layout.data}",
            ],
            seconds=PATIENCE_SECONDS,
        )
        assert made.returncode == 0, made.stdout
        claim = take(layout.alive)
        assert claim is not None
        launch(server_command(binaries.binary("postgres"), layout), account, log=layout.start_log, keep=(claim,))
        os.close(claim)
        wait_for(tcp_url(port, ADMINISTRATOR, "postgres"), lambda: last_complaint(layout, since=begun))

    def _prepare(self, port: int) -> None:
        """Make the template's database, let psql run the very script that the compose file mounts."""
        execute(tcp_url(port, ADMINISTRATOR, "postgres"), f"CREATE DATABASE {TEMPLATE}")
        address = tcp_url(port, ADMINISTRATOR, TEMPLATE)
        passwords = {"PALACE_OWNER_PASSWORD": PASSWORDS[OWNER], "PALACE_APP_PASSWORD": PASSWORDS[LOGIN]}
        psql: list[str | Path] = [wheel_binaries().binary("psql"), "--no-psqlrc", f"--file={PREPARE}", address]
        subprocess.run(psql, check=True, env=os.environ | passwords, stdout=subprocess.DEVNULL)
