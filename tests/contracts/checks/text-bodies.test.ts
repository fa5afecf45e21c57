import { expect, it } from 'vitest';
import { createResponseJudge } from '../../../contracts/judging/judge-response.ts';
import { compile } from '../../../openapi/index.ts';
import { toDocument } from '../../support/serve-document.ts';

const form = 'application/x-www-form-urlencoded';
const lines = 'application/x-ndjson';
const count = { type: 'integer', minimum: 0 };
const state = { type: 'string', enum: ['up', 'down'] };
const row = { type: 'object', required: ['n'], properties: { n: count } };
const pair = {
  type: 'object',
  required: ['state'],
  properties: { state, n: count, tags: { type: 'array', items: { type: 'string', maxLength: 3 } } },
};

/** Returns the checks that blame a body of a media type, as a success and as an error. */
async function blamed(type: string, content: object, body: string, described = type) {
  const response = { description: 'Fine.', content: { [described]: content } };
  const get = { operationId: 'get', responses: { 200: response, 400: response } };
  const judge = createResponseJudge(compile(toDocument({ '/x': { get } }) as never));
  const found = [200, 400].map(async (status) => {
    const answer = new Response(body, { status, headers: { 'Content-Type': type } });
    return (await judge(answer, 'get')).findings.map(({ check }) => check);
  });
  return Promise.all(found);
}

type Row = [type: string, content: object, body: string, described?: string];

it.each<Row>([
  ['text/plain', { schema: state }, 'up'],
  ['text/plain', { schema: state }, 'down\n'],
  ['text/plain; charset=utf-8', { schema: count }, '12', 'text/plain'],
  ['text/plain', { schema: { type: 'boolean' } }, 'True'],
  ['text/plain', { schema: { type: ['integer', 'null'] } }, ''],
  ['text/plain', { schema: { type: 'string', format: 'date' } }, '2030-12-05'],
  ['text/plain; charset=iso-8859-1', { schema: state }, 'other', 'text/plain'],
  ['text/plain', {}, 'anything'],
  ['text/plain', { schema: { anyOf: [state, count] } }, 'anything'],
  ['text/csv', { schema: { type: 'array', items: row } }, 'n\nx\n'],
  ['text/html', { schema: { type: 'string' } }, '<p>\n'],
  [form, { schema: pair }, 'state=up&n=3&tags=a&tags=b&more=1'],
  [form, { schema: pair, encoding: { tags: { explode: false } } }, 'state=up&tags=a,b,c'],
  [form, { schema: { type: 'object', properties: { at: row } } }, 'at=%7B%7D'],
  [lines, { schema: row }, '{"n":1}\n"not of an item"\n'],
  [lines, { itemSchema: row }, '{"n":1}\n\n{"n":2}\n'],
  ['application/json-seq', { itemSchema: row }, '\x1e{"n":1}\n\x1e{"n":2}\n'],
])('blames no %s of %j for %j', async (...given) => {
  expect(await blamed(...given)).toEqual([[], []]);
});

it.each<Row>([
  ['text/plain', { schema: state }, 'broken'],
  ['text/plain', { schema: count }, '-1'],
  ['text/plain', { schema: count }, 'many'],
  ['text/plain', { schema: { type: 'string', pattern: '^v\\d+$' } }, '3'],
  ['text/plain', { schema: { type: 'string', format: 'date-time' } }, 'soon'],
  ['text/csv', { schema: { type: 'string', maxLength: 3 } }, 'a,b,c'],
  [form, { schema: pair }, 'n=3'],
  [form, { schema: pair }, 'state=other'],
  [form, { schema: pair }, 'state=up&tags=a&tags=long'],
  [lines, { itemSchema: row }, '{"n":1}\n{"n":-2}\n'],
  [lines, { schema: { type: 'array', items: row } }, '{"n":1}\nno JSON\n'],
])('blames a %s of %j for %j', async (...given) => {
  expect(await blamed(...given)).toEqual([['body-schema'], ['error-shape']]);
});
