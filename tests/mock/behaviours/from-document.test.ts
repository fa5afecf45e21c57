import { expect, it } from 'vitest';
import type { Call } from '../../../mock/behaviours/behaviour.ts';
import { createFromDocumentBehaviour } from '../../../mock/behaviours/from-document.ts';
import {
  type AnswerWithPrism,
  createAnswerWithPrism,
  type LoadPrism,
} from '../../../mock/documented/answer-with-prism.ts';
import { createSecurity } from '../../../mock/extras/schemes/create-security.ts';
import { toText } from '../../../mock/json/exact-json.ts';
import { createLog } from '../../../mock/log.ts';
import { compile, type Operation } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

type BindOptions = { load?: LoadPrism; mediaType?: string; itemSchema?: object; examples?: object };

/** Returns what an operation `made` of a schema answers, and what is logged. */
function bind(
  schema: object | undefined,
  answerWithPrism?: AnswerWithPrism,
  { load, mediaType = 'application/json', itemSchema, examples }: BindOptions = {},
) {
  const given = { schema, itemSchema, examples };
  const content = { [mediaType]: JSON.parse(JSON.stringify(given)) };
  const document = compile({
    openapi: '3.2.0',
    paths: {
      '/made': {
        get: { operationId: 'made', responses: { 200: { description: 'Fine.', content } } },
      },
    },
  });
  const operation = document.operations[0] as Operation;
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  const behave = createFromDocumentBehaviour({
    document,
    operation,
    answerWithPrism: answerWithPrism ?? createAnswerWithPrism(document, log, load),
    log,
  });
  const call = async () => {
    const answer = await behave({ params: {} } as Call);
    return 'json' in answer ? toText(answer.json) : answer.text;
  };
  return { behave: () => behave({ params: {} } as Call), call, lines };
}

/** A schema that the twin's own maker makes nothing for that fits, and prism-http does. */
const beyondTwin = {
  type: 'object',
  required: ['code'],
  properties: { code: { oneOf: [{}, { type: 'string' }] } },
};

/** Matches what the mock itself makes of it. */
const ofTwin = expect.stringMatching(/^\{"code":"\w+"\}$/);

function moduleNotFound(message: string): LoadPrism {
  return () => Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }));
}

it('says once that an answer does not match its schema, where none could be made that does', async () => {
  const { call, lines } = bind({ type: 'string', pattern: '^(?!x)x[a-z]+$' });
  const first = await call();
  expect(await call()).toBe(first);
  expect(lines).toEqual([
    expect.stringMatching(
      /^The response generated for made does not match its schema\. Add an example to the document\. It must match the pattern .*\n$/,
    ),
  ]);
});

it('makes what it can by itself, and says nothing of an answer that fits', async () => {
  const { call, lines } = bind({ type: 'string', minLength: 3 }, nobody);
  expect(JSON.parse(await call()).length).toBeGreaterThan(2);
  expect(lines).toEqual([]);
});

it('answers what prism-http makes where its own would not fit, and says nothing of it', async () => {
  const { call, lines } = bind(beyondTwin);
  expect(JSON.parse(await call())).toEqual({ code: null });
  expect(lines).toEqual([]);
});

const nobody = () => Promise.reject(new Error('Nobody was to be asked.'));
const one = (value: string) => ({ type: 'string', enum: [value] });

