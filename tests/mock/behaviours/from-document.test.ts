import { expect, it } from 'vitest';
import { indexDocument, type Operation } from '../../../contracts/description/document.ts';
import {
  type AnswerWithPrism,
  createAnswerWithPrism,
  type LoadPrism,
} from '../../../mock/behaviours/answer-with-prism.ts';
import type { Call } from '../../../mock/behaviours/behaviour.ts';
import { createFromDocumentBehaviour } from '../../../mock/behaviours/from-document.ts';
import { toText } from '../../../mock/json/byte-text.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { createLog } from '../../../mock/log.ts';

/** What an operation `made` of a schema answers, and what is logged. */
function bind(schema: object, answerWithPrism?: AnswerWithPrism, load?: LoadPrism) {
  const content = { 'application/json': { schema } };
  const document = indexDocument({
    openapi: '3.1.0',
    paths: {
      '/made': {
        get: { operationId: 'made', responses: { 200: { description: 'Fine.', content } } },
      },
    },
  });
  const operation = document.operations[0] as Operation;
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const behave = createFromDocumentBehaviour(document, operation, {
    compileSchema: createSchemaCompiler(document),
    answerWithPrism: answerWithPrism ?? createAnswerWithPrism(document, log, load),
    log,
  });
  const call = async () => {
    const answer = await behave({} as Call);
    return 'json' in answer ? toText(answer.json) : answer.text;
  };
  return { call, lines };
}

function moduleNotFound(message: string): LoadPrism {
  return () => Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }));
}

it('says once that an answer does not fit its schema, where none could be made that does', async () => {
  const { call, lines } = bind({ type: 'string', pattern: '^(?<a>x)\\k<a>[a-z]+$' });
  const first = await call();
  expect(await call()).toBe(first);
  expect(lines).toEqual([
    expect.stringMatching(
      /^The answer of made does not fit its schema, as none could be made that does\. It must match pattern .*\n$/,
    ),
  ]);
});

it('says nothing of an answer that fits', async () => {
  const { call, lines } = bind({ type: 'string', minLength: 3 }, async () => undefined);
  expect(JSON.parse(await call()).length).toBeGreaterThan(2);
  expect(lines).toEqual([]);
});

it('tries anew where it failed', async () => {
  let calls = 0;
  const { call } = bind({ const: 1 }, async () => {
    calls += 1;
    if (calls === 1) throw new Error('No file handle is free.');
    return undefined;
  });
  await expect(call()).rejects.toThrow('No file handle is free.');
  expect(await call()).toBe('1');
  expect(await call()).toBe('1');
  expect(calls).toBe(2);
});

it('makes the answer itself where prism-http is not installed, and says nothing of it', async () => {
  const absent = moduleNotFound(
    "Cannot find package '@stoplight/prism-http' imported from /app/answer-with-prism.js",
  );
  const { call, lines } = bind({ const: 1 }, undefined, absent);
  expect([await call(), lines]).toEqual(['1', []]);
});

it.each([
  [
    'lacks a package',
    moduleNotFound(
      "Cannot find package 'lodash' imported from /app/node_modules/@stoplight/prism-http/dist/index.js",
    ),
    "Cannot find package 'lodash'",
  ],
  ['fails', () => Promise.reject(new Error('It broke.')), 'It broke.'],
  ['is another program', async () => ({}) as never, 'is not a function'],
])('makes the answer itself and says why where prism-http %s', async (_, load, problem) => {
  const { call, lines } = bind({ const: 1 }, undefined, load);
  expect([await call(), await call()]).toEqual(['1', '1']);
  expect(lines).toEqual([expect.stringContaining(problem)]);
  expect(lines[0]).toMatch(
    /^@stoplight\/prism-http cannot be used, so the twin makes answers from the schemas itself: /,
  );
});

it('says only once that prism-http cannot be used', async () => {
  const lines: string[] = [];
  const document = indexDocument({ openapi: '3.1.0', paths: { '/a': { get: { responses: {} } } } });
  const log = createLog('warn', (line) => lines.push(line));
  const answerWithPrism = createAnswerWithPrism(document, log, () =>
    Promise.reject(new Error('It broke.')),
  );
  const [operation] = document.operations as [Operation];
  expect([await answerWithPrism(operation), await answerWithPrism(operation)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(lines).toHaveLength(1);
});
