-- Counts a call for the faults that look at it, and tells which one fires, if any: the same as
-- FaultRules.decide in mock/faults/fault-rules.ts, for the calls of all processes.
--
-- KEYS  head, faults
-- ARGV  epoch, control: the state that the caller knows
--       for each fault that looks at the call, in order: name of its counts, every, probability, seed
--       of its sequence, times; empty where it has none
-- Gives 'other' (another epoch or control state: nothing was counted), or 'same' and the number of
--       the fault that decides the answer, 0 for none.
local head = redis.call('HMGET', KEYS[1], 'epoch', 'control')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then return { 'other' } end
local first = 0
for at = 3, #ARGV, 5 do
  local name, every, probability, times = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 4]
  local calls = redis.call('HINCRBY', KEYS[2], name .. '|calls', 1)
  local is_turn
  if probability ~= '' then
    is_turn = draw(tonumber(ARGV[at + 3]), calls) < tonumber(probability)
  else
    is_turn = every == '' or calls % tonumber(every) == 0
  end
  if first == 0 and is_turn then
    local hits = times == '' and 0 or tonumber(redis.call('HGET', KEYS[2], name .. '|hits') or 0)
    if times == '' or hits < tonumber(times) then
      redis.call('HINCRBY', KEYS[2], name .. '|hits', 1)
      first = (at + 2) / 5
    end
  end
end
return { 'same', first }
