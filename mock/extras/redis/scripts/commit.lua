-- Runs commands for whoever holds the lock of a sandbox, if its state is still the one that it knows.
--
-- KEYS  head, lock, and the keys of the commands
-- ARGV  token of the lock, epoch, the commands as JSON: name, number of its key, arguments, where a
--       number stands for the argument of the script with that number; then those arguments
-- Gives 'lost' (another holds the lock), 'other' (another epoch), or 'done'.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'lost' end
if (redis.call('HGET', KEYS[1], 'epoch') or '') ~= ARGV[2] then return 'other' end
for _, command in ipairs(cjson.decode(ARGV[3])) do
  command[2] = KEYS[command[2]]
  for at = 3, #command do
    if type(command[at]) == 'number' then command[at] = ARGV[command[at]] end
  end
  redis.call(unpack(command))
end
return 'done'
