"""Logging setup: one event a line on standard error, as text or JSON, without secrets."""

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
from agentbrowser.protocol.unseen import visible

_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}://\S*")


def set_up_logging(config: Config, stream: TextIO | None = None) -> None:
    """Send all log records of the process, including the libraries' warnings, to one handler.

    Args:
      stream: destination of the lines; standard error by default.
    """
    _REDACTOR.forget()
    mask_in_logs(config)
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
    # Plain tracebacks, because the default ones show local variables, which hold input from pages and clients.
    text = structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)
    is_json = config.log_format == "json"
    return ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _REDACTOR,
            *((structlog.processors.JSONRenderer(),) if is_json else (_escape_controls, text)),
        ],
    )


def _escape_controls(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Escape what a terminal obeys: ids are a client's, and the renderer of text escapes only values with a blank."""
    return {key: visible(value) if isinstance(value, str) else value for key, value in event.items()}


def mask_in_logs(config: Config) -> None:
    """Mask the token and the secrets of a configuration from now on; those of earlier ones stay masked."""
    _REDACTOR.add(config.token, config.secrets)


class _Redactor:
    """Log processor that removes the token, the secrets and similar texts from every value of an event."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Remove nothing any more but what looks secret."""
        self._masks = SecretMasker()
        self._spellings: list[str] = []

    def add(self, token: str | None, secrets: SecretStore | None) -> None:
        """Remove this token and these secrets, too."""
        self._masks.add(secret.value for secret in (secrets.secrets if secrets else ()))
        spellings = {token, quote(token), quote(token, safe="")} if token else set()
        self._spellings = sorted(spellings.union(self._spellings), key=len, reverse=True)

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {key: self._redact(value) for key, value in event.items()}

    def _redact(self, value: Any) -> Any:
        if value is None or isinstance(value, int | float):
            return value
        text = redact_trace(_URL.sub(lambda url: redact_url(url[0]), self._masks.text(str(value))))
        for spelling in self._spellings:
            text = text.replace(spelling, REDACTED)
        return text


_REDACTOR: Final = _Redactor()
"""Redactor of the process. After a reload it still masks what was secret before: later lines may repeat it."""
