-- Appends a change of items, if the caller knows all that were made before.
--
-- KEYS  head, log, items
-- ARGV  epoch, version, tip: the state that the caller knows
--       the tip and the text of the change, how many bytes and changes the log may have,
--       then fields of the items and their values; an empty value removes the field, and the value *
--       all fields of items of a collection
-- Gives 'other' (another epoch), 'appended', or 'behind' (others were made before) with the version,
--       tip and changes as scripts/enter.lua does.
local found = redis.call('HMGET', KEYS[1], 'epoch', 'version', 'tip', 'base', 'bytes')
if found[1] ~= ARGV[1] then return { 'other' } end
local head = { version = tonumber(found[2]), tip = found[3], base = tonumber(found[4]) }
if found[2] ~= ARGV[2] or found[3] ~= ARGV[3] then
  local changes = changes_since(KEYS[2], tonumber(ARGV[2]), ARGV[3], head)
  return { 'behind', head.version, head.tip, changes }
end
for at = 8, #ARGV, 2 do
  if ARGV[at + 1] == '*' then
    for _, field in ipairs(redis.call('HKEYS', KEYS[3])) do
      local name = string.match(field, '^%a+ (.-)\n') or string.match(field, '^%a+ (.*)$')
      if name == ARGV[at] then redis.call('HDEL', KEYS[3], field) end
    end
  elseif ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[3], ARGV[at])
  else
    redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  end
end
local version, base, bytes = head.version + 1, head.base, tonumber(found[5]) + #ARGV[5]
redis.call('RPUSH', KEYS[2], ARGV[5])
while bytes > tonumber(ARGV[6]) or version - base > tonumber(ARGV[7]) do
  bytes = bytes - #redis.call('LPOP', KEYS[2])
  base = base + 1
end
redis.call('HSET', KEYS[1], 'version', version, 'tip', ARGV[4], 'base', base, 'bytes', bytes)
return { 'appended', version }
