import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import type { RecordedExchange } from '../../../contracts/traffic/recorded-exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { judgeTraffic } from '../../support/traffic.ts';

const baseUrl = 'http://shop.test';
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    size: { type: 'integer' },
  },
};
const paths = {
  '/things': {
    get: {
      operationId: 'listThings',
      responses: { 200: jsonOf({ type: 'array', items: thing }) },
    },
    post: {
      operationId: 'addThing',
      requestBody: jsonOf(thing),
      responses: { 201: jsonOf(thing), 400: { description: 'Wrong.' } },
    },
  },
  '/things/{id}': {
    get: {
      operationId: 'getThing',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { 200: jsonOf(thing), 404: { description: 'None.' } },
    },
  },
};

type Sent = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  status: number;
  answer?: unknown;
};

const toRecorded = ({
  method = 'GET',
  headers = {},
  body,
  status,
  answer = [],
}: Sent): RecordedExchange => ({
  request: {
    method,
    url: `${baseUrl}/things`,
    headers: Object.entries(headers),
    ...(body !== undefined && { body: { bytes: Buffer.from(body) } }),
  },
  response: {
    status,
    headers: [['Content-Type', 'application/json']],
    body: { bytes: Buffer.from(JSON.stringify(answer)) },
  },
  sentAt: 0,
  endedAt: 1,
});

const remarksIn = ({ findings }: Report) =>
  findings.map(({ verdict, message }) => [verdict, message]);

const judge = (sent: Sent, more: object = {}) =>
  judgeTraffic([toRecorded(sent)], {
    baseUrl,
    keys: [],
    document: compile(toDocument(paths, more)),
  });

const json = { 'Content-Type': 'application/json' };
const made = { status: 201, answer: { id: 1, name: 'a' } };

it.each<[string, Sent]>([
  [
    'a client of listThings accepts text/html, and the document describes application/json',
    { headers: { Accept: 'text/html' }, status: 200 },
  ],
  [
    'a client of addThing sends a body without a Content-Type, and the document describes application/json',
    { method: 'POST', body: '{"name":"a"}', ...made },
  ],
  [
    'a client of addThing sends a body as text/plain, and the document describes application/json',
    { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{"name":"a"}', ...made },
  ],
  [
    'a client of addThing sends null for what the document describes as something else',
    { method: 'POST', headers: json, body: '{"name":"a","size":null}', ...made },
  ],
])('remarks that %s', async (message, sent) => {
  const report = await judge(sent);
  expect(remarksIn(report)).toEqual([['client', message]]);
  expect(report.verdict).toBe('clean');
});

it('remarks on nothing that is described, was refused or is a type of JSON', async () => {
  for (const sent of [
    { status: 200 },
    { headers: { Accept: 'application/vnd.shop.v3+json' }, status: 200 },
    { headers: { Accept: 'text/html' }, status: 406 },
    { method: 'POST', headers: json, body: '{"name":"a"}', ...made },
    { method: 'POST', headers: json, body: '{"name":"a","size":null}', status: 400 },
  ])
    expect(remarksIn(await judge(sent))).toEqual([]);
});

it('judges a call for a type of JSON of a vendor', async () => {
  const headers = { Accept: 'application/vnd.shop.v3+json' };
  const report = await judge({ headers, status: 200, answer: [{ id: 'a' }] });
  expect(report.findings).toMatchObject([{ verdict: 'drift', check: 'body-schema' }]);
});

it('blames a deployment for null where the document asks for strict requests', async () => {
  const sent = { method: 'POST', headers: json, body: '{"name":"a","size":null}', ...made };
  const report = await judge(sent, { 'x-twin': { requests: 'strict' } });
  expect(report.findings).toMatchObject([{ verdict: 'drift', check: 'invalid-body' }]);
});
