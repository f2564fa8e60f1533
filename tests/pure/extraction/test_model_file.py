"""Model file: named features, and the header that ties the file to them."""

import json
from pathlib import Path

import pytest

from agentbrowser.extraction.columns.column import NameSources
from agentbrowser.extraction.model.features import (
    FACT_GROUPS,
    PAIR,
    PAIR_GROUPS,
    TREE_TABLES,
    WEIGHT_TABLES,
    RelationFeatures,
    ShapeFeatures,
    SourceFeatures,
    signs,
    vector_function,
)
from agentbrowser.extraction.model.model_file import (
    FILE,
    StaleModel,
    feature_hashes,
    fitted_model,
    names_hash,
    read_model,
)


def test_the_model_of_the_package_fits_the_features_of_the_code() -> None:
    header = fitted_model().header
    assert header["features"] == feature_hashes()
    assert {"corpus", "versions", "date", "seeds"} <= header.keys()


def test_loading_is_refused_after_two_features_were_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *rest = PAIR
    monkeypatch.setitem(WEIGHT_TABLES, "pair", (second, first, *rest))
    with pytest.raises(StaleModel, match=r"model\.json was fitted to other features .*: weights\.pair\. .*bench\.fit"):
        read_model(FILE, feature_hashes())


def test_loading_is_refused_after_a_feature_of_the_trees_was_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = TREE_TABLES["group"]
    monkeypatch.setitem(TREE_TABLES, "group", ("other", *names[1:]))
    with pytest.raises(StaleModel, match=r"trees\.group"):
        read_model(FILE, feature_hashes())


def test_loading_is_refused_if_a_table_lacks_a_weight(tmp_path: Path) -> None:
    content = json.loads(FILE.read_bytes())
    content["weights"]["group"].pop()
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    with pytest.raises(StaleModel, match=r"29 weights for group; the features need 30"):
        read_model(path, feature_hashes())


def test_a_model_is_written_as_it_is_read() -> None:
    assert fitted_model().text() == FILE.read_text()


def test_the_hash_of_names_depends_on_their_order() -> None:
    assert names_hash(["a", "b"]) != names_hash(["b", "a"])


def test_a_vector_has_the_order_of_its_group() -> None:
    vector = vector_function(ShapeFeatures)
    assert vector(cleaned=3.0, goes_together=1.0, cut=2.0) == (1.0, 2.0, 3.0)
    with pytest.raises(TypeError):
        vector(goes_together=1.0, cut=2.0)  # type: ignore[call-arg]


def test_names_are_unique_within_a_table() -> None:
    for names in (*WEIGHT_TABLES.values(), *TREE_TABLES.values()):
        assert len(set(names)) == len(names)


def test_a_sign_limits_every_feature_of_a_choice() -> None:
    assert list(signs(RelationFeatures)) == [1, 1, 1, -1, -1, 1, 1, -1]
    assert set(signs(*PAIR_GROUPS, *FACT_GROUPS)) == {1, -1, 0}


def test_the_sources_of_names_have_the_order_of_their_features() -> None:
    assert NameSources._fields == SourceFeatures._fields
