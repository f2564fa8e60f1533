"""Lua scripts of the shared store: each reads and writes a row in one step, so that stale saves never win."""

import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final

import attrs

if TYPE_CHECKING:
    import coredis

SAVED: Final = 0
CLAIMED: Final = 1
MISSING: Final = 2

MAX_ROWS_OF_ID: Final = 100
"""Rows of one owner and id; the oldest is deleted beyond it."""

_HOLDS: Final = """
local function holds(row, generation, node)
  local known = redis.call('HMGET', row, 'generation', 'node')
  if not known[1] then return true end
  local latest = tonumber(known[1])
  return latest < generation or (latest == generation and (known[2] == node or not known[2] or known[2] == ''))
end
"""
"""A lower generation is that of an earlier claim. Two nodes have the same one if a failover has lost a claim."""

_SAVE: Final = (
    _HOLDS
    + """
local index, row = KEYS[1], KEYS[2]
local proof, generation, holder, node = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
if not holds(row, generation, holder) then return 1 end
redis.call('HSET', row, 'generation', generation, 'node', node, 'shown', ARGV[5], 'saved', ARGV[6], 'picture', ARGV[7])
redis.call('EXPIRE', row, ARGV[8])
redis.call('ZADD', index, ARGV[6], proof)
redis.call('EXPIRE', index, ARGV[8])
local many = redis.call('ZCARD', index) - tonumber(ARGV[9])
if many > 0 then
  for _, old in ipairs(redis.call('ZPOPMIN', index, many)) do redis.call('DEL', index .. ':' .. old) end
end
return 0
"""
)
_LIST: Final = """
local found = {}
for _, proof in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  local row = redis.call('HMGET', KEYS[1] .. ':' .. proof, 'shown', 'picture')
  if row[2] then
    found[#found + 1] = proof
    found[#found + 1] = row[1]
  else
    redis.call('ZREM', KEYS[1], proof)
  end
end
return found
"""
_CLAIM: Final = """
local picture = redis.call('HGET', KEYS[1], 'picture')
if not picture then return false end
redis.call('HSET', KEYS[1], 'node', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {redis.call('HINCRBY', KEYS[1], 'generation', 1), picture}
"""
_GIVE_BACK: Final = (
    _HOLDS
    + """
if redis.call('EXISTS', KEYS[1]) == 1 and holds(KEYS[1], tonumber(ARGV[1]), ARGV[2]) then
  redis.call('HSET', KEYS[1], 'node', '')
end
return 0
"""
)
_REFRESH: Final = (
    _HOLDS
    + """
if redis.call('EXISTS', KEYS[2]) == 0 then return 2 end
if not holds(KEYS[2], tonumber(ARGV[1]), ARGV[2]) then return 1 end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 0
"""
)
_FORGET: Final = """
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HDEL', KEYS[2], 'picture', 'shown', 'node')
  redis.call('HINCRBY', KEYS[2], 'generation', 1)
  redis.call('EXPIRE', KEYS[2], ARGV[2])
end
return 0
"""


@attrs.define(eq=False)
class FencingScripts:
    """Scripts of one client of the store."""

    redis: "coredis.Redis[bytes]"
    kept_s: int
    _known: dict[str, Any] = attrs.field(factory=dict, init=False)

    def save(
        self,
        index: str,
        row: str,
        proof: bytes,
        generation: int,
        nodes: tuple[str, str],
        shown: bool,
        picture: bytes,
    ) -> Awaitable[int]:
        """Write a row if its generation is current; return `SAVED` or `CLAIMED`.

        Args:
          nodes: the node that saves, and the one that holds the session thereafter; empty for none.
        """
        args = (proof.hex(), generation, *nodes, int(shown), f"{time.time():.3f}", picture, self.kept_s, MAX_ROWS_OF_ID)
        return self._run(_SAVE, [index, row], args)

    async def rows(self, index: str) -> list[tuple[bytes, bool]]:
        """Return the proofs of an id's rows, the latest first, each with True if its secret was presented."""
        flat: list[bytes] = await self._run(_LIST, [index], ())
        return [
            (bytes.fromhex(proof.decode()), shown == b"1") for proof, shown in zip(flat[::2], flat[1::2], strict=True)
        ]

    async def claim(self, row: str, node: str) -> tuple[int, bytes] | None:
        """Raise a row's generation for a node; return the new generation and the picture. None: it is deleted."""
        found = await self._run(_CLAIM, [row], (node, self.kept_s))
        return None if found is None else (int(found[0]), bytes(found[1]))

    def give_back(self, row: str, generation: int, node: str) -> Awaitable[int]:
        """Release a row without a new picture."""
        return self._run(_GIVE_BACK, [row], (generation, node))

    def refresh(self, index: str, row: str, generation: int, node: str) -> Awaitable[int]:
        """Extend the life of a row; return `SAVED`, `CLAIMED` or `MISSING`."""
        return self._run(_REFRESH, [index, row], (generation, node, self.kept_s))

    def forget(self, index: str, row: str, proof: bytes) -> Awaitable[int]:
        """Delete a row, but for its generation: a suspended node could save it again."""
        return self._run(_FORGET, [index, row], (proof.hex(), self.kept_s))

    def _run(self, text: str, keys: list[str], args: tuple[Any, ...]) -> Awaitable[Any]:
        script = self._known.setdefault(text, self.redis.register_script(text))
        call: Awaitable[Any] = script(keys, args)
        return call
