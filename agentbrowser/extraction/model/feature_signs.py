"""Signs that the weight of a feature may have."""

from typing import Annotated

Positive = Annotated[float, 1]
"""A feature that supports a choice: its weight is not negative."""
Negative = Annotated[float, -1]
"""A feature that opposes a choice: its weight is not positive."""
Signed = Annotated[float, 0]
"""A feature whose weight may have either sign."""
