-- A number as text, each digit of it: a reply would cut it to an integer.
local function text(number)
  return string.format('%.17g', number)
end

-- The system's time in Unix milliseconds, and what a clock shows at that time.
-- A clock is '+OFFSET' in milliseconds, or '=INSTANT' where it stands still.
local function now(clock)
  local time = redis.call('TIME')
  local system = time[1] * 1000 + math.floor(time[2] / 1000)
  local value = tonumber(string.sub(clock or '+0', 2))
  if string.sub(clock or '+0', 1, 1) == '=' then return system, value end
  return system, system + value
end
