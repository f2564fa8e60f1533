"""Lua scripts of the shared store: each reads and writes a row in one step, so that stale saves never win.

An owner's rows are also listed by the time of their last sign of life, with their sizes: its saved sessions may use as
much memory as they leave free in the store. However many owners take all that they can, each of them finds its part.
"""

import time
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import attrs

if TYPE_CHECKING:
    import coredis

SAVED: Final = 0
CLAIMED: Final = 1
MISSING: Final = 2
FULL: Final = 3

MAX_ROWS_OF_ID: Final = 100
"""Rows of one owner and id; the oldest is deleted beyond it."""

ROW_BYTES: Final = 1024
"""Memory of a row and of its entries in the lists, without its snapshot."""
SHARE_BYTES: Final = 256 * 1024 * 1024
"""Share of an owner in a store that does not report its memory (`INFO` is not permitted)."""
HELD_S: Final = 60
"""Time since a row's last refresh for which it counts as a running session's, and is not deleted for another row."""

_HOLDS: Final = """
local function holds(row, generation, node)
  local known = redis.call('HMGET', row, 'generation', 'node')
  if not known[1] then return true end
  local latest = tonumber(known[1])
  return latest < generation or (latest == generation and (known[2] == node or not known[2] or known[2] == ''))
end
"""
"""A lower generation is that of an earlier claim. Two nodes have the same one if a failover has lost a claim."""

_SHARE: Final = """
local function resize(owner, row, size)
  local sizes = owner .. '.sizes'
  local before = tonumber(redis.call('HGET', sizes, row) or 0)
  if size == before then return end
  redis.call('HINCRBY', sizes, 'sum', size - before)
  if size > 0 then redis.call('HSET', sizes, row, size) else redis.call('HDEL', sizes, row) end
end
local function touch(owner, row, kept)
  local now = redis.call('TIME')
  redis.call('ZADD', owner, string.format('%d.%06d', now[1], now[2]), row)
  redis.call('EXPIRE', owner, kept)
  redis.call('EXPIRE', owner .. '.sizes', kept)
end
local function drop(owner, row)
  redis.call('ZREM', owner, row)
  redis.call('DEL', row)
  resize(owner, row, 0)
end
local function free_of(has, default)
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) ~= 'string' then return 2 * default - has end
  local most = tonumber(memory:match('maxmemory:(%d+)'))
  if most == 0 then most = tonumber(memory:match('total_system_memory:(%d+)')) end
  return most - tonumber(memory:match('used_memory:(%d+)'))
end
local function make_room(owner, row, size, default, kept, held)
  local sizes, now = owner .. '.sizes', tonumber(redis.call('TIME')[1])
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', owner, '-inf', now - kept, 'LIMIT', 0, 100)) do drop(owner, old) end
  local before = tonumber(redis.call('HGET', sizes, row) or 0)
  if size <= before then return nil end
  local has = tonumber(redis.call('HGET', sizes, 'sum') or 0)
  local free = free_of(has, default)
  local limit = math.floor((has + free) / 2)
  local excess, victims = has + size - before - limit, {}
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', owner, '-inf', now - held, 'LIMIT', 0, 100)) do
    if excess <= 0 then break end
    if old ~= row then
      excess = excess - tonumber(redis.call('HGET', sizes, old) or 0)
      victims[#victims + 1] = old
    end
  end
  if excess > 0 and free <= 0 then return nil end
  if excess > 0 then return {has + size - before, limit} end
  for _, old in ipairs(victims) do drop(owner, old) end
end
"""
"""Redis refuses only the first write of a script when it has no memory. So sizes agree with their sum, a deletion
always succeeds, and the save of an owner that has no share in a full store fails, to be repeated. A claim begins with a
write that needs no memory: a session can move while the store is full.
"""

