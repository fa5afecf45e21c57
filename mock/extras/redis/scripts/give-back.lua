-- Gives back what a call of a key took from the minute and the day that it was counted in.
--
-- KEYS  usage
-- ARGV  the key, when it was counted, in Unix milliseconds, and its shorter window: milliseconds, and
--       where it begins
local at = tonumber(ARGV[2])
local minute = minute_at(KEYS[1], ARGV[1] .. '|minute', tonumber(ARGV[3]), ARGV[4], at)
for name, index in pairs({ minute = minute, day = math.floor(at / 86400000) }) do
  local field = ARGV[1] .. '|' .. name .. text(index)
  if tonumber(redis.call('HGET', KEYS[1], field) or 0) > 0 then
    redis.call('HINCRBY', KEYS[1], field, -1)
  end
end
