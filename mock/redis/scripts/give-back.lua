-- Gives back what a call of a key took from its minute and its day.
--
-- KEYS  head, usage
-- ARGV  the key
local clock = redis.call('HGET', KEYS[1], 'clock')
if not clock then return end
local _, at = now(clock)
for name, length in pairs({ minute = 60000, day = 86400000 }) do
  local field = ARGV[1] .. '|' .. name .. text(math.floor(at / length))
  if tonumber(redis.call('HGET', KEYS[2], field) or 0) > 0 then
    redis.call('HINCRBY', KEYS[2], field, -1)
  end
end
