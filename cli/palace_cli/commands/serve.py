"""``palace serve``: palaces over HTTP, for programs in any language."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import urlsplit

from palace.errors import BadRequest
from palace.telemetry.logs import write_log
from palace_cli import diagnostics, options
from palace_cli.opening import libraries_at_hand, settings_of
from palace_cli.options import option

if TYPE_CHECKING:
    from palace.config.settings import Settings
    from palace_server.caller import Service
    from palace_server.proxy.upstream import Upstream

HOST = "127.0.0.1"
LOOPBACK = (HOST, "localhost")
"""Addresses of this machine, which need no encryption."""
PORT = 8798
LIBRARIES = {"fastapi", "starlette", "uvicorn", "anyio", "httpx"}
NAMED = "A further name and port by which clients reach it, as in a proxy: palace.example:443. May be repeated."
Hosts = Annotated[list[str] | None, option("--allow-host", NAMED, "NAME", default=...)]
SOCKET = "The Unix socket; serve.sock in the home folder unless given."
ADDRESS = f"Listen on TCP instead, on this address; {HOST} with --port alone."
PUBLIC_URL = "The address by which programs reach it, as behind a proxy: https://palace.example."
PROXY = "Also pass requests on to this provider of models, with memory: its API's address."
PROVIDER_KEY = "The environment variable with the provider's key, for programs that send Palace's key alone."
RATE = "How many requests a second one key may send."


class _Address(NamedTuple):
    """Where to listen on TCP, and by which names and address clients reach it."""

    host: str
    port: int
    others: Sequence[str]
    public_url: str | None


def serve(
    *,
    path: Path | None = option("--socket", SOCKET, "PATH"),
    host: str | None = option("--host", ADDRESS, "ADDRESS"),
    port: int | None = option("--port", f"Listen on TCP instead; {PORT} with --host alone.", "N", min=0, max=65535),
    hosts: Hosts = None,
    public_url: str | None = option("--public-url", PUBLIC_URL, "URL"),
    proxy: str | None = option("--proxy", PROXY, "URL"),
    provider_key_env: str | None = option("--provider-key-env", PROVIDER_KEY, "NAME"),
    rate: float = option("--rate", RATE, "N", default=50.0, min=0.1, max=100_000),
    opens: bool = option("--open", f"Listen on a free port of {HOST}, and open the page in a browser."),
    log_level: options.LogLevel = "warning",
    log_json: options.LogJson = False,
    user: options.User = None,
) -> None:
    """Serve palaces over HTTP: REST, described by /openapi.json, and a page for browsers.

    By default over a Unix socket that this account alone can reach, where the palace of --user needs no key. Over TCP
    each request needs one of `palace keys create`; for encryption put a proxy in front (docs/server.md).
    The log, on standard error, has no word of any message.

    \b
    palace serve
    palace serve --open
    palace serve --port 8798
    palace serve --host 0.0.0.0 --port 8798 --public-url https://palace.example
    palace serve --port 8798 --proxy https://api.openai.com/v1
    """
    is_tcp = host is not None or port is not None
    options.exclusive(("--socket", path is not None), ("--host or --port", is_tcp))
    options.exclusive(("--open", opens), ("--socket", path is not None))
    options.exclusive(("--open", opens), ("--host", host is not None))
    if public_url is not None and not is_tcp:
        raise BadRequest("--public-url is for --host or --port: give one of these too")
    names = (*(hosts or ()), *([] if public_url is None else [_host_of(public_url)]))
    write_log(log_level, as_json=log_json)
    with libraries_at_hand("palace serve needs the server's libraries", "serve", LIBRARIES):
        settings, upstream = settings_of(user), _upstream(proxy, provider_key_env)
        if opens:
            _serve_port(settings, _Address(HOST, port or 0, names, public_url), rate, upstream, opens=True)
        elif is_tcp:
            at = _Address(host or HOST, PORT if port is None else port, names, public_url)
            _serve_port(settings, at, rate, upstream)
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
        serve(guarded(make_app(service, upstream), Names(None)), taken, lambda: _begin(service, told))


def _host_of(public_url: str) -> str:
    """Return the value of ``Host`` in requests to the server's address."""
    parts = urlsplit(public_url)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not is_safe or public_url != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise BadRequest(f"--public-url must be like https://palace.example, without a path, not {public_url!r}")
    return parts.netloc


def _serve_port(
    settings: Settings, at: _Address, rate: float, upstream: Upstream | None, *, opens: bool = False
) -> None:
    from palace import Palaces
    from palace_mcp.http.listening import listen
    from palace_server.app import guarded, make_app
    from palace_server.caller import Service
    from palace_server.guard import Names, accepted_hosts
    from palace_server.page.signing import opening
    from palace_server.serving import serve

    with Palaces.open(settings) as palaces, listen(at.host, at.port) as taken:
        chosen = taken.getsockname()[1]
        here = f"http://{at.host}:{chosen}"
        told = f"serving {here}: each request needs a key (palace keys create)"
        names = Names(accepted_hosts(chosen, at.host, at.others))
        url = at.public_url or (here if at.host in LOOPBACK else None)
        service = Service(palaces, keyless_user=None, rate=rate, public_url=url)
        app = guarded(make_app(service, upstream), names)
        if not opens:
            serve(app, taken, lambda: _begin(service, told))
            return
        service.opened_user = palaces.palace(settings.user).user
        with opening(settings.home_folder, here, service.code) as open_page:
            serve(app, taken, lambda: open_page(diagnostics.remark))


def _begin(service: Service, told: str) -> None:
    diagnostics.remark(told)
    Thread(target=service.warm, name="palace-serve-warming", daemon=True).start()


def _upstream(url: str | None, key_env: str | None) -> Upstream | None:
    """Return the provider that requests are passed on to."""
    from palace_server.proxy.upstream import Upstream

    if url is None:
        if key_env is not None:
            raise BadRequest("--provider-key-env is for --proxy URL")
        return None
    key = None if key_env is None else os.environ.get(key_env, "").strip()
    if key == "":
        raise BadRequest(f"the environment has no {key_env}: it holds the provider's key")
    return Upstream.of(url, key)
