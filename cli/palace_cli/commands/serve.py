"""``palace serve``: palaces over HTTP, for programs in any language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from palace.errors import BadRequest, PalaceError
from palace.telemetry.logs import write_log
from palace_cli import diagnostics, options
from palace_cli.opening import settings_of
from palace_cli.options import option

if TYPE_CHECKING:
    from palace.config.settings import Settings

HOST = "127.0.0.1"
LOOPBACK = (HOST, "localhost")
"""Addresses of this machine, which need no encryption."""
PORT = 8798
NAMED = "A further name and port by which clients reach it, as in a proxy: palace.example:443. May be repeated."
Hosts = Annotated[list[str] | None, option("--allow-host", NAMED, "NAME", default=...)]


def serve(
    *,
    path: Path | None = option("--socket", "The Unix socket; serve.sock in the home folder unless given.", "PATH"),
    host: str | None = option(
        "--host", f"Listen on TCP instead, on this address; {HOST} with --port alone.", "ADDRESS"
    ),
    port: int | None = option("--port", f"Listen on TCP instead; {PORT} with --host alone.", "N", min=0, max=65535),
    hosts: Hosts = None,
    public_url: str | None = option(
        "--public-url", "The address by which programs reach it, as behind a proxy: https://palace.example.", "URL"
    ),
    rate: float = option(
        "--rate", "How many requests a second one key may send.", "N", default=50.0, min=0.1, max=100_000
    ),
    opens: bool = option("--open", f"Listen on a free port of {HOST}, and open the page in a browser."),
    log_level: options.LogLevel = "warning",
    log_json: options.LogJson = False,
    user: options.User = None,
) -> None:
    """Serve palaces over HTTP: REST, described by /openapi.json, and a page for browsers.

    By default over a Unix socket that this account alone can reach, where the palace of --user needs no key. Over TCP
    each request needs one of `palace keys create`; encryption is the business of a proxy in front (docs/server.md).
    The log, on standard error, has no word of any message.

    \b
    palace serve
    palace serve --open
    palace serve --port 8798
    palace serve --host 0.0.0.0 --port 8798 --public-url https://palace.example
    """
    is_tcp = host is not None or port is not None
    options.exclusive(("--socket", path is not None), ("--host or --port", is_tcp))
    options.exclusive(("--open", opens), ("--socket", path is not None))
    options.exclusive(("--open", opens), ("--host", host is not None))
    if public_url is not None and not is_tcp:
        raise BadRequest("--public-url is for --host or --port: give one of these too")
    write_log(log_level, as_json=log_json)
    with _library_at_hand():
        settings = settings_of(user)
        if opens:
            _serve_port(settings, HOST, port or 0, hosts or (), public_url, rate, opens=True)
        elif is_tcp:
            names = (*(hosts or ()), *([] if public_url is None else [_host_of(public_url)]))
            _serve_port(settings, host or HOST, PORT if port is None else port, names, public_url, rate)
        else:
            _serve_socket(settings, path, rate)


def _serve_socket(settings: Settings, path: Path | None, rate: float) -> None:
    from palace import Palaces
    from palace_server.app import guarded, make_app
    from palace_server.caller import Service
    from palace_server.guard import Names
    from palace_server.serving import SOCKET, listen_on_socket, serve

    where = path or settings.home_folder / SOCKET
    told = f"serving {where}: only this account reaches it, without a key"
    with Palaces.open(settings) as palaces, listen_on_socket(where) as taken:
        service = Service(palaces, keyless_user=settings.user, rate=rate)
        serve(guarded(make_app(service), Names(None)), taken, lambda: diagnostics.remark(told))


def _host_of(public_url: str) -> str:
    """Return the value of ``Host`` in requests to the server's address.

    Raises:
        BadRequest: it is no address by which programs can be let in.
    """
    parts = urlsplit(public_url)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not is_safe or public_url != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise BadRequest(f"--public-url must be like https://palace.example, without a path, not {public_url!r}")
    return parts.netloc


def _serve_port(
    settings: Settings,
    host: str,
    port: int,
    others: Sequence[str],
    public_url: str | None,
    rate: float,
    *,
    opens: bool = False,
) -> None:
    from palace import Palaces
    from palace_server.app import guarded, make_app
    from palace_server.caller import Service
    from palace_server.guard import Names, accepted_hosts
    from palace_server.page.signing import opening
    from palace_server.serving import listen_on_port, serve

    with Palaces.open(settings) as palaces, listen_on_port(host, port) as taken:
        chosen = taken.getsockname()[1]
        told = f"serving http://{host}:{chosen}: each request needs a key (palace keys create)"
        names = Names(accepted_hosts(chosen, host, others))
        url = public_url or (f"http://{host}:{chosen}" if host in LOOPBACK else None)
        service = Service(palaces, keyless_user=None, rate=rate, public_url=url)
        app = guarded(make_app(service), names)
        if not opens:
            serve(app, taken, lambda: diagnostics.remark(told))
            return
        service.opened_user = palaces.palace(settings.user).user
        with opening(settings.home_folder, f"http://{host}:{chosen}", service.code) as open_page:
            serve(app, taken, lambda: open_page(diagnostics.remark))


@contextmanager
def _library_at_hand() -> Iterator[None]:
    """Report that the server's libraries are not installed.

    Raises:
        PalaceError: they are missing.
    """
    try:
        yield
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] in {"fastapi", "starlette", "uvicorn", "anyio"}:
            missing = "palace serve needs the server's libraries: pip install 'memory-palace-pg[serve]'"
            raise PalaceError(missing) from problem
        raise
