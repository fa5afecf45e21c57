-- Appends exchanges to the journal of a sandbox, and lets the oldest go where there are too many.
--
-- KEYS  number of the last exchange, sizes, dropped, journal of the sandbox
-- ARGV  name of the sandbox, how many exchanges its journal may have, a tag for the journals of a
--       server that has none yet, then for each exchange its size and its text
-- Gives the number of the first one, and the bytes of all journals.
local first, name = nil, ARGV[1]
redis.call('HSETNX', KEYS[3], '|tag', ARGV[3])
for at = 4, #ARGV, 2 do
  local id = redis.call('INCR', KEYS[1])
  first = first or id
  redis.call('XADD', KEYS[4], id .. '-0', 's', ARGV[at], 'e', ARGV[at + 1])
  redis.call('HINCRBY', KEYS[2], name, ARGV[at])
end
local excess = redis.call('XLEN', KEYS[4]) - tonumber(ARGV[2])
if excess > 0 then
  local freed, last = 0, nil
  for _, entry in ipairs(redis.call('XRANGE', KEYS[4], '-', '+', 'COUNT', excess)) do
    freed, last = freed + tonumber(entry[2][2]), entry[1]
  end
  redis.call('XTRIM', KEYS[4], 'MAXLEN', ARGV[2])
  redis.call('HINCRBY', KEYS[2], name, -freed)
  redis.call('HINCRBY', KEYS[3], name, excess)
  redis.call('HSET', KEYS[3], name .. '|last', string.match(last, '^%d+'))
end
local total = 0
for _, size in ipairs(redis.call('HVALS', KEYS[2])) do total = total + tonumber(size) end
return { first, total }
