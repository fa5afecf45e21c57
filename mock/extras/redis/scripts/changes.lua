-- The changes of items that follow a version which the caller knows by its tip, or false where they
-- are too many, or no longer there, or where the caller knows another history.
local MAX_CHANGES = 32

local function changes_since(log, known, tip, head)
  if head.tip == tip then return {} end
  if known < head.base or known >= head.version or head.version - known > MAX_CHANGES then
    return false
  end
  return redis.call('LRANGE', log, known - head.base, -1)
end
