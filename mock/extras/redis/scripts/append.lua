-- Appends a change of items, if the caller knows all that were made before.
--
-- KEYS  head, log, items, and for a large change a hash of the fields that it changes
-- ARGV  epoch, version, tip: the state that the caller knows
--       the tip and the text of the change, empty where it is too long for the log; how many bytes
--       and changes the log may have
--       then how many fields are in the hash; or without it fields of the items and their values
--       An empty value removes the field, and the value * all fields of items of a collection.
-- Gives 'other' (another epoch), 'unstaged' (the hash is gone), 'appended', or 'behind' (others were
--       made before) with the version, tip and changes as scripts/enter.lua does.
local AT_ONCE = 1000

local found = redis.call('HMGET', KEYS[1], 'epoch', 'version', 'tip', 'base', 'bytes')
if found[1] ~= ARGV[1] then return { 'other' } end
local head = { version = tonumber(found[2]), tip = found[3], base = tonumber(found[4]) }
if found[2] ~= ARGV[2] or found[3] ~= ARGV[3] then
  local changes = changes_since(KEYS[2], tonumber(ARGV[2]), ARGV[3], head)
  return { 'behind', head.version, head.tip, changes }
end
if KEYS[4] and redis.call('HLEN', KEYS[4]) ~= tonumber(ARGV[8]) then return { 'unstaged' } end

local function remove(names)
  for at = 1, #names, AT_ONCE do
    redis.call('HDEL', KEYS[3], unpack(names, at, math.min(at + AT_ONCE - 1, #names)))
  end
end

local function set(fields)
  for at = 1, #fields, AT_ONCE do
    redis.call('HSET', KEYS[3], unpack(fields, at, math.min(at + AT_ONCE - 1, #fields)))
  end
end

-- Removes all fields of a collection, whose name is quoted: ITEM_OR_ELSE NAME, and a line for an id.
local function remove_collection(name)
  local names, others = {}, {}
  for _, field in ipairs(redis.call('HKEYS', KEYS[3])) do
    local from = string.find(field, ' ', 1, true)
    local is_own = string.sub(field, from + 1, from + #name) == name
    table.insert(is_own and names or others, field)
  end
  if #others > #names then return remove(names) end
  -- It is faster to write what stays than to remove the rest.
  local kept = {}
  for _, field in ipairs(others) do
    table.insert(kept, field)
    table.insert(kept, redis.call('HGET', KEYS[3], field))
  end
  redis.call('UNLINK', KEYS[3])
  set(kept)
end

local function change(fields, from)
  local removed, changed = {}, {}
  for at = from, #fields, 2 do
    local name, value = fields[at], fields[at + 1]
    if value == '*' then remove_collection(name)
    elseif value == '' then table.insert(removed, name)
    else
      table.insert(changed, name)
      table.insert(changed, value)
    end
  end
  remove(removed)
  set(changed)
end

local version, base, bytes = head.version + 1, head.base, tonumber(found[5]) + #ARGV[5]
if KEYS[4] then
  change(redis.call('HGETALL', KEYS[4]), 1)
  redis.call('UNLINK', KEYS[4])
else
  change(ARGV, 8)
end
if ARGV[5] == '' then
  redis.call('DEL', KEYS[2])
  base, bytes = version, 0
else
  redis.call('RPUSH', KEYS[2], ARGV[5])
end
while bytes > tonumber(ARGV[6]) or version - base > tonumber(ARGV[7]) do
  bytes = bytes - #redis.call('LPOP', KEYS[2])
  base = base + 1
end
redis.call('HSET', KEYS[1], 'version', version, 'tip', ARGV[4], 'base', base, 'bytes', bytes)
return { 'appended', version }
