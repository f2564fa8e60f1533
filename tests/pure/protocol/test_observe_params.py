"""The params of observations, from the wire."""

from typing import Any

import pytest

from agentbrowser.methods import observe
from agentbrowser.protocol import codec
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import METHODS, Scope
from agentbrowser.protocol.types.observe import (
    AccessibilityNode,
    AccessibilityResult,
    BoundingBox,
    Clip,
    ElementResult,
    ElementState,
    ScreenshotOptions,
)
from agentbrowser.protocol.types.selector import Css, Role

OBSERVATIONS = ("screenshot", "accessibility", "ariaSnapshot", "dom", "content", "element", "pdf")


@pytest.mark.parametrize("name", OBSERVATIONS)
def test_observation_methods_need_only_readonly(name: str) -> None:
    method = METHODS[f"observe/{name}"]
    assert (method.scope, method.step, method.free, method.composite) == (Scope.READONLY, False, False, False)


def test_screenshot_params_have_wire_names() -> None:
    clip = {"x": 1, "y": 2.5, "width": 3, "height": 4}
    mask = [{"type": "css", "value": "b"}, {"type": "role", "role": "button"}]
    options = {"fullPage": True, "clip": clip, "format": "webp", "quality": 0, "scale": "device", "mask": mask}
    params = codec.structure(observe.ScreenshotParams, {"options": options, "pageId": "p", "timeout": 900})
    assert params == observe.ScreenshotParams(
        options=ScreenshotOptions(
            full_page=True,
            clip=Clip(x=1, y=2.5, width=3, height=4),
            format="webp",
            quality=0,
            scale="device",
            mask=[Css("b"), Role("button")],
        ),
        page_id="p",
        timeout_ms=900,
    )
    assert codec.structure(observe.ScreenshotParams, {}).options.format == "jpeg"


@pytest.mark.parametrize(
    ("params", "value", "path"),
    [
        (observe.ScreenshotParams, {"options": {"quality": 101}}, "options.quality"),
        (observe.ScreenshotParams, {"options": {"format": "gif"}}, "options.format"),
        (
            observe.ScreenshotParams,
            {"options": {"clip": {"x": 0, "y": 0, "width": 0, "height": 1}}},
            "options.clip.width",
        ),
        (observe.ScreenshotParams, {"options": {"mask": [{"type": "css"}]}}, "options.mask[0].value"),
        (observe.AccessibilityParams, {"options": {"maxDepth": 0}}, "options.maxDepth"),
        (observe.DomParams, {"options": {"depth": -1}}, "options.depth"),
        (observe.DomParams, {"options": {"computedStyles": "color"}}, "options.computedStyles"),
        (observe.ContentParams, {"format": "pdf"}, "format"),
        (observe.ObserveElementParams, {}, "selector"),
        (
            observe.ObserveElementParams,
            {"selector": {"type": "css", "value": "b"}, "properties": ["size"]},
            "properties[0]",
        ),
        (observe.PdfParams, {"options": {"margin": {"top": "wide"}}}, "options.margin.top"),
        (observe.PdfParams, {"options": {"scale": 3}}, "options.scale"),
    ],
)
def test_invalid_params_are_named(params: Any, value: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        codec.structure(params, value)
    assert refused.value.details["path"] == path


def test_an_element_result_repeats_only_present_properties() -> None:
    box = BoundingBox(x=1, y=2, width=3, height=4)
    told = codec.unstructure(ElementResult.of(ElementState(visible=True, value="", bounding_box=box)))
    state = {"visible": True, "value": "", "boundingBox": {"x": 1, "y": 2, "width": 3, "height": 4}}
    assert told == {"found": True, "properties": state, **state}
    assert codec.unstructure(ElementResult.of(None)) == {"found": False, "properties": {}}


def test_a_tree_is_nested_and_omits_inapplicable_states() -> None:
    tree = [AccessibilityNode(role="group", children=[AccessibilityNode(role="checkbox", checked=False)])]
    assert codec.unstructure(AccessibilityResult(tree=tree)) == {
        "tree": [{"role": "group", "children": [{"role": "checkbox", "checked": False}]}]
    }
