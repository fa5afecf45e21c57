import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nameSettings } from '../../package/name-settings.ts';
import { createTwin, type Sandbox, TwinError } from '../../package/twin.ts';
import { openResponseJudge, verify } from '../../package/verify.ts';
import { makeFolder } from '../support/make-folder.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';
import { startTwin } from '../support/twin.ts';

it('refers to files of other folders where code allows it', async () => {
  const folder = makeFolder();
  await mkdir(join(folder, 'api'));
  await writeFile(join(folder, 'name.yaml'), '{ type: string, title: From outside }');
  const schema = { type: 'object', properties: { name: { $ref: '../name.yaml' } } };
  const responses = { 200: jsonOf(schema) };
  const spec = join(folder, 'api/shop.json');
  await writeFile(
    spec,
    JSON.stringify(toDocument({ '/me': { get: { operationId: 'me', responses } } })),
  );
  const refusal = /shop\.json refers to "\.\.\/name\.yaml", which is /;
  await expect(openResponseJudge({ spec })).rejects.toThrow(refusal);
  for (const load of [createTwin, verify])
    await expect(load({ spec })).rejects.toThrow(/If you trust the document .* add allowRefs \//);
  const twin = await createTwin({ spec, allowRefs: folder });
  onTestFinished(() => twin.close());
  const served = await fetch(new URL('/__docs/openapi.json', twin.url));
  expect(await served.text()).toContain('From outside');
  expect((await verify({ spec, allowRefs: folder })).verdict).not.toBe('drift');
  await openResponseJudge({ spec, allowRefs: folder });
});

const list = ({ url, key }: Sandbox, query: string) =>
  fetch(`${url}/pets${query}`, { headers: { Authorization: `Bearer ${key()}` } });

it('serves the document as an overlay corrects it', async () => {
  const corrected = await createTwin({
    overlay: {
      overlay: '1.0.0',
      info: { title: 'Corrections', version: '1' },
      actions: [{ target: "$.paths['/pets'].get.parameters[0].schema", update: { maximum: 5 } }],
    },
  });
  onTestFinished(() => corrected.close());
  expect((await list(corrected, '?limit=6')).status).toBe(400);
  expect((await list(corrected, '?limit=5')).status).toBe(200);
  await expect(createTwin({ overlay: { overlay: '2.0.0' } })).rejects.toThrow(
    new TwinError('The overlay cannot be used as an overlay: "overlay" must be 1.0.0.'),
  );
});

it('publishes a project, and leads domains to it', async () => {
  await using twin = await createTwin();
  const { domains, clock } = twin;
  await expect(domains.add('docs.example.com')).rejects.toMatchObject({ code: 'domain_refused' });
  const project = await domains.project({ plan: 'pro', deploy: 'succeeded' });
  expect(await domains.project()).toEqual(project);
  const slow = await domains.project({ propagationHours: 49 });
  expect(slow).toEqual({ ...project, propagationHours: 49 });
  const { record, state } = await domains.add('docs.example.com');
  expect(state).toBe('pending');
  const [type = 'CNAME'] = record.types;
  const records = await domains.dns.set([{ name: record.name, type, value: record.value }]);
  expect(records).toEqual([{ name: record.name, type, ttl: 3600, value: record.value }]);
  expect(await domains.dns.list()).toEqual(records);
  await clock.advance(50 * 3600 * 1000);
  expect(await domains.get('docs.example.com')).toMatchObject({ state: 'active', problems: [] });
  expect((await domains.verify('docs.example.com')).state).toBe('active');
  const redirect = await domains.redirects.add({ from: 'www.example.com', to: 'docs.example.com' });
  expect(await domains.redirects.list()).toEqual([redirect]);
  await domains.redirects.remove('www.example.com');
  await domains.remove('docs.example.com');
  expect([await domains.list(), await domains.redirects.list()]).toEqual([[], []]);
});

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
