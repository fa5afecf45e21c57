import { expect, it } from 'vitest';
import { createResponseJudge } from '../../../contracts/judging/judge-response.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const done = { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } };
const example = { done: true };

/** A document that describes content for answers that have none. */
const described = toDocument({
  '/ping': { get: { operationId: 'ping', responses: { 204: jsonOf(done, { example }) } } },
  '/pong': { get: { operationId: 'pong', responses: { 205: jsonOf(done, { example }) } } },
  '/any': {
    get: { operationId: 'any', responses: { '2XX': jsonOf(done) } },
    head: { operationId: 'head', responses: { 200: jsonOf(done), default: jsonOf(done) } },
  },
});

it.each<[operation: string, status: number, method: string]>([
  ['ping', 204, 'GET'],
  ['pong', 205, 'GET'],
  ['any', 204, 'GET'],
  ['head', 200, 'HEAD'],
  ['head', 404, 'HEAD'],
])('demands no content of %s, answered with %i', async (operation, status, method) => {
  const judge = createResponseJudge(compile(described as never));
  const response = new Response(null, { status });
  const { findings } = await judge(response, operation, { sent: { method } });
  expect(findings).toEqual([]);
});

it('demands content of other answers', async () => {
  const judge = createResponseJudge(compile(described as never));
  const { findings } = await judge(new Response('', { status: 200 }), 'any');
  expect(findings).toMatchObject([{ check: 'body-schema' }]);
});

it('serves such answers without content, and demands none of them', async () => {
  const { call } = await serveDocument(described);
  for (const [path, status] of [
    ['/ping', 204],
    ['/pong', 205],
  ] as const)
    expect(await call(path)).toMatchObject({ status, type: null, text: '' });
  const { verdict } = await verify({ spec: await writeJson(described) });
  expect(verdict).toBe('clean');
});
