-- All of a sandbox but its items and snapshots at one moment.
--
-- KEYS  head, control
-- Gives false where it does not exist, else: epoch, control, version, tip, seeds, the control
--       state.
local head = redis.call('HMGET', KEYS[1], 'epoch', 'control', 'version', 'tip', 'seeds')
if not head[1] then return false end
table.insert(head, redis.call('GET', KEYS[2]) or '')
return head
