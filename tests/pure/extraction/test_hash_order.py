"""The meaning of a field's name does not depend on the hash seed, which orders the sets of a process."""

import os
import subprocess
import sys

_PROGRAM = """
from collections import Counter

from agentbrowser.extraction.match.field_names import FieldNames
from agentbrowser.extraction.schema.schema_fields import extraction_query
from agentbrowser.extraction.schema.value_types import value_type_of
from agentbrowser.extraction.text.lexicon import CONCEPTS
from agentbrowser.protocol.types.extract import ExtractionSchema

concepts = Counter(name for known in CONCEPTS.values() for name in known)
for name in sorted(name for name in concepts if concepts[name] > 1):
    properties = {f"other_{name}": ExtractionSchema(type="number")}
    (field,) = extraction_query(ExtractionSchema(type="object", properties=properties), None, None).fields
    cores = [([word.stem for word in core.all], shapes) for core, shapes in FieldNames(field).cores]
    print(name, value_type_of(field), sorted(field.concepts), cores)
"""


def test_a_name_means_the_same_with_every_hash_seed() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "3")
    ]
    assert len(outputs[0].splitlines()) > 100
    assert outputs[0] == outputs[1]
