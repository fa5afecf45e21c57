-- Removes the exchanges of a journal up to a number.
--
-- KEYS  sizes, dropped, journal of a sandbox
-- ARGV  name of the sandbox, number
local last = ARGV[2] .. '-0'
local freed = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[3], '-', last)) do
  freed = freed + tonumber(entry[2][2])
  redis.call('XDEL', KEYS[3], entry[1])
end
if redis.call('XLEN', KEYS[3]) == 0 then
  redis.call('DEL', KEYS[3])
  redis.call('HDEL', KEYS[1], ARGV[1])
elseif freed > 0 then
  redis.call('HINCRBY', KEYS[1], ARGV[1], -freed)
end
redis.call('HDEL', KEYS[2], ARGV[1], ARGV[1] .. '|last')
