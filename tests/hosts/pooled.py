"""Databases on the second server, everyday work going through PgBouncer."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import signal
from pathlib import Path

import psutil
import psycopg

from palace.db.embedded.home import make_private, server_account
from palace.db.embedded.postmaster import launch
from tests.hosts.reach import LOGIN, PATIENCE_SECONDS, free_port, tcp_url, wait_for, write_for
from tests.hosts.shared import SharedHost

DOCUMENTED = Path(__file__).parents[2] / "docs" / "shared-server.md"


class PooledHost(SharedHost):
    """The same server, everyday work going through PgBouncer in transaction mode."""

    POOL_SIZE = 4

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.pooler = Pooler(self, "pooler", pool_size=self.POOL_SIZE)

    def ensure_running(self) -> None:
        """Start server and pooler."""
        super().ensure_running()
        self.pooler.ensure_running()

    def stop(self) -> None:
        """End both."""
        self.pooler.stop()
        super().stop()

    def runtime_url(self, database: str) -> str:
        """URL of a member of the runtime role, through the pooler."""
        return self.pooler.url(LOGIN, database)


class Pooler:
    """A PgBouncer before a shared server, configured as docs/shared-server.md says."""

    def __init__(self, server: SharedHost, name: str, *, pool_size: int) -> None:
        self._server = server
        self._folder = server.layout.home / name
        self._pool_size = pool_size

    def url(self, role: str, database: str) -> str:
        """URL of a role through the pooler."""
        return tcp_url(int((self._folder / "port").read_text()), role, database)

    def ensure_running(self) -> None:
        """Start it with the passwords the server has now."""
        if (self._folder / "port").exists():
            return
        program = find_pgbouncer()
        assert program is not None, "the package pgbouncer is not installed"
        account, port = server_account(self._server.layout), free_port()
        self._folder.mkdir(mode=0o711, exist_ok=True)
        make_private(self._folder / "run", account)
        configuration = write_for(account, self._folder / "run" / "pgbouncer.ini", self._configuration(port))
        write_for(account, self._folder / "run" / "userlist.txt", self._users())
        launch([program, "-q", configuration], account, log=self._folder / "start.log")
        wait_for(tcp_url(port, LOGIN, "postgres"), (self._folder / "start.log").read_text)
        (self._folder / "port").write_text(str(port))

    def stop(self) -> None:
        """End it, if it is what the file with its process id says."""
        pid_file = self._folder / "run" / "pgbouncer.pid"
        if not pid_file.exists():
            return
        pid = int(pid_file.read_text())
        process = psutil.Process(pid) if psutil.pid_exists(pid) else None
        if process and str(self._folder) in " ".join(process.cmdline()):
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)

    def _configuration(self, port: int) -> str:
        """Take the documented file, with this pooler's addresses, a pool that is soon exhausted and little patience."""
        documented = DOCUMENTED.read_text(encoding="utf-8")
        block = re.search(r"^```ini\n(.*?)^```$", documented, re.DOTALL | re.MULTILINE)
        assert block is not None
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(block[1])
        parser["databases"]["*"] = f"host=127.0.0.1 port={self._server.port}"
        parser["pgbouncer"].update(
            listen_addr="127.0.0.1",
            listen_port=str(port),
            unix_socket_dir="",
            auth_file=str(self._folder / "run" / "userlist.txt"),
            pidfile=str(self._folder / "run" / "pgbouncer.pid"),
            default_pool_size=str(self._pool_size),
            server_login_retry="1",  # seconds in which nobody is let in after a server that was away
        )
        return "".join(
            f"[{section}]\n" + "".join(f"{name} = {value}\n" for name, value in parser[section].items())
            for section in parser.sections()
        )

    def _users(self) -> str:
        """Copy the SCRAM secrets from the server, as the page says; no password is written down."""
        query = "SELECT rolname, rolpassword FROM pg_authid WHERE rolcanlogin AND rolpassword IS NOT NULL"
        with psycopg.connect(self._server.administrator_url("postgres")) as connection:
            return "".join(f'"{name}" "{secret}"\n' for name, secret in connection.execute(query))


def find_pgbouncer() -> str | None:
    """Find the program, also where an ordinary user's PATH does not lead."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
