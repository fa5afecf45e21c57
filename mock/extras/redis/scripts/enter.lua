-- A call enters a sandbox: what the sandbox's state is at now, what changed since the caller last
-- looked, and, for a call of a key, whether its limits let it pass. One round trip for all of it.
--
-- KEYS  head, log, usage
-- ARGV  epoch, control, version, tip: the state that the caller knows
--       after how many milliseconds without use the sandbox is gone, 0 for never; empty for one that
--       always stays
--       for a call of a key: key, mode, calls a minute, calls a day,
--       the milliseconds of the minute, and where it begins,
--       and where keys are banned: strikes, within seconds, seconds, maximum seconds
-- Gives 'absent' or 'other' (another epoch or control state: nothing was counted) and the time; or
--       'same', the time, version, tip, the changes since, and the decision.
local found = redis.call('HMGET', KEYS[1], 'epoch', 'control', 'version', 'tip', 'base', 'clock')
local system, at = now(found[6])
if not found[1] then return { 'absent', system } end
local function stay()
  if ARGV[5] == '' then return end
  if ARGV[5] == '0' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
  redis.call('HINCRBY', KEYS[1], 'uses', 1)
end
if found[1] ~= ARGV[1] or found[2] ~= ARGV[2] then
  stay()
  return { 'other', system }
end
local head = { version = tonumber(found[3]), tip = found[4], base = tonumber(found[5]) }
local changes = changes_since(KEYS[2], tonumber(ARGV[3]), ARGV[4], head)
local decision = {}
if ARGV[6] then
  local plan = {
    per_minute = tonumber(ARGV[8]), per_day = tonumber(ARGV[9]),
    length = tonumber(ARGV[10]), from = ARGV[11],
  }
  local policy
  if ARGV[12] then
    policy = {
      strikes = tonumber(ARGV[12]), within = tonumber(ARGV[13]),
      seconds = tonumber(ARGV[14]), max = tonumber(ARGV[15]),
    }
  end
  decision = take(KEYS[3], ARGV[6], ARGV[7], plan, policy, at)
end
-- Last, for after a first change a server that is full would let the call be counted.
stay()
return { 'same', system, head.version, head.tip, changes, decision }
