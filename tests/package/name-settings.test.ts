import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { nameSettings } from '../../package/name-settings.ts';
import { createTwin } from '../../package/twin.ts';
import { verify } from '../../package/verify.ts';
import { startTwin } from '../support/twin.ts';

it.each([
  ['Choose another with --port, or --port 0.', 'Choose another with port, or port: 0.'],
  ['Start with --rate-limits enforce.', "Start with rateLimits: 'enforce'."],
  ['Give one with --key.', 'Give one with keys.'],
  ['npm install --save-dev dredd', 'npm install --save-dev dredd'],
])('names settings as code does: %s', (message, expected) => {
  expect(nameSettings(message, ['port', 'rateLimits', 'keys'], { key: 'keys' })).toBe(expected);
});

it('says which setting to change where a port is taken or limits are off', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(createTwin({ port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken. Choose another with port, or port: 0 for any free one.`,
  );
  await using twin = await createTwin({ rateLimits: 'off' });
  await expect(twin.limits.exhaust('demo-free')).rejects.toThrow(
    /Start the mock with rateLimits: 'enforce'\.$/,
  );
});

it('says which setting to change where a target accepts no key', async () => {
  const { api } = await startTwin();
  await expect(verify({ target: { url: api, keys: ['wrong'] } })).rejects.toThrow(
    /Give a valid one with keys\.$/,
  );
});
