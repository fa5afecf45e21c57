import { expect, it } from 'vitest';
import { createResponseJudge } from '../../../contracts/judging/judge-response.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

/** Returns the findings for a media type where others are described, for a success and an error. */
async function judgeBoth(described: object, type: string | undefined, body: string) {
  const content = Object.fromEntries(
    Object.entries(described).map(([name, one]) => [name, { schema: one }]),
  );
  const response = { description: 'Fine.', content };
  const paths = {
    '/notes': { get: { operationId: 'list', responses: { 200: jsonOf({ type: 'array' }) } } },
    '/notes/{id}': {
      parameters: [pathParameter('id')],
      get: { operationId: 'read', responses: { 200: response, 404: response, 429: response } },
    },
  };
  const judge = createResponseJudge(await compile(await writeJson(toDocument(paths))));
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
const problem = 'application/problem+json';
const cases: [
  what: string,
  described: object,
  type: string | undefined,
  body: string,
  isWrong: boolean,
][] = [
  ['JSON as text', { 'application/json': schema }, 'text/plain', '{"id":1}', true],
  [
    'JSON with parameters',
    { 'application/json': schema },
    'application/json; v=1',
    '{"id":1}',
    false,
  ],
  ['described with parameters', { 'application/json; v=1': schema }, 'text/html', '<p>', true],
  ['a page where a problem is described', { [problem]: schema }, 'text/html', '<p>', true],
  [
    'plain JSON where a problem is described',
    { [problem]: schema },
    'application/json',
    '{"id":1}',
    true,
  ],
  ['a problem', { [problem]: schema }, problem, '{"id":1}', false],
  [
    'a text beside JSON',
    { 'application/json': schema, 'text/plain': {} },
    'text/plain',
    'no',
    false,
  ],
  ['a range', { '*/*': schema }, 'application/json', '{"id":1}', false],
  ['another kind than a range', { 'image/*': {} }, 'text/html', '<p>', true],
  [
    'bytes under the name of JSON',
    { 'application/json': binary },
    'application/json',
    'PK no JSON',
    false,
  ],
  ...binaries.map(([what, one]): (typeof cases)[number] => [
    `bytes as ${what}`,
    { 'application/json': one },
    'application/json',
    'PK no JSON',
    false,
  ]),
  [
    'no JSON where it may be bytes or an object',
    { 'application/json': { oneOf: [binary, schema] } },
    'application/json',
    'PK no JSON',
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
