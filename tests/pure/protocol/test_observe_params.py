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
def test_an_observation_needs_only_the_right_to_read(name: str) -> None:
    method = METHODS[f"observe/{name}"]
    assert (method.scope, method.step, method.free, method.composite) == (Scope.READONLY, False, False, False)


def test_a_screenshot_is_asked_for_in_wire_names() -> None:
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
        (observe.ElementParams, {}, "selector"),
        (observe.ElementParams, {"selector": {"type": "css", "value": "b"}, "properties": ["size"]}, "properties[0]"),
        (observe.PdfParams, {"options": {"margin": {"top": "wide"}}}, "options.margin.top"),
        (observe.PdfParams, {"options": {"scale": 3}}, "options.scale"),
    ],
)
def test_what_does_not_fit_is_named(params: Any, value: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        codec.structure(params, value)
    assert refused.value.details["path"] == path


def test_an_element_is_told_twice_and_only_what_it_has() -> None:
    box = BoundingBox(x=1, y=2, width=3, height=4)
    told = codec.unstructure(ElementResult.of(ElementState(visible=True, value="", bounding_box=box)))
    state = {"visible": True, "value": "", "boundingBox": {"x": 1, "y": 2, "width": 3, "height": 4}}
    assert told == {"found": True, "properties": state, **state}
    assert codec.unstructure(ElementResult.of(None)) == {"found": False, "properties": {}}


def test_a_tree_goes_out_nested_and_without_what_does_not_apply() -> None:
    tree = [AccessibilityNode(role="group", children=[AccessibilityNode(role="checkbox", checked=False)])]
    assert codec.unstructure(AccessibilityResult(tree=tree)) == {
        "tree": [{"role": "group", "children": [{"role": "checkbox", "checked": False}]}]
    }
