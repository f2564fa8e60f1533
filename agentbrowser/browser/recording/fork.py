"""Fork of a page: a copy in a context of its own, to try another way from the same state."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.protocol.types.fork import ForkResult, NotCloned
from agentbrowser.protocol.types.storage import UnsavedDatabase

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


async def fork(source: "Tab", page_id: str) -> ForkResult:
    """Copy a page with its context's storage under a new id, in a new context. [asyncio]

    Raises:
      ResourceLimitExceeded: the client has as many pages or contexts as it may have.
      NavigationFailed: the URL could not be loaded again; no copy is left.

    Cancel: no copy is left.
    """
    tabs, frame = source.tabs, source.page.main_frame
    form = await source.isolated_worlds.of(frame).call("readForm")
    # Not by Playwright's own `storage_state`: a value in a database that contains itself ends its driver.
    state = await source.context.storage.state(with_databases=True)
    session_items = await source.session_storage.read()
    options = attrs.evolve(source.context.options, storage_state=state)
    context = await tabs.contexts.create(None, options)
    try:
        context.storage.session_items = session_items
        copy = await tabs.open(page_id, context.id)
        await copy.apply_options(source.options, source)
        if source.page.url.startswith("http"):
            await copy.navigation.navigate(source.page.url, "load")
        written = await copy.isolated_worlds.of(copy.page.main_frame).call("writeForm", form)
    except BaseException:
        await close_quietly(tabs.contexts.destroy(context.id))
        raise
    return ForkResult(
        page_id=copy.id,
        context_id=context.id,
        url=copy.page.url,
        not_cloned=_not_cloned(source, copy, form, written, state.unsaved or []),
    )


def _other_url(source: "Tab") -> str:
    is_loaded = source.page.url.startswith("http")
    return "the site redirected the copy" if is_loaded else "the page has no address that can be loaded again"


def _not_cloned(
    source: "Tab", copy: "Tab", form: Any, written: Any, unsaved: Sequence[UnsavedDatabase]
) -> list[NotCloned]:
    """Return what the copy lacks."""
    frames = len(source.page.frames) - 1
    reasons = "; ".join(f"{one.database} of {one.origin}: {one.reason}" for one in unsaved)
    possible = [
        NotCloned(what="databases", count=len(unsaved), reason=reasons),
        NotCloned(what="passwords", count=form["secret"], reason="values of password-like fields never leave the page"),
        NotCloned(what="files", count=form["files"], reason="chosen files can't be chosen again"),
        NotCloned(what="fields", count=written["missing"], reason="the loaded page has no such field"),
        NotCloned(what="frames", count=frames, reason="forms and scroll positions of frames are not carried over"),
        NotCloned(what="url", count=int(copy.page.url != source.page.url), reason=_other_url(source)),
    ]
    # Always so: the page is loaded again.
    scripts = NotCloned(what="scripts", count=1, reason="the state of scripts, workers, sockets and the history is new")
    return [*(one for one in possible if one.count), scripts]
