"""Beginnings of exported tests for Playwright: settings and functions."""

from typing import Final

PYTHON_HEAD: Final = '''"""Test of the recording {recording}, written by `agentbrowser export`. Run it with pytest.

BASE_URL is the site to test, and CHROMIUM the browser's program, if it is not Playwright's own.{variables}
"""

import contextlib
import os
import re

from playwright.sync_api import Error, Locator, Page, expect, sync_playwright

BASE_URL = os.environ.get("BASE_URL") or {site}


def withheld(name: str) -> str:
    """Return a value that the recording does not hold."""
    assert name in os.environ, f"Set the environment variable {{name}}: the recording does not hold this value."
    return os.environ[name]


def check_words(page: Page, words: str) -> None:
    """Expect words that may be those of several elements, in a shadow root, in the text of the page or in a frame."""
    pattern = re.compile(words, re.IGNORECASE)
    for _ in range(50):
        for frame in page.frames:
            with contextlib.suppress(Error):  # the frame may go
                if frame.get_by_text(pattern).filter(visible=True).count():
                    return
        page.wait_for_timeout(100)
    expect(page.locator("css=body")).to_contain_text(pattern, use_inner_text=True)


def read_words(page: Page, words: str) -> str:
    """Return the part of the page's words that a group stands for."""
    pattern = re.compile(words, re.IGNORECASE)
    found = pattern.search(page.get_by_text(pattern).filter(visible=True).first.text_content() or "")
    assert found, f"the page does not show {{words!r}}"
    return found[1]


def upload(page: Page, element: Locator, files: list[str]) -> None:
    """Give files to a file input, or to the file chooser that another element opens."""
    if element.evaluate("one => one.matches('input[type=file]')"):
        element.set_input_files(files)
        return
    with page.expect_file_chooser() as opening:
        element.click()
    opening.value.set_files(files)


def test_recording() -> None:
    expect.set_options(timeout=10_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM") or None)
        context = browser.new_context({context})
'''
TYPESCRIPT_HEAD: Final = """// Test of the recording {recording}, written by `agentbrowser export`.
// Run it with `npx playwright test`.
// BASE_URL is the site to test, and CHROMIUM the browser's program, if it is not Playwright's own.{variables}
import {{ expect as expectSoon, test, type Locator, type Page }} from "@playwright/test";

const expect = expectSoon.configure({{ timeout: 10_000 }});
const BASE_URL = process.env.BASE_URL || {site};

test.use({{ launchOptions: {{ executablePath: process.env.CHROMIUM || undefined }} }});

// Return a value that the recording does not hold.
function withheld(name: string): string {{
  const value = process.env[name];
  if (value === undefined) {{
    throw new Error(`Set the environment variable ${{name}}: the recording does not hold this value.`);
  }}
  return value;
}}

// Expect words that may be those of several elements, in a shadow root, in the text of the page or in a frame.
async function checkWords(page: Page, words: string): Promise<void> {{
  const pattern = new RegExp(words, "i");
  for (let tries = 0; tries < 50; tries++) {{
    for (const frame of page.frames()) {{
      // The frame may go.
      const count = await frame.getByText(pattern).filter({{ visible: true }}).count().catch(() => 0);
      if (count > 0) {{
        return;
      }}
    }}
    await page.waitForTimeout(100);
  }}
  await expect(page.locator("css=body")).toContainText(pattern, {{ useInnerText: true }});
}}

// Return the part of the page's words that a group stands for.
async function readWords(page: Page, words: string): Promise<string> {{
  const pattern = new RegExp(words, "i");
  const text = await page.getByText(pattern).filter({{ visible: true }}).first().textContent();
  const found = pattern.exec(text ?? "");
  if (found === null) {{
    throw new Error(`The page does not show ${{words}}.`);
  }}
  return found[1];
}}

// Give files to a file input, or to the file chooser that another element opens.
async function upload(page: Page, element: Locator, files: string[]): Promise<void> {{
  if (await element.evaluate((one) => one.matches("input[type=file]"))) {{
    await element.setInputFiles(files);
    return;
  }}
  const opening = page.waitForEvent("filechooser");
  await element.click();
  await (await opening).setFiles(files);
}}

test("recording", async ({{ browser }}) => {{
  const context = await browser.newContext({context});
"""
