-- Makes a sandbox that does not exist.
--
-- KEYS  head, control, and the others, which may be left from one that was not used for too long
-- ARGV  epoch, control, clock, seeds, the control state
-- Gives 1, or 0 where it exists.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
-- First, for after a first change a server that is full would let all others be made.
redis.call(
  'HSET', KEYS[1], 'epoch', ARGV[1], 'control', ARGV[2], 'clock', ARGV[3], 'seeds', ARGV[4],
  'version', 0, 'tip', '', 'base', 0, 'bytes', 0
)
redis.call('SET', KEYS[2], ARGV[5])
for at = 3, #KEYS do redis.call('DEL', KEYS[at]) end
return 1
