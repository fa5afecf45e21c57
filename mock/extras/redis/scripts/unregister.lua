-- Forgets a sandbox that was removed, unless it was used or made again since.
--
-- KEYS  used, about
-- ARGV  name, when it was used
-- Gives whether it was forgotten: 1, else 0.
local used = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not used or tonumber(used) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
