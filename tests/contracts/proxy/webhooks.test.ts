import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile, startTwin } from '../../support/twin.ts';
import { runProxyCommand } from './run-command.ts';

const spec = projectFile('tests/support/hooked-shop.yaml');
const secret = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`;

/** Starts a receiver, and gives the method, path and body of each call. */
async function startReceiver() {
  const received: string[][] = [];
  const server = createServer(async (request, response) => {
    received.push([request.method ?? '', request.url ?? '', await text(request)]);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('passes webhooks on and holds them against the document', async () => {
  const { api } = await startTwin({ spec });
  const { received, url } = await startReceiver();
  const json = join(makeFolder(), 'report.json');
  const run = runProxyCommand([
    ...['--target', api, '--spec', spec, '--json', json],
    ...['--webhooks', `0=${url}`, '--webhook-secret', secret],
  ]);
  const origin = await run.origin();
  const [, hooks = ''] = await run.until(/webhooks to (\S+);/);
  await fetch(`${origin + new URL(api).pathname.replace(/\/$/, '')}/orders`);
  const send = async (body: string, key = secret) => {
    const at = new Date();
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign('msg_1', at, body),
    };
    return (await fetch(`${hooks}/hooks/shop?a=1`, { method: 'POST', headers, body })).status;
  };
  const good = '{"type":"order.created","data":{"id":"1","quantity":2}}';
  const wrong = '{"type":"order.created","data":{"id":"1","quantity":"two"}}';
  expect(await send(good)).toBe(204);
  expect(await send(wrong)).toBe(204);
  expect(await send(good, secret.replace('whsec_', 'whsec_AAAA'))).toBe(204);
  expect((await fetch(`${hooks}/other`, { method: 'PUT', body: '{}' })).status).toBe(204);
  expect(received.map(([, path]) => path)).toEqual([...Array(3).fill('/hooks/shop?a=1'), '/other']);
  expect(received[1]).toEqual(['POST', '/hooks/shop?a=1', wrong]);
  expect(await run.end()).toBe(1);

  const report: Report = JSON.parse(readFileSync(json, 'utf8'));
  const of = (id: string) => report.findings.filter(({ check }) => check === id);
  expect(of('webhook-body')).toMatchObject([{ verdict: 'drift', count: 1 }]);
  expect(of('webhook-signature')).toMatchObject([{ verdict: 'standard', count: 1 }]);
  expect(run.out).toContain('webhooks that the document does not describe');
});

it.each([
  [['--webhooks', '70000=http://127.0.0.1:1'], '--webhooks must be a port and the origin'],
  [['--webhooks', '4012'], '--webhooks must be a port and the origin'],
  [['--webhooks', '0=http://127.0.0.1:1/path'], '--webhooks must be a port and the origin'],
  [['--webhook-secret', secret], '--webhook-secret needs --webhooks PORT=URL.'],
  [
    ['--webhooks', '0=http://127.0.0.1:1', '--webhook-secret', '!'],
    '--webhook-secret must be base64',
  ],
])('refuses %j', async (args, problem) => {
  const run = runProxyCommand(['--target', 'http://127.0.0.1:1/v1', ...args]);
  expect(await run.code()).toBe(2);
  expect(run.err).toContain(problem);
});
