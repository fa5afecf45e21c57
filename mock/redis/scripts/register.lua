-- Notes that a sandbox is used, and tells which ones make room: those that were not used for too
-- long, and where there are too many, the least recently used ones, those without options of their
-- own first.
--
-- KEYS  used, about
-- ARGV  name, or nothing to only let others go; milliseconds without use, 0 for no end; maximum
--       number; then for one that is made or changed: 1 where it has options of its own, else 0;
--       and 1 where it begins now, else 0
-- Gives the time, and the names with the reasons: 'idle' or 'max'.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local name, idle, max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if ARGV[4] then
  local known = redis.call('HGET', KEYS[2], name)
  local created = known and ARGV[5] == '0' and string.match(known, '^%d+') or string.format('%d', now)
  redis.call('HSET', KEYS[2], name, created .. ' ' .. ARGV[4])
end
local gone = {}
if redis.call('HEXISTS', KEYS[2], name) == 1 then redis.call('ZADD', KEYS[1], now, name) end
local function evict(one, reason)
  redis.call('ZREM', KEYS[1], one)
  redis.call('HDEL', KEYS[2], one)
  table.insert(gone, { one, reason })
end
if idle > 0 then
  for _, one in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - idle)) do
    evict(one, 'idle')
  end
end
local excess = redis.call('ZCARD', KEYS[1]) - max
for _, options in ipairs({ '0', '1' }) do
  if excess > 0 then
    for _, one in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
      local about = redis.call('HGET', KEYS[2], one) or '0 0'
      if excess > 0 and one ~= name and string.sub(about, -1) == options then
        evict(one, 'max')
        excess = excess - 1
      end
    end
  end
end
return { now, gone }
