-- The shorter window that holds an instant, the same as mock/limits/minute-window.ts: its index and its end.
local function minute_at(key, of_minute, length, from, at)
  if from == 'utc' then
    local index = math.floor(at / length)
    return index, (index + 1) * length
  end
  local begin = at
  for number in string.gmatch(redis.call('HGET', key, of_minute .. 's') or '', '[^,]+') do
    local known = tonumber(number)
    if known <= at and at < known + length then begin = known end
  end
  return begin, begin + length
end
