-- The n-th number of the sequence of a seed, from 1 on: that of createRandom in mock/faults/random.ts.
local WORD = 4294967296

-- The product of two words, as Math.imul gives it; a double holds no such product whole.
local function multiply(left, right)
  left, right = left % WORD, right % WORD
  local left_high, right_high = math.floor(left / 65536), math.floor(right / 65536)
  local left_low, right_low = left % 65536, right % 65536
  local high = (left_high * right_low + left_low * right_high) % 65536
  return (high * 65536 + left_low * right_low) % WORD
end

local function draw(seed, n)
  local state = (seed + multiply(n, 0x6d2b79f5)) % WORD
  local mixed = multiply(bit.bxor(state, bit.rshift(state, 15)), bit.bor(state, 1))
  mixed = bit.bxor(mixed, mixed + multiply(bit.bxor(mixed, bit.rshift(mixed, 7)), bit.bor(mixed, 61)))
  return bit.bxor(mixed, bit.rshift(mixed, 14)) % WORD / WORD
end