it.each<[mediaType: string, schema: object | undefined, text: unknown, sent?: string]>([
  ['text/plain', { type: 'string', default: 'a text' }, 'a text'],
  ['text/plain; charset=utf-8', { type: 'string', default: 'a' }, 'a'],
  ['*/*', { type: 'string', pattern: '^x{3}$' }, 'xxx', 'text/plain'],
  ['application/pdf', one('%PDF'), '%PDF'],
  ['text/plain', { const: 'a text' }, 'a text'],
  ['text/csv', undefined, expect.stringMatching(/./)],
  ['application/pdf', undefined, expect.stringMatching(/./)],
  ['*/*', undefined, expect.stringMatching(/^".+"$/), 'application/json'],
  ['application/x-ndjson', undefined, expect.stringMatching(/^".+"\n$/)],
  ['text/event-stream', one('id: 1\ndata: a\n\n'), 'id: 1\ndata: a\n\n'],
  ['text/event-stream', one('a'), 'data: a\n\n'.repeat(3)],
  ['text/event-stream', undefined, expect.stringMatching(/^(data: .+\n\n){3}$/)],
])('makes the texts of %s by itself', async (mediaType, schema, text, sent = mediaType) => {
  const { behave } = bind(schema, nobody, { mediaType });
  expect(await behave()).toMatchObject({ status: 200, text, mediaType: sent });
});

const counted = schemaOf(String.raw`{ id!: 7, data!: "a\nb", event: "tick" }`);

it.each([
  ['application/jsonl', { const: { n: 1 } }, '{"n":1}\n{"n":1}\n{"n":1}\n'],
  ['application/x-ndjson', { enum: [null] }, 'null\nnull\nnull\n'],
  ['application/json-seq', { const: 1 }, '\x1e1\n\x1e1\n\x1e1\n'],
  ['text/event-stream', counted, 'event: tick\nid: 7\ndata: a\ndata: b\n\n'.repeat(3)],
  ['text/event-stream', { const: { data: { a: 1 } } }, 'data: {"a":1}\n\n'.repeat(3)],
])('makes the items of %s', async (mediaType, itemSchema, text) => {
  const { behave } = bind(undefined, nobody, { mediaType, itemSchema });
  expect(await behave()).toMatchObject({ status: 200, text, mediaType });
});

it.each([0, false, null, '', [], {}])('answers with the example %j', async (value) => {
  const { call } = bind(undefined, undefined, { examples: { a: { value } } });
  expect(await call()).toBe(JSON.stringify(value));
});

it('makes different items of a sequence', async () => {
  const itemSchema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  const { call } = bind(undefined, undefined, { mediaType: 'application/jsonl', itemSchema });
  const lines = (await call()).trim().split('\n');
  expect(new Set(lines).size).toBeGreaterThan(1);
  expect(lines.map((line) => typeof JSON.parse(line).n)).toEqual(['number', 'number', 'number']);
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
  const { call, lines } = bind(beyondTwin, undefined, { load });
  expect([await call(), await call()]).toEqual([ofTwin, ofTwin]);
  expect(lines).toEqual([
    expect.stringContaining(problem),
    expect.stringContaining('does not match its schema'),
  ]);
  expect(lines[0]).toMatch(
    /^@stoplight\/prism-http cannot be used, so only what the mock can generate itself is answered: /,
  );
});

it.each([
  ['its own schemes', { security: [{ key: [] }] }],
  ['those of the document', {}],
])('challenges with %s where the response of an operation is 401', async (_, asked) => {
  const document = compile({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/refused': { get: { ...asked, responses: { 401: { description: 'Unauthorized' } } } },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  const log = createLog('silent');
  const behave = createFromDocumentBehaviour({
    document,
    operation: document.operations[0] as Operation,
    answerWithPrism: async () => undefined,
    challengeOf: createSecurity({ document, keys: [], tokens: undefined }).challengeOf,
    log,
  });
  expect(await behave({ params: {} } as Call)).toMatchObject({
    status: 401,
    headers: { 'WWW-Authenticate': 'ApiKey realm="Shop", in="header", name="X-Key"' },
  });
});

it.each([
  ['401, 404', 404],
  ['404, 401', 404],
  ['401', 401],
])('answers a call of which only %s are described with %i', async (described, status) => {
  const { call } = await serveDocument(documentOf(`GET /bills/{id} -> ${described}`));
  expect((await call('/bills/1')).status).toBe(status);
});
