-- Notes that a sandbox is used, and says which ones are to make room: those that were not used for
-- too long, and where there are too many, the least recently used ones, those without options of
-- their own first. They stay registered until scripts/unregister.lua.
--
-- KEYS  used, about
-- ARGV  name, or nothing; milliseconds without use, 0 for no end; maximum number; then for one that
--       is made or changed: 1 where it has options of its own, else 0; and 1 where it begins now,
--       else 0
-- Gives the names with when they were used, and the reasons: 'idle' or 'max'.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local name, idle, max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if ARGV[4] then
  local known = redis.call('HGET', KEYS[2], name)
  local created = known and ARGV[5] == '0' and string.match(known, '^%d+') or string.format('%d', now)
  redis.call('HSET', KEYS[2], name, created .. ' ' .. ARGV[4])
end
if redis.call('HEXISTS', KEYS[2], name) == 1 then redis.call('ZADD', KEYS[1], now, name) end
local leaving, is_leaving = {}, {}
local function leave(one, used, reason)
  table.insert(leaving, { one, used, reason })
  is_leaving[one] = true
end
if idle > 0 then
  local unused = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - idle, 'WITHSCORES')
  for at = 1, #unused, 2 do leave(unused[at], unused[at + 1], 'idle') end
end
local excess = redis.call('ZCARD', KEYS[1]) - #leaving - max
for _, options in ipairs({ '0', '1' }) do
  if excess > 0 then
    local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
    for at = 1, #all, 2 do
      local one = all[at]
      local about = redis.call('HGET', KEYS[2], one) or '0 0'
      local is_next = one ~= name and not is_leaving[one] and string.sub(about, -1) == options
      if excess > 0 and is_next then
        leave(one, all[at + 1], 'max')
        excess = excess - 1
      end
    end
  end
end
return leaving
