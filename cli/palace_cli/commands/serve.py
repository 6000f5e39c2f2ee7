"""``palace serve``: palaces over HTTP, for programs in any language."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from palace.errors import BadRequest, PalaceError
from palace.telemetry.logs import write_log
from palace_cli import diagnostics, options
from palace_cli.opening import settings_of
from palace_cli.options import option

if TYPE_CHECKING:
    from palace.config.settings import Settings
    from palace_server.proxy.upstream import Upstream

HOST = "127.0.0.1"
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
    proxy: str | None = option(
        "--proxy", "Also pass requests on to this provider of models, with memory: its API's address.", "URL"
    ),
    provider_key_env: str | None = option(
        "--provider-key-env",
        "The environment variable with the provider's key, for programs that send Palace's key alone.",
        "NAME",
    ),
    rate: float = option(
        "--rate", "How many requests a second one key may send.", "N", default=50.0, min=0.1, max=100_000
    ),
    log_level: options.LogLevel = "warning",
    log_json: options.LogJson = False,
    user: options.User = None,
) -> None:
    """Serve palaces over HTTP: REST, described by /openapi.json.

    By default over a Unix socket that this account alone can reach, where the palace of --user needs no key. Over TCP
    each request needs one of `palace keys create`; encryption is the business of a proxy in front (docs/server.md).
    The log, on standard error, has no word of any message.

    \b
    palace serve
    palace serve --port 8798
    palace serve --host 0.0.0.0 --port 8798 --allow-host palace.example
    palace serve --port 8798 --proxy https://api.openai.com/v1
    """
    is_tcp = host is not None or port is not None
    options.exclusive(("--socket", path is not None), ("--host or --port", is_tcp))
    write_log(log_level, as_json=log_json)
    with _library_at_hand():
        settings, upstream = settings_of(user), _upstream(proxy, provider_key_env)
        if is_tcp:
            _serve_port(settings, host or HOST, PORT if port is None else port, hosts or (), rate, upstream)
        else:
            _serve_socket(settings, path, rate, upstream)


def _serve_socket(settings: Settings, path: Path | None, rate: float, upstream: Upstream | None) -> None:
    from palace import Palaces
    from palace_server.app import guarded, make_app
    from palace_server.caller import Service
    from palace_server.guard import Names
    from palace_server.serving import SOCKET, listen_on_socket, serve

    where = path or settings.home_folder / SOCKET
    told = f"serving {where}: only this account reaches it, without a key"
    with Palaces.open(settings) as palaces, listen_on_socket(where) as taken:
        service = Service(palaces, keyless_user=settings.user, rate=rate)
        serve(guarded(make_app(service, upstream), Names(None)), taken, lambda: diagnostics.remark(told))


def _serve_port(
    settings: Settings, host: str, port: int, others: Sequence[str], rate: float, upstream: Upstream | None
) -> None:
    from palace import Palaces
    from palace_server.app import guarded, make_app
    from palace_server.caller import Service
    from palace_server.guard import Names, accepted_hosts
    from palace_server.serving import listen_on_port, serve

    with Palaces.open(settings) as palaces, listen_on_port(host, port) as taken:
        chosen = taken.getsockname()[1]
        told = f"serving http://{host}:{chosen}: each request needs a key (palace keys create)"
        names = Names(accepted_hosts(chosen, host, others))
        service = Service(palaces, keyless_user=None, rate=rate)
        serve(guarded(make_app(service, upstream), names), taken, lambda: diagnostics.remark(told))


def _upstream(url: str | None, key_env: str | None) -> Upstream | None:
    """Return the provider that requests are passed on to.

    Raises:
        BadRequest: its address is invalid, or its key is not in the environment.
    """
    from palace_server.proxy.upstream import Upstream

    if url is None:
        if key_env is not None:
            raise BadRequest("--provider-key-env is for --proxy URL")
        return None
    key = None if key_env is None else os.environ.get(key_env, "").strip()
    if key == "":
        raise BadRequest(f"the environment has no {key_env}: it holds the provider's key")
    return Upstream.of(url, key)


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
