-- The decision on one call of a key: the same as mock/limits/decide.ts and limiter.ts, in the server.
local DAY, MAX_WINDOWS = 86400000, 100

local function is_banned(ban, at)
  return ban ~= nil and ban.till - ban.seconds * 1000 <= at and at < ban.till
end

local function shown_window(minute, day, plan, at)
  local minute_left = math.max(0, plan.per_minute - minute)
  local day_left = math.max(0, plan.per_day - day)
  if day_left <= minute_left then
    return { plan.per_day, day_left, (math.floor(at / DAY) + 1) * DAY, 'day' }
  end
  return { plan.per_minute, minute_left, plan.minute_end, 'minute' }
end

local function to_decision(usage, plan, at)
  if is_banned(usage.ban, at) then
    local ban = usage.ban
    local window = shown_window(usage.minute, usage.day, plan, at)
    local reset = window[2] == 0 and math.max(ban.till, window[3]) or ban.till
    return 'banned', { window[1], 0, reset, window[4] }
  end
  local is_allowed = usage.minute < plan.per_minute and usage.day < plan.per_day
  local taken = is_allowed and 1 or 0
  local window = shown_window(usage.minute + taken, usage.day + taken, plan, at)
  return is_allowed and 'allowed' or 'exceeded', window
end

-- The strikes and the ban after a refusal.
local function strike(usage, policy, at)
  local strikes = {}
  for _, instant in ipairs(usage.strikes) do
    if instant <= at and at - instant < policy.within * 1000 then table.insert(strikes, instant) end
  end
  table.insert(strikes, at)
  usage.strikes = strikes
  if #strikes < policy.strikes then return end
  local seconds = policy.seconds
  if usage.ban then seconds = math.min(usage.ban.seconds * 2, policy.max) end
  usage.strikes = {}
  usage.ban = { till = at + seconds * 1000, seconds = seconds }
end

local function to_numbers(list)
  local numbers = {}
  for number in string.gmatch(list or '', '[^,]+') do table.insert(numbers, tonumber(number)) end
  return numbers
end

local function to_list(numbers)
  local texts = {}
  for at, number in ipairs(numbers) do texts[at] = text(number) end
  return table.concat(texts, ',')
end

-- Counts a call in a window, and forgets the least recently used window where there are too many.
local function count(key, name, order, index, calls)
  redis.call('HSET', key, name .. text(index), text(calls))
  local current = text(index)
  if order and (order == current or string.sub(order, -#current - 1) == ',' .. current) then return end
  local kept = {}
  for window in string.gmatch(order or '', '[^,]+') do
    if window ~= current then table.insert(kept, window) end
  end
  table.insert(kept, current)
  if #kept > MAX_WINDOWS then redis.call('HDEL', key, name .. table.remove(kept, 1)) end
  redis.call('HSET', key, name .. 's', table.concat(kept, ','))
end

-- Decides on a call of a key at an instant and counts it. Gives the decision as a list: outcome,
-- limit, remaining, reset, minute or day; then, of an allowed call, when it was counted, and 'exceeded'
-- where it is beyond the limit and only observed; of a banned one, the end and the length of the ban.
local function take(key, owner, mode, plan, policy, at)
  local of_minute, of_day = owner .. '|minute', owner .. '|day'
  local minute, minute_end = minute_at(key, of_minute, plan.length, plan.from, at)
  local day = math.floor(at / DAY)
  plan.minute_end = minute_end
  local found = redis.call(
    'HMGET', key,
    of_minute .. text(minute), of_day .. text(day),
    owner .. '|strikes', owner .. '|ban', of_minute .. 's', of_day .. 's'
  )
  local ban = to_numbers(found[4])
  local usage = {
    minute = tonumber(found[1] or 0),
    day = tonumber(found[2] or 0),
    strikes = to_numbers(found[3]),
    ban = policy and ban[1] and { till = ban[1], seconds = ban[2] } or nil,
  }
  local outcome, window = to_decision(usage, plan, at)
  if outcome == 'allowed' or mode == 'observe' then
    count(key, of_minute, found[5], minute, usage.minute + 1)
    count(key, of_day, found[6], day, usage.day + 1)
    if found[4] then redis.call('HDEL', key, owner .. '|ban') end
    local decision = {
      'allowed', text(window[1]), text(window[2]), text(window[3]), window[4], text(at),
    }
    if outcome ~= 'allowed' then table.insert(decision, 'exceeded') end
    return decision
  end
  if policy then
    strike(usage, policy, at)
    redis.call('HSET', key, owner .. '|strikes', to_list(usage.strikes))
    if usage.ban then
      redis.call('HSET', key, owner .. '|ban', to_list({ usage.ban.till, usage.ban.seconds }))
    end
    outcome, window = to_decision(usage, plan, at)
  end
  local decision = { outcome, text(window[1]), text(window[2]), text(window[3]), window[4] }
  if outcome == 'banned' then
    table.insert(decision, text(usage.ban.till))
    table.insert(decision, text(usage.ban.seconds))
  end
  return decision
end
