import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { judgeTraffic, type PassedCall, passed } from '../../support/traffic.ts';

const baseUrl = 'http://shop.test';
const lines = `
  Thing: { readonly id!: int, name!, size: int }
  listThings: GET /things -> [Thing]
  addThing: POST /things Thing -> 201 Thing, 400
  getThing: GET /things/{id} -> Thing, 404
`;

type Sent = Omit<PassedCall, 'url' | 'sent'> & { sent?: Record<string, string> };

const remarksIn = ({ findings }: Report) =>
  findings.map(({ verdict, message }) => [verdict, message]);

const judge = ({ sent = {}, ...call }: Sent, more: object = {}) =>
  judgeTraffic([passed({ ...call, url: `${baseUrl}/things`, sent: Object.entries(sent) })], {
    ...{ baseUrl, keys: [], document: compile(documentOf(lines, {}, { ...more })) },
  });

const json = { 'Content-Type': 'application/json' };
const made = { status: 201, answer: { id: 1, name: 'a' } };

it.each<[string, Sent]>([
  [
    'a client of listThings accepts text/html, and the document describes application/json',
    { sent: { Accept: 'text/html' }, status: 200 },
  ],
  [
    'a client of addThing sends a body without a Content-Type, and the document describes application/json',
    { body: '{"name":"a"}', ...made },
  ],
  [
    'a client of addThing sends a body as text/plain, and the document describes application/json',
    { sent: { 'Content-Type': 'text/plain' }, body: '{"name":"a"}', ...made },
  ],
  [
    'a client of addThing sends null for what the document describes as something else',
    { sent: json, body: '{"name":"a","size":null}', ...made },
  ],
])('remarks that %s', async (message, sent) => {
  const report = await judge(sent);
  expect(remarksIn(report)).toEqual([['client', message]]);
  expect(report.verdict).toBe('clean');
});

it('remarks on nothing that is described, was refused or is a type of JSON', async () => {
  for (const sent of [
    { status: 200 },
    { sent: { Accept: 'application/vnd.shop.v3+json' }, status: 200 },
    { sent: { Accept: 'text/html' }, status: 406 },
    { sent: json, body: '{"name":"a"}', ...made },
    { sent: json, body: '{"name":"a","size":null}', status: 400 },
  ])
    expect(remarksIn(await judge(sent))).toEqual([]);
});

it('judges a call for a type of JSON of a vendor', async () => {
  const sent = { Accept: 'application/vnd.shop.v3+json' };
  const report = await judge({ sent, status: 200, answer: [{ id: 'a' }] });
  expect(report.findings).toMatchObject([{ verdict: 'drift', check: 'body-schema' }]);
});

it('blames a deployment for null where the document asks for strict requests', async () => {
  const sent = { sent: json, body: '{"name":"a","size":null}', ...made };
  const report = await judge(sent, { 'x-twin': { requests: 'strict' } });
  expect(report.findings).toMatchObject([{ verdict: 'drift', check: 'invalid-body' }]);
});
