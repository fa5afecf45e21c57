-- Removes the exchanges of a journal up to a number, or all.
--
-- KEYS  sizes, dropped, journal of a sandbox
-- ARGV  name of the sandbox, number; empty for all
local newer, bytes = {}, 0
if ARGV[2] ~= '' then
  newer = redis.call('XRANGE', KEYS[3], '(' .. ARGV[2] .. '-0', '+')
  for _, entry in ipairs(newer) do bytes = bytes + tonumber(entry[2][2]) end
end
if #newer == 0 then
  redis.call('UNLINK', KEYS[3])
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('XTRIM', KEYS[3], 'MINID', ARGV[2] .. '-1')
  redis.call('HSET', KEYS[1], ARGV[1], bytes)
end
redis.call('HDEL', KEYS[2], ARGV[1], ARGV[1] .. '|last')
