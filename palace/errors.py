"""Every error Palace raises on purpose.

PalaceError
├── BadRequest             the caller asked for something that makes no sense
│   ├── NotFound              … or that this user's palace does not have
│   ├── MoreToForget          … or that would take more than was agreed to
│   ├── TwoTypes              … or that would make one of what hardly is
│   ├── AnotherRequest        … or a second request by the name of a first
│   └── StillRunning          … or the same one while it is carried out
├── UnreadableSource       a file that cannot be mined: names the file and the place
├── DatabaseUnavailable    no server answers
│   └── EmbeddedServerError   … because the embedded one cannot run
├── SchemaMismatch         the schema is older or newer than this code
├── DatabaseRefused        the server refused a statement (disk full, no rights)
│   ├── DataRefused           … because it cannot hold a value in it
│   └── OutOfTime             … because it took longer than it may
├── OutboxError            what was said can neither be filed nor wait
├── Cancelled              the caller cancelled the call
├── UserNotNamed           a statement that is not about one user's rows, never sent; a fault of the program
└── ModelError             a model failed; carries the records of the calls that were made
    ├── EmbeddingError        the embedding model is missing, wrong or did not answer
    │   └── BudgetSpent          … because embedding would go beyond the day's budget
    └── LanguageModelError    the language model did not reply, or not with what it was asked for

Each message is one line that a person can act on, each class has a code for programs. Driver and provider
exceptions are translated where they enter, with ``from``.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar


class PalaceError(Exception):
    """Base of every error that Palace raises; its message is one line."""

    code: ClassVar[str] = "failed"
    """What programs tell it by; a code that was released stays. docs/python.md lists them."""


class BadRequest(PalaceError):
    """The call itself is wrong: an empty query, a negative count, an unknown option."""

    code = "bad_request"


class NotFound(BadRequest):
    """The wing, room, drawer or pointer is not in this user's palace."""

    code = "not_found"


class MoreToForget(BadRequest):
    """More drawers would be forgotten than the caller said there may be; nothing was."""

    code = "more_to_forget"


class Replaced(BadRequest):
    """The note that another text is to replace is no longer the current version; nothing was filed."""

    code = "replaced"


class TwoTypes(BadRequest):
    """Two entities have different types and were not merged; ``what`` says so in words."""

    code = "two_types"

    def __init__(self, one: str, other: str) -> None:
        self.what = f"{one} and {other} are of two types, and hardly one"
        super().__init__(f"{self.what}: merge them all the same with --yes, or in Python with anyway=True")


class AnotherRequest(BadRequest):
    """The name of a request that is to be carried out once was used for another one."""

    code = "another_request"


class StillRunning(BadRequest):
    """A request that is to be carried out once is still carried out."""

    code = "still_running"


class UnreadableSource(PalaceError):
    """A source that cannot be mined.

    ``file`` is what the person named; ``place`` says where in it ("line 3", "conversation 2, turn 5"), empty
    when the whole file is meant; ``reason`` is the rest of the sentence.
    """

    code = "unreadable_source"

    def __init__(self, file: str, reason: str, *, place: str = "") -> None:
        self.file, self.place, self.reason = file, place, reason
        where = f"{file}, {place}" if place else file
        super().__init__(f"{where}: {reason}")


class DatabaseUnavailable(PalaceError):
    """No server answers at the configured address."""

    code = "database_unavailable"


class EmbeddedServerError(DatabaseUnavailable):
    """The embedded server cannot be started, reached or stopped."""

    code = "embedded_server"


class SchemaMismatch(PalaceError):
    """The database schema is older or newer than this code."""

    code = "schema_mismatch"


class DatabaseRefused(PalaceError):
    """The server refused a statement; the transaction was rolled back."""

    code = "database_refused"


class DataRefused(DatabaseRefused):
    """The server cannot hold a value: too long for an index, out of range, not text it knows. ``reason`` says which."""

    code = "data_refused"

    def __init__(self, address: str, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{address}: {reason}")


class OutOfTime(DatabaseRefused):
    """A statement took longer than an arm of recall may, and was stopped; recall answers without that arm."""

    code = "out_of_time"


class OutboxError(PalaceError):
    """An exchange can neither be filed nor wait: the outbox is full, or the disk refuses."""

    code = "outbox_failed"


class Cancelled(PalaceError):
    """The call was cancelled. What it had filed by then stays, nothing is half written, and the same call goes on."""

    code = "cancelled"

    def __init__(self, message: str = "cancelled: what was filed stays, the same call goes on") -> None:
        super().__init__(message)


class UserNotNamed(PalaceError):
    """A statement does not say whose rows it is about, or says it wrongly; it was not sent."""

    code = "user_not_named"


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call to a model, for the ledger."""

    model: str
    tokens: int
    cost_usd: Decimal
    seconds: float
    outcome: str
    """"ok", or one word for the kind of error."""
    doubt: str = ""
    """One line for the person about what the provider reported and cannot be true; not for the ledger."""


class ModelError(PalaceError):
    """A model failed. ``calls`` holds the records of the calls that were made all the same, for the ledger."""

    code = "model_failed"

    def __init__(self, message: str, *, calls: tuple[CallRecord, ...] = ()) -> None:
        super().__init__(message)
        self.calls = calls


class EmbeddingError(ModelError):
    """The embedding model is missing, has another shape than recorded, or did not answer."""

    code = "embedding_failed"

    def __init__(
        self, message: str, *, calls: tuple[CallRecord, ...] = (), refused: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(message, calls=calls)
        self.refused = refused
        """Indices of the texts that the model cannot embed, where the others are known to be embeddable."""


class BudgetSpent(EmbeddingError):
    """Embedding would go beyond the day's budget; what is not embedded waits for another day."""

    code = "budget_spent"


class LanguageModelError(ModelError):
    """The language model has no key, did not reply in time, or its reply is not what it was asked for."""

    code = "language_model_failed"
