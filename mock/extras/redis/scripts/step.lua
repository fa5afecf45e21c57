-- A step of a sandbox: one compare-and-set. A state and changes of items are stored if the ones that
-- they were computed from are still there; else nothing is. The caller gets what it lacks in any case.
--
-- ARGV  prefix, name
--       3 after how many milliseconds without use the sandbox is gone, 0 for never; 4 how many there may be
--       5 'new' to make the sandbox, 'any' to store whatever is there, else empty
--       6, 7 the tips of the items and of the state that the caller knows; 8 the next tip
--       9 the next state, empty where it stays
--       10 what becomes of the items: '' they stay, 'some' are changed, 'all' are those that were
--       staged; 11 the entry of the log, or the staged key
--       12 '1' to empty the journal; 13 '1' where the sandbox has options of its own, '0' where not;
--       14 '1' where this is a use of it
--       then for 'some' the fields of items and their values, an empty one to remove the field
-- Gives the status ('absent', 'behind' where nothing was stored, or 'done'), the time in
--       Unix milliseconds, and of what was there before: the tips, the changes of items that the caller
--       lacks (false where they are too many), the state that it lacks (false where it has it); then the
--       sandboxes that made room, each with the reason.
local idle, max, how, tip = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], ARGV[8]
local text, what = ARGV[9], ARGV[10]
local LOG_LENGTH, DEFAULT = 64, 'default'
local head, items, log = key_of(name, 'head'), key_of(name, 'items'), key_of(name, 'log')
local time = redis.call('TIME')
local system = time[1] * 1000 + math.floor(time[2] / 1000)
local is_default = name == DEFAULT
-- In microseconds, as two may be used in the same millisecond.
local used_now = time[1] * 1000000 + tonumber(time[2])

local found = redis.call('HMGET', head, 'items', 'state')
if found[1] and idle > 0 and not is_default then
  if used_now - tonumber(redis.call('ZSCORE', used, name) or used_now) > idle * 1000 then
    remove(name)
    found = { false, false }
  end
end
if not found[1] and how ~= 'new' then return { 'absent', system } end
if not is_default and found[1] and ARGV[14] == '1' then
  -- A server that is full still tells what it has.
  redis.pcall('ZADD', used, used_now, name)
end

local function changes_since(items_tip)
  if found[1] == items_tip then return {} end
  local entries = redis.call('LRANGE', log, 0, -1)
  for at, entry in ipairs(entries) do
    if string.sub(entry, 1, #items_tip + 1) == items_tip .. ' ' then
      return { unpack(entries, at + 1) }
    end
  end
  return false
end

local leaving = {}
local function answer(status)
  if not found[1] then return { status, system, '', '', {}, false, leaving } end
  local state = found[2] ~= ARGV[7] and redis.call('HGET', head, 'text')
  return { status, system, found[1], found[2], changes_since(ARGV[6]), state, leaving }
end
if how == 'new' and found[1] then return answer('behind') end
if how == '' and (what ~= '' and found[1] ~= ARGV[6] or text ~= '' and found[2] ~= ARGV[7]) then
  return answer('behind')
end
local given = answer('done')
-- What can fail comes first: a script is not undone, and after a first change a server that is full lets
-- all others be made.
if what == 'all' then redis.call('RENAME', ARGV[11], items) end
if text ~= '' then redis.call('HSET', head, 'text', text, 'state', tip) end
if what ~= '' then redis.call('HSET', head, 'items', tip) end

-- Makes room for a sandbox: those that were not used for too long go, and where there are too many,
-- the least recently used ones, those without options of their own first.
local function leave(one, reason)
  remove(one)
  table.insert(leaving, { one, reason })
end
local function leave_oldest(options)
  for _, one in ipairs(redis.call('ZRANGE', used, 0, -1)) do
    if redis.call('ZCARD', used) < max then return end
    if string.sub(redis.call('HGET', about, one) or '0', -1) == options then leave(one, 'max') end
  end
end
if not found[1] then
  redis.call('UNLINK', key_of(name, 'snapshots'))
  clear_journal(name)
  if not is_default then
    if idle > 0 then
      for _, one in ipairs(redis.call('ZRANGEBYSCORE', used, '-inf', used_now - idle * 1000)) do
        leave(one, 'idle')
      end
    end
    leave_oldest('0')
    leave_oldest('1')
    redis.call('ZADD', used, used_now, name)
  end
end
if ARGV[13] ~= '' and not is_default then
  local created = string.match(redis.call('HGET', about, name) or '', '^%d+') or string.format('%d', system)
  redis.call('HSET', about, name, created .. ' ' .. ARGV[13])
end

if what == 'some' then
  for at = 15, #ARGV, 2 do
    if ARGV[at + 1] == '' then redis.call('HDEL', items, ARGV[at])
    else redis.call('HSET', items, ARGV[at], ARGV[at + 1]) end
  end
  redis.call('RPUSH', log, tip .. ' ' .. ARGV[11])
  redis.call('LTRIM', log, -LOG_LENGTH, -1)
elseif what ~= '' then
  redis.call('UNLINK', log)
  redis.call('PERSIST', items)
  redis.call('RPUSH', log, tip .. ' []')
end
if ARGV[12] == '1' then clear_journal(name) end
return given
