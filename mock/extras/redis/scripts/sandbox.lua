-- What all scripts of a twin share. ARGV[1] is what its keys begin with, ARGV[2] the name of a sandbox.
local prefix, name = ARGV[1], ARGV[2]
local used, about = prefix .. ':used', prefix .. ':about'
local sizes, dropped = prefix .. ':sizes', prefix .. ':dropped'

local function key_of(one, part)
  return prefix .. ':sandbox:' .. one .. ':' .. part
end

local function clear_journal(one)
  redis.call('UNLINK', key_of(one, 'journal'))
  redis.call('HDEL', sizes, one)
  redis.call('HDEL', dropped, one)
end

local function remove(one)
  for _, part in ipairs({ 'head', 'items', 'log', 'snapshots' }) do
    redis.call('UNLINK', key_of(one, part))
  end
  clear_journal(one)
  redis.call('ZREM', used, one)
  redis.call('HDEL', about, one)
end
