import { expect, it } from 'vitest';
import { bodySchema } from '../contracts/checks/body-schema.ts';
import { errorShape } from '../contracts/checks/error-shape.ts';
import { builtInDocument, loadDocument } from '../contracts/document.ts';
import { judge } from '../contracts/judge.ts';
import { toObservedExchange } from '../contracts/transcript/observed-exchange.ts';
import { compileResponses } from '../contracts/transcript/schema-validator.ts';

const document = await loadDocument(builtInDocument);
const validators = compileResponses(document);
const rex = { id: 1, name: 'Rex', categoryId: 1 };

/** What is found in answers of one operation, given as bodies. */
async function findingsIn(operationId: string, status: number, ...bodies: string[]) {
  const operation = document.operations.find(({ id }) => id === operationId);
  if (!operation) throw new Error(`There is no ${operationId}.`);
  const exchanges = await Promise.all(
    bodies.map((body) => toObservedExchange(new Response(body, { status }), { document, operation, sent: {}, now: 0 })),
  );
  const target = { name: 'target', url: '' };
  const transcript = {
    document,
    target,
    keys: [],
    validators,
    secondOpinions: new Map(),
    exchanges,
    skipped: [],
    refusedKeys: [],
  };
  return judge(transcript, [bodySchema, errorShape], []).findings.map(({ message, problems, expected, actual, count }) => ({
    message,
    ...(problems && { problems }),
    expected,
    actual,
    count,
  }));
}

it('tells all faults of the bodies of an operation in one finding', async () => {
  const bodies = [
    [{ ...rex, id: 'one' }, rex],
    [rex, { ...rex, id: 'two' }],
    [rex, { ...rex, status: 'gone', colour: 'of many words, so that this is not the clearest' }],
  ];
  expect(await findingsIn('listPets', 200, ...bodies.map((body) => JSON.stringify(body)))).toEqual([
    {
      message: 'listPets answers 200 with a body that breaks its schema: 2 things are wrong',
      problems: [
        '[0].id is the string "one"; an integer is stated (§2)',
        'in another answer, [1].status is the string "gone"; one of "available", "pending", "sold" is stated (§2)',
      ],
      expected: '[0].id: an integer',
      actual: '[0].id: "one"',
      count: 3,
    },
  ]);
});

it('says of a body without JSON whether it is empty', async () => {
  const wrong = { expected: 'a JSON body that fits its schema', count: 1 };
  const message = 'getPet answers 200 with a body that breaks its schema';
  expect(await findingsIn('getPet', 200, '<p>')).toEqual([{ ...wrong, message: `${message}: it is no JSON`, actual: '"<p>"' }]);
  expect(await findingsIn('getPet', 200, ' ')).toEqual([
    { ...wrong, message: `${message}: it is empty`, actual: 'an empty body' },
  ]);
});

it('names what an error lacks', async () => {
  const message = 'getPet answers 404 with a body that is no Error';
  expect(await findingsIn('getPet', 404, '{"code":"none","message":"None.","status":"404"}')).toMatchObject([
    { message: `${message}: status is the string "404"; an integer is stated (§2)` },
  ]);
  expect(await findingsIn('getPet', 404, '{"error":"None."}')).toMatchObject([
    {
      message: `${message}: 3 things are wrong`,
      problems: ['code', 'message', 'status'].map((name) => `${name} is missing; Error requires it (§2, §7)`),
      actual: '"{\\"error\\":\\"None.\\"}"',
    },
  ]);
  expect(await findingsIn('getPet', 404, 'Not Found')).toMatchObject([
    { message: `${message}: it is no JSON`, actual: '"Not Found"' },
  ]);
  expect(await findingsIn('getPet', 404, '')).toMatchObject([{ message: `${message}: it is empty`, actual: 'an empty body' }]);
});
