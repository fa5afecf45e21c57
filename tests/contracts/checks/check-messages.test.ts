import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { bodySchema } from '../../../contracts/checks/body-schema.ts';
import { errorShape } from '../../../contracts/checks/error-shape.ts';
import { pageSize } from '../../../contracts/checks/page-size.ts';
import { rateLimitConstant } from '../../../contracts/checks/rate-limit-constant.ts';
import { compare } from '../../../contracts/judging/compare.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { toObservedExchange } from '../../../contracts/transcript/observed-exchange.ts';
import { ownRun, type Transcript } from '../../../contracts/transcript/transcript.ts';
import { compile } from '../../../openapi/index.ts';

const document = await compile(builtInDocument);
const rex = { id: 1, name: 'Rex', categoryId: 1 };

type Answer = [operation: string, status: number, body: string, headers?: Record<string, string>];

async function transcriptOf(...answers: Answer[]): Promise<Transcript> {
  const exchanges = answers.map(async ([id, status, body, headers = {}], index) => {
    const operation = document.operations.find((one) => one.id === id);
    if (!operation) throw new Error(`There is no ${id}.`);
    const sent = { url: `http://shop/v1${operation.path}` };
    const exchange = await toObservedExchange(new Response(body, { status, headers }), {
      document,
      operation,
      sent,
      now: 0,
    });
    return { ...exchange, number: index + 1 };
  });
  const target = { name: 'target', url: '' };
  const more = {
    keys: [],
    skipped: [],
    refusedKeys: [],
    observer: ownRun,
    trials: [],
  };
  return { document, target, ...more, exchanges: await Promise.all(exchanges) };
}

/** Returns what is found in answers of one operation, given as bodies. */
async function findingsIn(operation: string, status: number, ...bodies: string[]) {
  return findingsOf(await transcriptOf(...bodies.map((body): Answer => [operation, status, body])));
}

function findingsOf(transcript: Transcript) {
  return judge(transcript, [bodySchema, errorShape]).findings.map(
    ({ message, problems, expected, actual, count }) => ({
      message,
      ...(problems && { problems }),
      expected,
      actual,
      count,
    }),
  );
}

it('tells all faults of the bodies of an operation in one finding', async () => {
  const bodies = [
    [{ ...rex, id: 'one' }, rex],
    [rex, { ...rex, id: 'two' }],
    [rex, { ...rex, status: 'gone', colour: 'of many words, so that this is not the clearest' }],
  ];
  expect(await findingsIn('listPets', 200, ...bodies.map((body) => JSON.stringify(body)))).toEqual([
    {
      message:
        'listPets answers 200 with a body that breaks its schema: [0].id is the string "one"; an integer is stated (§2)',
      problems: [
        '[0].id is the string "one"; an integer is stated (§2)',
        '[1].status is the string "gone"; one of "available", "pending", "sold" is stated (§2)',
      ],
      expected: '[0].id: an integer',
      actual: '[0].id: "one"',
      count: 3,
    },
  ]);
});

it('never says that a limit changes to what it was', async () => {
  const answers = [300, 300, 540, 300].map((limit): Answer => {
    const quota = { Limit: limit, Remaining: 9, Reset: 30 };
    const headers = Object.entries(quota).map(([name, value]) => [
      `X-RateLimit-${name}`,
      String(value),
    ]);
    return ['listPets', 200, '[]', Object.fromEntries(headers)];
  });
  expect(judge(await transcriptOf(...answers), [rateLimitConstant]).findings).toMatchObject([
    {
      expected: "X-RateLimit-Limit: 300, as in the window's first answer",
      actual: 'X-RateLimit-Limit: 540',
      count: 1,
    },
  ]);
});

it('says how many items were seen where they are too few to try a bound', async () => {
  const reasonFor = async (items: unknown[]) => {
    const transcript = await transcriptOf(['listPets', 200, JSON.stringify(items)]);
    return judge(transcript, [pageSize]).results[0]?.reason;
  };
  expect(await reasonFor([])).toBe('no items were seen; testing the default of 20 takes 21');
  expect(await reasonFor([rex])).toBe(
    'only 1 item could be seen; testing the default of 20 takes 21',
  );
});

it('says of a body without JSON whether it is empty', async () => {
  const wrong = { expected: 'a JSON body that matches its schema', count: 1 };
  const message = 'getPet answers 200 with a body that breaks its schema';
  expect(await findingsIn('getPet', 200, '<p>')).toEqual([
    { ...wrong, message: `${message}: it is not JSON`, actual: '<p>' },
  ]);
  expect(await findingsIn('getPet', 200, ' ')).toEqual([
    { ...wrong, message: `${message}: it is empty`, actual: 'an empty body' },
  ]);
});

it('names what an error lacks', async () => {
  const message = 'getPet answers 404 with a body that breaks its schema';
  expect(
    await findingsIn('getPet', 404, '{"code":"none","message":"None.","status":"404"}'),
  ).toMatchObject([
    { message: `${message}: status is the string "404"; an integer is stated (§2)` },
  ]);
  expect(await findingsIn('getPet', 404, '{"error":"None."}')).toMatchObject([
    {
      message: `${message}: code is missing; Error requires it (§2, §7) (and 2 more)`,
      problems: ['code', 'message', 'status'].map(
        (name) => `${name} is missing; Error requires it (§2, §7)`,
      ),
      actual: 'the body: {"error":"None."}',
    },
  ]);
  expect(await findingsIn('getPet', 404, 'Not Found')).toMatchObject([
    { message: `${message}: it is not JSON`, actual: 'Not Found' },
  ]);
  expect(await findingsIn('getPet', 404, '')).toMatchObject([
    { message: `${message}: it is empty`, actual: 'an empty body' },
  ]);
});

/**
 * Returns what is reported as different between two targets whose getPet answers with these bodies.
 */
async function differencesOf(left: object, right: object): Promise<string[]> {
  const [first, second] = await Promise.all(
    [left, right].map((body) => transcriptOf(['getPet', 200, JSON.stringify(body)])),
  );
  if (!first || !second) throw new Error('There are two transcripts.');
  return compare(first, second, () => false).map(({ message }) => message);
}

it('takes an optional member that one body lacks for no difference', async () => {
  expect(await differencesOf(rex, { ...rex, status: 'sold' })).toEqual([]);
  expect(await differencesOf({ ...rex, status: 'sold' }, rex)).toEqual([]);
});

it('reports an optional member of another type, and members that are required or undescribed', async () => {
  expect(await differencesOf({ ...rex, status: 'sold' }, { ...rex, status: 1 })).toEqual([
    expect.stringContaining('status is string on target, number on target'),
  ]);
  expect(await differencesOf(rex, { id: 1, name: 'Rex' })).toHaveLength(1);
  expect(await differencesOf(rex, { ...rex, colour: 'red' })).toHaveLength(1);
});
