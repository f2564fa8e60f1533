"""How log lines look and where they go: to standard error, one event a line, as text or as JSON, without secrets."""

import logging
import re
import sys
from typing import Any, Final, TextIO
from urllib.parse import quote

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor, WrappedLogger

from agentbrowser.config import Config
from agentbrowser.policy.masking import SecretMasker
from agentbrowser.policy.redaction import redact_trace
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.policy.urls import REDACTED, redact_url

_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://\S*")


def set_up_logging(config: Config, stream: TextIO | None = None) -> None:
    """Have all that the process logs, our own events and the libraries' warnings, come out in one way.

    Args:
      stream: where the lines go; standard error when absent.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_formatter(config, colors=handler.stream.isatty()))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    logging.getLogger("agentbrowser").setLevel(config.log_level.upper())
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_SHARED, ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _formatter(config: Config, *, colors: bool) -> logging.Formatter:
    # Plain tracebacks: the others show local variables, and with them what pages and clients have sent.
    text = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)
    return ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _Redactor(config.token, config.secrets),
            structlog.processors.JSONRenderer() if config.log_format == "json" else text,
        ],
    )


class _Redactor:
    """Takes the token, the secrets, and what looks like one, out of all the texts of an event, however they came in."""

    def __init__(self, token: str | None, vault: SecretStore | None = None) -> None:
        self._masks = SecretMasker()
        self._masks.add(one.value for one in (vault.secrets if vault else ()))
        spellings = {token, quote(token), quote(token, safe="")} if token else ()
        self._spellings = sorted(spellings, key=len, reverse=True)

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {key: self._redact(value) for key, value in event.items()}

    def _redact(self, value: Any) -> Any:
        if value is None or isinstance(value, int | float):
            return value
        text = redact_trace(_URL.sub(lambda url: redact_url(url[0]), self._masks.text(str(value))))
        for spelling in self._spellings:
            text = text.replace(spelling, REDACTED)
        return text
