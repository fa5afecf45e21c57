-- Removes a sandbox. Gives whether it was there: 1, else 0.
local is_there = redis.call('EXISTS', key_of(name, 'head'))
remove(name)
return is_there
