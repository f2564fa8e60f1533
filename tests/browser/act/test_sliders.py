"""Sliders that a page draws: filled by their arrow keys, or by the pointer."""

import pytest

from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.action import ActionOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

SLIDERS = """
<div id=plain></div><div id=reversed></div><div id=still></div><div id=splitter></div>
<input id=native type=range max=10>
<input id=chosen type=range max=10><input id=stubborn type=range max=10><input id=loose type=range max=10 step=any>
<script>
chosen.oninput = () => (chosen.title += ` ${chosen.value}`);
chosen.onkeyup = () => (chosen.dataset.sent = chosen.value);
stubborn.onkeydown = (event) => event.preventDefault();
for (const [id, step, role] of [['plain', 5], ['reversed', -1], ['still', 0], ['splitter', 10, 'separator']]) {
  const slider = document.getElementById(id);
  slider.style.cssText = 'width: 90px; height: 20px';
  Object.assign(slider, { tabIndex: 0, role: role ?? 'slider' });
  Object.assign(slider, { ariaValueNow: '20', ariaValueMin: '0', ariaValueMax: '100' });
  slider.addEventListener('keydown', (event) => {
    const sign = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    slider.ariaValueNow = String(Math.min(100, Math.max(0, Number(slider.ariaValueNow) + sign * step)));
  });
}
</script>
"""
PART = """<div id=month role=spinbutton aria-label=month contenteditable>mm</div><script>
  let written = "";
  month.onfocus = () => { written = ""; };
  month.onbeforeinput = (event) => {
    event.preventDefault();
    for (const digit of event.data ?? "") written = Number(written + digit) > 12 ? digit : written + digit;
    month.textContent = written ? Number(written) : "mm";
  };
</script>"""


def test_fill_moves_a_drawn_slider_by_its_keys(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        options = ActionOptions(timeout_ms=3000)
        for id_, value, reached in (
            *(("plain", "65", "65"), ("plain", "0", "0"), ("reversed", "17", "17")),
            ("splitter", "40", "40"),
        ):
            result = await tab.actions.fill(Css(f"#{id_}"), value, options)
            assert (result.value, await tab.page.get_attribute(f"#{id_}", "aria-valuenow")) == (reached, reached)
        assert (await tab.actions.fill(Css("#plain"), "0", options)).no_effect
        for id_, value, reason in (
            ("plain", "101", "a slider takes a number from 0 to 100"),
            ("plain", "loud", "a slider takes a number from 0 to 100"),
            ("still", "30", "follows neither its arrow keys nor the pointer"),
            ("plain", "63", None),  # between two steps: the nearest one
        ):
            if reason is None:
                assert (await tab.actions.fill(Css(f"#{id_}"), value, options)).value == "65"
                continue
            with pytest.raises(ActionFailed, match=reason):
                await tab.actions.fill(Css(f"#{id_}"), value, options)
        assert (await tab.actions.fill(Css("#native"), "7", options)).value == "7"
        for value in ("10", "0", "0"):  # a library takes a value as chosen only at a key
            assert (await tab.actions.fill(Css("#chosen"), value, options)).value == value
            assert await tab.page.get_attribute("#chosen", "data-sent") == value
        assert await tab.page.get_attribute("#chosen", "title") == " 9 10 1 0 0"
        with pytest.raises(ActionFailed, match="takes a number from 0 to 10"):
            await tab.actions.clear(Css("#chosen"), options)
        for id_, value in (("stubborn", "4"), ("loose", "2.5")):
            assert (await tab.actions.fill(Css(f"#{id_}"), value, options)).value == value

    stage.play("/nowhere", scene, markup=SLIDERS)


DRAWN = """
<style>div { position: absolute; left: 40px; top: 40px; width: 20px; height: 20px } #up, #track { top: 300px }</style>
<div id=across></div><div id=up></div><div id=steps style="top: 90px"></div>
<script>
for (const [id, axis, perPixel, step] of [['across', 'X', 0.5, 1], ['up', 'Y', -0.5, 1], ['steps', 'X', 0.5, 25]]) {
  const slider = document.getElementById(id);
  Object.assign(slider, { role: 'slider', ariaValueNow: '10', ariaValueMin: '0', ariaValueMax: '100' });
  if (id !== 'up') slider.tabIndex = 0;
  slider.addEventListener('pointerdown', (down) => {
    slider.setPointerCapture(down.pointerId);
    const begin = Number(slider.ariaValueNow);
    slider.onpointermove = (event) => {
      const moved = (event[`client${axis}`] - down[`client${axis}`]) * perPixel;
      slider.ariaValueNow = String(Math.min(100, Math.max(0, Math.round((begin + moved) / step) * step)));
    };
    slider.onpointerup = () => { slider.onpointermove = null; document.title += `${id},`; };
  });
}
</script>
"""


def test_fill_drags_a_slider_that_has_no_keys(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        options = ActionOptions(timeout_ms=3000)
        for id_, value, reached in (
            *(("across", "70", "70"), ("across", "0", "0"), ("across", "100", "100"), ("across", "3", "3")),
            *(("up", "60", "60"), ("up", "15", "15"), ("steps", "75", "75"), ("steps", "30", "25")),
        ):
            result = await tab.actions.fill(Css(f"#{id_}"), value, options)
            assert (result.value, await tab.page.get_attribute(f"#{id_}", "aria-valuenow")) == (reached, reached)
        assert await tab.page.title() == "across," * 4 + "up," * 2 + "steps," * 2  # each was let go

    stage.play("/nowhere", scene, markup=DRAWN)


def test_a_slider_that_becomes_something_else_under_the_pointer_fails(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.page.evaluate("""() => {
          const slider = document.getElementById('across');
          slider.addEventListener('pointerdown', () => slider.removeAttribute('role'));
        }""")
        with pytest.raises(ActionFailed, match="a slider no longer"):
            await tab.actions.fill(Css("#across"), "70", ActionOptions(timeout_ms=3000))
        assert await tab.page.title() == "across,"  # it was let go

    stage.play("/nowhere", scene, markup=DRAWN)


def test_fill_of_a_part_of_a_date_takes_the_number_without_its_zero(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        assert (await tab.actions.fill(Css("#month"), "03", ActionOptions())).value == "3"
        with pytest.raises(ActionFailed):
            await tab.actions.fill(Css("#month"), "13", ActionOptions(timeout_ms=1000))

    stage.share("/nowhere", scene, markup=PART)
