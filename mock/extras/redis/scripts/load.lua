-- All of a sandbox but its snapshots and its journal at one moment.
--
-- Gives false where it does not exist, else the tips of its items and its state, that state, and the
-- fields of the items.
local head = redis.call('HMGET', key_of(name, 'head'), 'items', 'state', 'text')
if not head[1] then return false end
table.insert(head, redis.call('HGETALL', key_of(name, 'items')))
return head
