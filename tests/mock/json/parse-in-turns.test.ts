import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExact } from '../../../mock/json/exact-json.ts';
import { parseInTurns } from '../../../mock/json/parse-in-turns.ts';

async function outcomeOf(parse: () => unknown): Promise<unknown> {
  try {
    return await parse();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const number = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.constantFrom('1e400', '0.1', '9007199254740993.5', '-0'),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    number,
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('json')).map((all) => `[${all.join(' ,')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"__proto__"', '"]"'), tie('json')))
      .map((all) => `{${all.map(([name, value]) => `${name}: ${value}`).join(',')} }`),
  ),
}));
/** Texts that are no JSON by one character or two. */
const broken = fc
  .tuple(json, fc.nat(), fc.constantFrom('', ',', ']', '[', '}', '"', ',]', ' '))
  .map(([text, at, other]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + other + text.slice(place + 1);
  });

it('parses any text as it is parsed at once, and refuses it with the same words', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(json, broken),
      fc.integer({ min: 1, max: 9 }),
      async (text, length) => {
        const expected = await outcomeOf(() => parseExact(text));
        expect(await outcomeOf(() => parseInTurns(text, { partLength: length }))).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

it('gives the same object for a validator where doubles hold all numbers', async () => {
  const { value, doubles } = await parseInTurns('{"items":[1,2,3,4]}', { partLength: 1 });
  expect(doubles).toBe(value);
  const exact = await parseInTurns('{"items":[1,2,9007199254740993]}', { partLength: 1 });
  expect(exact.value).toEqual({ items: [1, 2, 9007199254740993n] });
  expect(exact.doubles).toEqual({ items: [1, 2, 9007199254740992] });
});

it('lets others have their turn between the parts', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 100 }, (_, at) => ({ id: at }));
  await parseInTurns(JSON.stringify({ items }), { partLength: 50 });
  isOver = true;
  expect(turns).toBeGreaterThan(15);
});

it('bounds how much a text may hold, in all of its parts together', async () => {
  const deep = `[1,${'['.repeat(1000)}${']'.repeat(1000)}]`;
  await expect(parseInTurns(deep, { partLength: 1 })).rejects.toThrow('at most 1,000 levels');
  const inexact = `[${Array.from({ length: 500_001 }, () => '1234567890123456789').join()}]`;
  await expect(parseInTurns(inexact)).rejects.toThrow('at most 500,000 numbers');
});
