import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { webhookBody } from '../../../contracts/checks/webhook-body.ts';
import { webhookSignature } from '../../../contracts/checks/webhook-signature.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import { createTwin } from '../../../package/twin.ts';
import { verify } from '../../../package/verify.ts';
import { findFreePort } from '../../support/free-port.ts';
import { projectFile } from '../../support/twin.ts';

const spec = projectFile('tests/support/hooked-shop.yaml');
const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type Change = (body: string) => string;

/** Verifies a twin whose webhooks pass something that changes their bodies. */
async function verifyChanged(change: Change, options: { webhookSecret?: string } = {}) {
  const port = await findFreePort();
  const relay = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) =>
      /^(webhook|content-t)/.test(name),
    );
    const { status } = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: change(await text(request)),
    });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => void relay.close());
  const twin = await createTwin({
    spec,
    webhookUrl: [`http://127.0.0.1:${(relay.address() as AddressInfo).port}`],
    webhookSecret,
  });
  onTestFinished(() => twin.close());
  const target = { url: twin.url, keys: [] };
  return verify({ target, spec, allowWrites: true, webhooks: String(port), ...options });
}

const resultsOf = ({ clauses }: Awaited<ReturnType<typeof verify>>, target = 'target') =>
  Object.fromEntries(
    clauses
      .filter(({ id }) => id.startsWith('webhook-'))
      .map(({ id, results }) => [id, results[target]?.verdict]),
  );

it('finds our own twin clean, its webhooks and callbacks held', async () => {
  const report = await verify({ spec, webhooks: '0', webhookSecret });
  expect(report.verdict).toBe('clean');
  expect(resultsOf(report, 'twin')).toEqual({
    'webhook-body': 'kept',
    'webhook-signature': 'kept',
  });
});

it('tells the webhooks of one target from those of another', async () => {
  const port = await findFreePort();
  const twin = await createTwin({
    spec,
    webhookUrl: [`http://127.0.0.1:${port}`],
    webhookSecret: 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=',
  });
  onTestFinished(() => twin.close());
  const target = { url: twin.url, keys: [] };
  const report = await verify({
    target,
    twin: true,
    spec,
    allowWrites: true,
    webhooks: String(port),
    webhookSecret,
  });
  expect(resultsOf(report, 'twin')).toEqual({
    'webhook-body': 'kept',
    'webhook-signature': 'kept',
  });
  expect(resultsOf(report)).toEqual({ 'webhook-body': 'kept', 'webhook-signature': 'standard' });
});

it('finds a webhook whose body breaks its schema, and no callback that keeps it', async () => {
  const report = await verifyChanged((body) => body.replace('"quantity":', '"count":'));
  expect(report.verdict).toBe('drift');
  expect(resultsOf(report)).toMatchObject({ 'webhook-body': 'drift' });
  const found = report.findings.filter(({ check }) => check === 'webhook-body');
  expect(found).toMatchObject([
    { message: expect.stringContaining('webhook order.created has a body that breaks its schema') },
  ]);
  expect(found[0]?.clause.source).toBe('#/webhooks/order.created/post');
});

it.each([
  ['of another type', (body: string) => body.replace('order.created', 'order.made')],
  ['that ends early', (body: string) => body.slice(0, -3)],
])(
  'finds a webhook with a body %s, where the document describes one webhook',
  async (_, change) => {
    const report = await verifyChanged(change);
    expect(resultsOf(report)).toMatchObject({ 'webhook-body': 'drift' });
    expect(report.findings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('webhook order.created has a body that breaks its schema'),
    );
  },
);

it('misses callbacks that it asked for and that do not arrive', async () => {
  const twin = await createTwin({ spec });
  onTestFinished(() => twin.close());
  await twin.webhooks.failNext(1000);
  const target = { url: twin.url, keys: [] };
  const report = await verify({ target, spec, allowWrites: true, webhooks: '0', timeout: 2000 });
  expect(report.clauses.find(({ id }) => id === 'webhook-body')?.results.target).toMatchObject({
    verdict: 'inconclusive',
    reason: 'no createOrder paid arrived in time, and nothing states when it is sent',
  });
});

it('finds a webhook whose body is not the one that was signed', async () => {
  const report = await verifyChanged((body) => `${body} `, { webhookSecret });
  expect(resultsOf(report)).toEqual({ 'webhook-body': 'kept', 'webhook-signature': 'standard' });
  expect(report.findings.find(({ check }) => check === 'webhook-signature')?.message).toContain(
    'the signature is another',
  );
});

it('is inconclusive about what never arrives, and about what the document does not describe', () => {
  const reasons: string[] = [];
  const webhooks = { arrivals: [], missing: ['createOrder paid'], unjudged: ['GET /: no such'] };
  webhookBody.judge({ webhooks } as unknown as Transcript, {
    hold: () => expect.unreachable(),
    inconclusive: (reason) => void reasons.push(reason),
  });
  expect(reasons).toEqual([
    'no createOrder paid arrived in time, and nothing states when it is sent',
    '1 request that arrived could not be judged: GET /: no such',
  ]);
});

it('does not judge a signature that the API makes in a way of its own', () => {
  const reasons: string[] = [];
  const document = { hint: { webhooks: { header: 'Shop-Signature' } } };
  const webhooks = { arrivals: [{}], missing: [], unjudged: [], secret: webhookSecret };
  webhookSignature.judge({ webhooks, document } as unknown as Transcript, {
    hold: () => expect.unreachable(),
    inconclusive: (reason) => void reasons.push(reason),
  });
  expect(reasons).toEqual(['x-twin says that webhooks are signed in a way of their own']);
});

it.each([
  [{ webhooks: '70000' }, 'webhooks must be a port from 0 to 65535, but is "70000".'],
  [{ webhooks: '0', webhooksUrl: 'ftp://x' }, 'webhooksUrl must be an http or https URL'],
  [{ webhooks: '0', webhookSecret: 'no secret' }, 'webhookSecret must be base64'],
  [{ webhookSecret }, 'webhooksUrl and webhookSecret need webhooks PORT.'],
])('refuses %j', async (settings, message) => {
  await expect(verify({ spec, ...settings })).rejects.toThrow(message);
});
