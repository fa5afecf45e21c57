-- Holds a lock for longer, or gives it back where the time is 0.
--
-- KEYS  lock
-- ARGV  token, time in milliseconds
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
