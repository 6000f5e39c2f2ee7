"""A hundred texts that would run as scripts, break out of markup or lead elsewhere if they were not escaped."""

from __future__ import annotations

_PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "javascript:alert(1)",
    "//evil.example/x",
    "{{ 7 * 7 }}{% raw %}",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<style>body{display:none}</style>",
    "<form action=//evil.example><input name=csrf>",
)
_AROUND = (
    "{}",
    "'>{}",
    '">{}',
    "</title>{}",
    "</textarea></script>{}",
    "-->{}<!--",
    '"autofocus onfocus=alert(1) {}',
    "' onmouseover=alert(1) {}",
    "&lt;{}&#x3c;script&#x3e;",
    "]]>{}\u202e\u2028",
)
HOSTILE = tuple(
    around.format(payload) if "{{" not in payload else around.replace("{}", payload)
    for around in _AROUND
    for payload in _PAYLOADS
)
