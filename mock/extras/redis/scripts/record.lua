-- Appends exchanges to the journal of a sandbox, and lets the oldest go where there are too many, or
-- where all journals take too much: then those of the largest.
--
-- ARGV  prefix, name, how many exchanges a journal may have, how many bytes all may take, then for each
--       exchange its size and its text
-- Gives the number of the first one.
local function drop(one, count)
  local freed, key = 0, key_of(one, 'journal')
  for _, entry in ipairs(redis.call('XRANGE', key, '-', '+', 'COUNT', count)) do
    freed = freed + tonumber(entry[2][2])
    redis.call('XDEL', key, entry[1])
    redis.call('HINCRBY', dropped, one, 1)
  end
  redis.call('HINCRBY', sizes, one, -freed)
  return freed
end

local first
-- Stands for the journals of this server; one that lost them makes another.
redis.call('HSETNX', dropped, '|tag', table.concat(redis.call('TIME'), '.'))
local journal = key_of(name, 'journal')
for at = 5, #ARGV, 2 do
  local id = redis.call('INCR', prefix .. ':last-id')
  first = first or id
  redis.call('XADD', journal, id .. '-0', 's', ARGV[at], 'e', ARGV[at + 1])
  redis.call('HINCRBY', sizes, name, ARGV[at])
end
local excess = redis.call('XLEN', journal) - tonumber(ARGV[3])
if excess > 0 then drop(name, excess) end

local all, total = redis.call('HGETALL', sizes), 0
for at = 2, #all, 2 do total = total + tonumber(all[at]) end
local max = tonumber(ARGV[4])
-- More than is needed at once, as in memory.
local goal = total > max and max - max / 64 or max
while total > goal do
  local largest, bytes = nil, 0
  for at = 1, #all, 2 do
    if tonumber(all[at + 1]) > bytes then largest, bytes = at, tonumber(all[at + 1]) end
  end
  if not largest then break end
  local freed = drop(all[largest], 2)
  if freed == 0 then break end
  all[largest + 1] = bytes - freed
  total = total - freed
end
return first
