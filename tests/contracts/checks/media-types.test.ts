import { expect, it } from 'vitest';
import { createResponseJudge } from '../../../contracts/judging/judge-response.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

/** Returns the findings for a media type where others are described, for a success and an error. */
async function judgeBoth(described: object, type: string | undefined, body: string) {
  const content = Object.fromEntries(
    Object.entries(described).map(([name, one]) => [name, { schema: one }]),
  );
  const response = { description: 'Fine.', content };
  const operations = {
    'GET /notes/{id}': { responses: { 200: response, 404: response, 429: response } },
  };
  const lines = 'list: GET /notes -> [any]\nread: GET /notes/{id} -> 200';
  const judge = createResponseJudge(compile(documentOf(lines, {}, { operations })));
  const found = [200, 404, 429].map(async (status) => {
    const headers = { ...(type !== undefined && { 'Content-Type': type }) };
    const answer = new Response(new TextEncoder().encode(body), { status, headers });
    const { findings } = await judge(answer, 'read', { sent: { method: 'GET' } });
    return findings.map(({ check }) => check).filter((check) => !/retry|limit/.test(check));
  });
  return Promise.all(found);
}

const binary = { type: 'string', format: 'binary' };
const binaries: [what: string, schema: object][] = [
  ['one part', { allOf: [binary] }],
  ['two parts', { allOf: [{ type: 'string' }, { format: 'binary' }] }],
  ['bytes or null', { ...binary, type: ['string', 'null'] }],
  ['alternatives', { anyOf: [{ allOf: [binary] }, { type: 'null' }] }],
];
const json = 'application/json';
const problem = 'application/problem+json';
const archive = 'PK no JSON';
const cases: [
  what: string,
  described: object,
  type: string | undefined,
  body: string,
  isWrong: boolean,
][] = [
  ['JSON as text', { [json]: schema }, 'text/plain', '{"id":1}', true],
  ['JSON with parameters', { [json]: schema }, 'application/json; v=1', '{"id":1}', false],
  ['described with parameters', { 'application/json; v=1': schema }, 'text/html', '<p>', true],
  ['a page where a problem is described', { [problem]: schema }, 'text/html', '<p>', true],
  ['plain JSON where a problem is described', { [problem]: schema }, json, '{"id":1}', true],
  ['a problem', { [problem]: schema }, problem, '{"id":1}', false],
  ['a text beside JSON', { [json]: schema, 'text/plain': {} }, 'text/plain', 'no', false],
  ['a range', { '*/*': schema }, json, '{"id":1}', false],
  ['another kind than a range', { 'image/*': {} }, 'text/html', '<p>', true],
  ['bytes under the name of JSON', { [json]: binary }, json, archive, false],
  ...binaries.map(([what, one]): (typeof cases)[number] => [
    `bytes as ${what}`,
    { [json]: one },
    json,
    archive,
    false,
  ]),
  [
    'no JSON where it may be bytes or an object',
    { [json]: { oneOf: [binary, schema] } },
    json,
    archive,
    true,
  ],
  ['no media type', { 'application/xml': {} }, undefined, '<p/>', true],
];

it.each(cases)('judges an error as a success: %s', async (_, described, type, body, isWrong) => {
  const [success, ...errors] = await judgeBoth(described, type, body);
  const ofType = (checks: string[] = []) => checks.includes('media-type');
  expect([success, ...errors].map(ofType)).toEqual([isWrong, isWrong, isWrong]);
  if (!isWrong) expect([success, ...errors]).toEqual([[], [], []]);
});
