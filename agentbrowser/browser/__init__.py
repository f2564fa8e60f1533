"""The browser side: everything that runs on asyncio in the one worker thread, and the portal that leads there."""
