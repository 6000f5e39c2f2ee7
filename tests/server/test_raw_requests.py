"""Requests that no HTTP library sends: two lengths, two hosts, other forms of targets, heads without end."""

from __future__ import annotations

import contextlib
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from palace import Palace

HIDDEN = "DELETE /v1/drawers/W-001/R-01/D-001 HTTP/1.1\r\nHost: {host}\r\nAuthorization: {key}\r\n\r\n"
"""A request that forgets the only drawer, put where a body is."""
CHUNKED = "{size in hex}\r\n{hidden}\r\n0\r\n\r\n"
GET, HOST = "GET /v1/drawers HTTP/1.1\r\n", "Host: {host}\r\n"
KEY = "Authorization: {key}\r\nConnection: close\r\n"
POST = "POST /v1/recall HTTP/1.1\r\nHost: {host}\r\nAuthorization: {key}\r\n"
"""It leaves the connection open for what follows it."""

MALFORMED = {
    "two hosts": GET + HOST + "Host: evil.example\r\n" + KEY + "\r\n",
    "no host": GET + KEY + "\r\n",
    "another host after it": GET + "Host: {host}, evil.example\r\n" + KEY + "\r\n",
    "a host with a user": GET + "Host: evil@{host}\r\n" + KEY + "\r\n",
    "an absolute target of another host": "GET http://evil.example/v1/drawers HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "an absolute target": "GET http://{host}/v1/drawers HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "a target of CONNECT": "CONNECT evil.example:443 HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "a null byte": "GET /v1/drawers\0 HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "a space in the target": "GET /v1/drawers /x HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "parameters of a path": "GET /v1/entities/..;/drawers HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "an encoded slash": "GET /v1%2fdrawers/W-001%2fR-01%2fD-002 HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "a slash encoded twice": "GET /v1%252fdrawers HTTP/1.1\r\n" + HOST + KEY + "\r\n",
    "a public path before it": "GET /healthz/../v1/drawers HTTP/1.1\r\n" + HOST + "\r\n",
    "a public path in capitals": "GET /HEALTHZ HTTP/1.1\r\n" + HOST + "\r\n",
    "a path of a proxy": "GET /nowhere HTTP/1.1\r\n" + HOST + KEY + "X-Original-URL: /v1/drawers\r\n\r\n",
    "a host of a proxy": GET + "Host: evil.example\r\nX-Forwarded-Host: {host}\r\n" + KEY + "\r\n",
    "both lengths": POST + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}",
    "both lengths, turned": POST + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n{hidden}",
    "two lengths": POST + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n{hidden}",
    "a length with a sign": POST + "Content-Length: +5\r\n\r\n{hidden}",
    "a negative length": POST + "Content-Length: -1\r\n\r\n{hidden}",
    "an endless length": POST + "Content-Length: 999999999999999999999999\r\n\r\n{hidden}",
    "an unknown encoding": POST + "Transfer-Encoding: xchunked\r\n\r\n{hidden}",
    "two encodings": POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNKED,
    "a space before the colon": POST + "Transfer-Encoding : chunked\r\n\r\n" + CHUNKED,
    "a chunk of no number": POST + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n{hidden}",
    "a request as a body": POST + "Content-Length: {size}\r\n\r\n{hidden}",
    "a request as a chunk": POST + "Transfer-Encoding: chunked\r\n\r\n" + CHUNKED,
    "a header of a megabyte": GET + HOST + KEY + f"X-Long: {'x' * (1 << 20)}\r\n\r\n",
    "headers of a megabyte": GET + HOST + KEY + "X-Some: xxxxxxxxxxxxxxxx\r\n" * 40_000 + "\r\n",
    "a key on two lines": GET + HOST + "Authorization: Bearer\r\n {key}\r\n\r\n",
    "two keys": GET + HOST + "Authorization: Bearer pal_1x1_wrong\r\n" + KEY + "\r\n",
    "an old protocol": "GET /v1/drawers\r\n\r\n",
    "no HTTP": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
}  # fmt: skip


def answered(address: str, request: str) -> bytes:
    """Send bytes on a connection of their own; return all that comes back until it is closed, or nothing more comes."""
    where = urlsplit(address)
    received = b""
    with (
        contextlib.suppress(BrokenPipeError, ConnectionResetError, TimeoutError),
        socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=3) as connection,
    ):
        connection.sendall(request.encode("latin-1"))
        while piece := connection.recv(1 << 16):
            received += piece
    return received


def test_malformed_requests_are_refused_and_what_hides_behind_them_is_not_carried_out(
    address: str, client: httpx.Client, palace: Palace
) -> None:
    palace.note("The zirconium vault opens with code 4711.")
    before, key = palace.tree.all_drawers(), client.headers["authorization"]
    values = {"host": urlsplit(address).netloc, "key": key}
    hidden = HIDDEN.format_map(values)
    values |= {"hidden": hidden, "size": str(len(hidden)), "size in hex": f"{len(hidden):x}"}
    wrong = []
    for name, request in MALFORMED.items():
        got = answered(address, request.format_map(values))
        statuses = [line.split()[1] for line in got.splitlines() if line.startswith(b"HTTP/1.1 ")]
        if len(statuses) > 1 or any(status[:1] != b"4" for status in statuses) or b"4711" in got or key.encode() in got:
            wrong.append((name, got[:300]))
        assert palace.tree.all_drawers() == before, name
    assert wrong == []
    assert client.get("/v1/drawers").status_code == 200


@pytest.mark.parametrize(
    "header", ["X-Forwarded-User", "X-Palace-User", "X-Real-IP", "Cookie", "X-HTTP-Method-Override"]
)
def test_no_other_header_says_who_it_is_from_or_what_is_done(client: httpx.Client, palace: Palace, header: str) -> None:
    path = client.post("/v1/drawers", json={"content": "Bees hum."}).headers["location"]
    assert client.get(path, headers={header: "DELETE"}).status_code == 200
    assert httpx.get(client.base_url.join(path), headers={header: palace.user}).status_code == 401
    assert client.get(path).status_code == 200
