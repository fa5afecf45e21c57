-- Removes a sandbox if nobody used it since its mark was read and nobody is changing it.
--
-- KEYS  head, lock, and the others
-- ARGV  the mark; nothing to read it
-- Gives the mark, or 1 where it was removed, else 0.
local found = redis.call('HMGET', KEYS[1], 'epoch', 'uses', 'version', 'control')
for at = 1, 4 do found[at] = tostring(found[at]) end
local mark = table.concat(found, ' ')
if not ARGV[1] then return mark end
if mark ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('UNLINK', unpack(KEYS))
return 1