_SAVE: Final = (
    _HOLDS
    + _SHARE
    + """
local index, row, owner = KEYS[1], KEYS[2], KEYS[3]
local proof, generation, holder, node, kept = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[8])
if not holds(row, generation, holder) then return {1} end
local size = #ARGV[7] + tonumber(ARGV[10])
local full = make_room(owner, row, size, tonumber(ARGV[11]), kept, tonumber(ARGV[12]))
if full then
  if node == '' then redis.call('HDEL', row, 'node') end
  return {3, full[1], full[2]}
end
redis.call('HSET', row, 'generation', generation, 'node', node, 'shown', ARGV[5], 'saved', ARGV[6], 'picture', ARGV[7])
resize(owner, row, size)
touch(owner, row, kept)
redis.call('EXPIRE', row, kept)
redis.call('ZADD', index, ARGV[6], proof)
redis.call('EXPIRE', index, kept)
local many = redis.call('ZCARD', index) - tonumber(ARGV[9])
if many > 0 then
  for _, old in ipairs(redis.call('ZPOPMIN', index, many)) do drop(owner, index .. ':' .. old) end
end
return {0}
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
_CLAIM: Final = (
    _SHARE
    + """
local snapshot = redis.call('HGET', KEYS[1], 'picture')
if not snapshot then return false end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('HSET', KEYS[1], 'node', ARGV[1])
touch(KEYS[2], KEYS[1], ARGV[2])
return {redis.call('HINCRBY', KEYS[1], 'generation', 1), snapshot}
"""
)
_GIVE_BACK: Final = (
    _HOLDS
    + """
if redis.call('EXISTS', KEYS[1]) == 1 and holds(KEYS[1], tonumber(ARGV[1]), ARGV[2]) then
  redis.call('HDEL', KEYS[1], 'node')
end
return 0
"""
)
_REFRESH: Final = (
    _HOLDS
    + _SHARE
    + """
if redis.call('EXISTS', KEYS[2]) == 0 then return 2 end
if not holds(KEYS[2], tonumber(ARGV[1]), ARGV[2]) then return 1 end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
touch(KEYS[3], KEYS[2], ARGV[3])
return 0
"""
)
_FORGET: Final = (
    _SHARE
    + """
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HDEL', KEYS[2], 'picture', 'shown', 'node')
  redis.call('HINCRBY', KEYS[2], 'generation', 1)
  redis.call('EXPIRE', KEYS[2], ARGV[2])
  resize(KEYS[3], KEYS[2], tonumber(ARGV[3]))
  touch(KEYS[3], KEYS[2], ARGV[2])
end
return 0
"""
)


class RowKeys(NamedTuple):
    """Keys of a row, in the order of the scripts: the list of its id, the row, the list of its owner's rows."""

    id_rows: str
    row: str
    owner_rows: str


@attrs.define(eq=False)
class FencingScripts:
    """Scripts of one client of the store."""

    redis: "coredis.Redis[bytes]"
    kept_s: int
    _known: dict[str, Any] = attrs.field(factory=dict, init=False)

    def save(
        self,
        keys: RowKeys,
        proof: bytes,
        generation: int,
        nodes: tuple[str, str],
        shown: bool,
        sealed: bytes,
    ) -> Awaitable[list[int]]:
        """Write a row if its generation is current and its owner has room.

        Args:
          nodes: the node that saves, and the one that holds the session thereafter; empty for none.

        Returns: [`SAVED`], [`CLAIMED`], or [`FULL`, the bytes that the owner would have, those that it may have].
        """
        args = (proof.hex(), generation, *nodes, int(shown), f"{time.time():.3f}", sealed, self.kept_s, MAX_ROWS_OF_ID)
        return self._run(_SAVE, keys, (*args, ROW_BYTES, SHARE_BYTES, HELD_S))

    async def rows(self, index: str) -> list[tuple[bytes, bool]]:
        """Return the proofs of an id's rows, the latest first, each with True if its secret was presented."""
        flat: list[bytes] = await self._run(_LIST, [index], ())
        return [
            (bytes.fromhex(proof.decode()), shown == b"1") for proof, shown in zip(flat[::2], flat[1::2], strict=True)
        ]

    async def claim(self, keys: RowKeys, node: str) -> tuple[int, bytes] | None:
        """Raise a row's generation for a node; return it and the sealed snapshot. None: it is deleted."""
        found = await self._run(_CLAIM, [keys.row, keys.owner_rows], (node, self.kept_s))
        return None if found is None else (int(found[0]), bytes(found[1]))

    def give_back(self, row: str, generation: int, node: str) -> Awaitable[int]:
        """Release a row without a new snapshot."""
        return self._run(_GIVE_BACK, [row], (generation, node))

    def refresh(self, keys: RowKeys, generation: int, node: str) -> Awaitable[int]:
        """Extend the life of a row; return `SAVED`, `CLAIMED` or `MISSING`."""
        return self._run(_REFRESH, keys, (generation, node, self.kept_s))

    def forget(self, keys: RowKeys, proof: bytes) -> Awaitable[int]:
        """Delete a row, but for its generation: a suspended node could save it again."""
        return self._run(_FORGET, keys, (proof.hex(), self.kept_s, ROW_BYTES))

    def _run(self, text: str, keys: Sequence[str], args: tuple[Any, ...]) -> Awaitable[Any]:
        script = self._known.setdefault(text, self.redis.register_script(text))
        call: Awaitable[Any] = script(list(keys), args)
        return call
