/** Tells whether a number is a multiple of another, by the decimals that are written for them. */
export function isMultipleOf(value: number | bigint, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor))
    return Number(value) % divisor === 0;
  const [left, right] = [toDecimal(value), toDecimal(divisor)];
  const least = Math.min(left.exponent, right.exponent);
  return scaled(left, least) % scaled(right, least) === 0n;
}

/** An integer, and the power of ten that it is multiplied with. */
type Decimal = { digits: bigint; exponent: number };

function toDecimal(value: number | bigint): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}
