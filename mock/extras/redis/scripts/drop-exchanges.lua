-- Takes the oldest exchanges out of a journal until it has given back so many bytes.
--
-- KEYS  sizes, dropped, journal of a sandbox
-- ARGV  name of the sandbox, bytes
local freed, count, last, wanted = 0, 0, nil, tonumber(ARGV[2])
while freed < wanted do
  local oldest = redis.call('XRANGE', KEYS[3], '-', '+', 'COUNT', 100)
  if #oldest == 0 then break end
  for _, entry in ipairs(oldest) do
    if freed >= wanted then break end
    freed, count, last = freed + tonumber(entry[2][2]), count + 1, entry[1]
    redis.call('XDEL', KEYS[3], last)
  end
end
if last then
  redis.call('HINCRBY', KEYS[1], ARGV[1], -freed)
  redis.call('HINCRBY', KEYS[2], ARGV[1], count)
  redis.call('HSET', KEYS[2], ARGV[1] .. '|last', string.match(last, '^%d+'))
end
return freed
