"""Commands of the browser's own protocol, on the shortest way there is through Playwright."""

from typing import Any

from playwright.async_api import CDPSession


async def send(session: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return what the browser answers, as `CDPSession.send` does. [asyncio]

    That looks at the whole stack for its traces at each call, and goes through all params twice: a quarter of the time
    of a short one. What it calls in the end is not public, so where Playwright has it no more all goes the public way.
    """
    try:
        owner = session._impl_obj
        post = owner._connection.send_message_to_server
    except AttributeError:
        return dict(await session.send(method, params))
    answer = await post(owner, "send", {"method": method, "params": params}, {"internal": True, "timeout": 0})
    return dict(answer["result"])
