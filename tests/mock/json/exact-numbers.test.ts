import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringifyExact } from '../../../common/json.ts';
import {
  NumberRangeError,
  parseExact,
  parseInteger,
  toDoubles,
} from '../../../mock/json/exact-json.ts';
import { createSend } from '../../support/create-send.ts';
import { counters } from '../../support/documents.ts';
import { bearer, shareTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const spec = await writeJson(counters);
const twin = await shareTwin({ spec, rateLimits: 'off', pets: 0 });

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const isInside = (integer: bigint) => integer >= int64Min && integer <= int64Max;

const double = 2n ** 53n;
const edges = [
  ...[0n, 1n, -1n, double - 1n, double, double + 1n, -double - 1n],
  ...[int64Max, int64Max - 1n, int64Min, int64Min + 1n],
];
const outside = [
  ...[int64Max + 1n, int64Min - 1n, 2n ** 63n + 1n, 2n ** 64n],
  ...[10n ** 19n, 10n ** 400n, -(10n ** 30n)],
];

const int64 = fc.oneof(fc.bigInt({ min: int64Min, max: int64Max }), fc.constantFrom(...edges));
const beyond = fc.oneof(
  fc.bigInt({ min: int64Max + 1n, max: 10n ** 40n }),
  fc.bigInt({ min: -(10n ** 40n), max: int64Min - 1n }),
  fc.constantFrom(...outside),
);

/**
 * Every way in which JSON can write an integer: with zeros behind the point, with the point moved
 * by an exponent.
 */
function notations(
  integers: fc.Arbitrary<bigint>,
): fc.Arbitrary<{ integer: bigint; text: string }> {
  const form = fc.record({
    zeros: fc.nat(30),
    shift: fc.integer({ min: -30, max: 30 }),
    mark: fc.constantFrom('e', 'E'),
    plus: fc.boolean(),
  });
  return fc.tuple(integers, form).map(([integer, { zeros, shift, mark, plus }]) => {
    const sign = integer < 0n ? '-' : '';
    const digits = String(integer).replace('-', '') + '0'.repeat(zeros);
    const point = digits.length - zeros - shift;
    const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
    const whole = padded.slice(0, Math.max(point, 1)).replace(/^0+(?=\d)/, '');
    const fraction = padded.slice(Math.max(point, 1));
    const exponent = shift === 0 ? '' : `${mark}${plus && shift > 0 ? '+' : ''}${shift}`;
    return { integer, text: `${sign}${whole}${fraction && `.${fraction}`}${exponent}` };
  });
}

const send = createSend(twin.api, bearer('demo-pro'));
const create = (count: string) => send('POST', '/counters', `{"count":${count}}`);
const get = (path: string) => send('GET', path);

it.each(edges)(
  'keeps %s to the digit when created, read, listed and filtered by',
  async (integer) => {
    const text = `{"id":1,"count":${integer}}`;
    expect(await create(String(integer))).toMatchObject({ status: 201, text });
    expect((await get('/counters/1')).text).toBe(text);
    expect((await get('/counters')).text).toBe(`[${text}]`);
    expect((await get(`/counters?count=${integer}`)).text).toBe(`[${text}]`);
  },
);

it.each(outside)('refuses %s in a body and in a filter', async (integer) => {
  expect((await create(String(integer))).status).toBe(400);
  expect((await get(`/counters?count=${integer}`)).status).toBe(400);
});

it.each(['1.5', '1e-1', '1e400', '-1e99999999999'])(
  'refuses %s, which is no int64',
  async (text) => {
    expect((await create(text)).status).toBe(400);
  },
);

it('keeps every int64 that a body holds, however it is written', async () => {
  await fc.assert(
    fc.asyncProperty(notations(int64), async ({ integer, text }) => {
      const created = await create(text);
      expect(created.status).toBe(201);
      expect(created.text).toMatch(new RegExp(`^\\{"id":\\d+,"count":${integer}\\}$`));
    }),
    { numRuns: 300 },
  );
});

it('parses and writes every integer to the digit, in any notation and depth', () => {
  fc.assert(
    fc.property(notations(fc.oneof(int64, beyond)), ({ integer, text }) => {
      const write = () => stringifyExact(parseExact(`{"a":[${text},{"b":${text}}]}`));
      if (Number.isFinite(Number(text)))
        expect(write()).toBe(`{"a":[${integer},{"b":${integer}}]}`);
      else expect(write).toThrow(NumberRangeError);
    }),
    { numRuns: 3000 },
  );
});

it('gives a validator a double on the same side of the int64 bounds', () => {
  const doubleOf = (text: string) => Number(toDoubles(parseExact(text)));
  fc.assert(
    fc.property(notations(fc.oneof(int64, beyond)), ({ integer, text }) => {
      fc.pre(Number.isFinite(Number(text)));
      const double = doubleOf(text);
      expect(double >= -(2 ** 63) && double < 2 ** 63).toBe(isInside(integer));
    }),
    { numRuns: 3000 },
  );
});

it('leaves digits in a string alone', () => {
  const text = '{"9007199254740993":"9007199254740993.5e1"}';
  expect(parseExact(text)).toStrictEqual({ '9007199254740993': '9007199254740993.5e1' });
  expect(stringifyExact(parseExact(text))).toBe(text);
});

it('reads an integer of a URL to the digit', () => {
  fc.assert(
    fc.property(int64, (integer) => {
      expect(BigInt(parseInteger(String(integer)) ?? Number.NaN)).toBe(integer);
    }),
  );
});
