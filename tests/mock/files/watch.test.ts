import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { animal, get, post } from '../../support/bad-input.ts';
import { openRaw } from '../../support/raw-socket.ts';
import { everyNth, itInAll } from '../../support/sample.ts';
import { ca, fetchOverTls, forElsewhere, forLocalhost } from '../../support/tls.ts';
import { bearer } from '../../support/twin.ts';
import { call, startWatching, statusOf, waitForLine } from '../../support/watching.ts';

const jsonOf = { ...bearer('one'), 'Content-Type': 'application/json' };
const toAdd = { method: 'POST', headers: jsonOf, body: '{"name":"stored","categoryId":1}' };

it('serves a changed document, and keeps what is stored and counted', async () => {
  const { twin, edit } = await startWatching();
  await fetch(`${twin.api}/pets`, toAdd);
  await edit('api.yaml', (text) =>
    text.replace('  /store/orders:', '  /animals:').replace('listOrders', 'listAnimals'),
  );
  await waitForLine(twin, 'Reloaded the document. Stored items stay.\n');
  expect([await statusOf(twin, '/animals'), await statusOf(twin, '/store/orders')]).toEqual([
    200, 404,
  ]);
  const read = await call(twin, '/pets/121');
  expect([read.status, read.headers.get('X-RateLimit-Remaining')]).toEqual([200, '56']);
});

it('serves the API below its new path, and tells its version', async () => {
  const { twin, edit } = await startWatching();
  await edit('api.yaml', (text) =>
    text.replaceAll('/v1', '/v2').replace('version: 1.0.0', 'version: 2.0.0'),
  );
  await waitForLine(twin, 'Reloaded the document.');
  expect(await statusOf(twin)).toBe(404);
  expect((await fetch(`${twin.origin}/v2/pets`, { headers: bearer('one') })).status).toBe(200);
  const version = (await (await fetch(`${twin.origin}/__admin/version`)).json()) as object;
  expect(version).toMatchObject({ document: { version: '2.0.0' } });
});

it('ends a call that is under way on the document that it began with', async () => {
  const { twin, edit } = await startWatching();
  const slow = await openRaw(twin.origin);
  const bytes = post(animal, { Authorization: 'Bearer one' });
  await slow.send(bytes.subarray(0, -5));
  await edit('api.yaml', (text) =>
    text.replace('required: [name, categoryId]', 'required: [name, categoryId, status]'),
  );
  await waitForLine(twin, 'Reloaded the document.');
  await slow.send(bytes.subarray(-5));
  expect((await slow.next())?.status).toBe(201);
  await slow.finish();
  const another = await fetch(`${twin.api}/pets`, toAdd);
  expect([another.status, await another.text()]).toEqual([400, expect.stringContaining('status')]);
});

it('serves the last good document after a bad save, says what is wrong, and takes the next good one', async () => {
  const { twin, edit, file } = await startWatching();
  const good = await readFile(file('api.yaml'), 'utf8');
  await edit('api.yaml', (text) => text.replace('openapi: 3.1.0', 'openapi: ['));
  await waitForLine(
    twin,
    `Not reloaded; the previous version is still served. ${file('api.yaml')} cannot be read as a document`,
  );
  expect(await statusOf(twin)).toBe(200);
  await writeFile(`${file('api.yaml')}~`, good.replace('Pet Store Service\n', 'Pet Shop\n'));
  await rename(`${file('api.yaml')}~`, file('api.yaml'));
  await waitForLine(twin, 'Reloaded the document.');
  expect(twin.app.served.document.title).toBe('Pet Shop');
});

it.each(
  everyNth(3, [
    [
      'describes nothing',
      (text: string) => text.replace(/^paths:.*/ms, 'paths: {}\n'),
      'describes no operation',
    ],
    [
      'refers to nothing',
      (text: string) => text.replace('schemas/PetStatus"', 'schemas/Nothing"'),
      'Nothing',
    ],
    [
      'has a schema that cannot be',
      (text: string) => text.replace('minimum: 1', 'minimum: one'),
      'minimum: it is no number',
    ],
  ]),
)(
  'keeps the last good document where the next %s, and says so when all is as before',
  async (_, spoil, problem) => {
    const { twin, edit, file } = await startWatching();
    const good = await readFile(file('api.yaml'), 'utf8');
    await edit('api.yaml', spoil);
    await waitForLine(twin, /Not reloaded; the previous version is still served\. [^\n]+\n/);
    expect(twin.lines.join('')).toContain(problem);
    expect(await statusOf(twin)).toBe(200);
    await writeFile(file('api.yaml'), good);
    await waitForLine(twin, 'Reloaded; nothing has changed.');
  },
);

itInAll('follows what the document refers to, and names the file that is wrong', async () => {
  const { twin, edit, file } = await startWatching();
  await writeFile(file('status.yaml'), 'type: string\nenum: [available, pending, sold]\n');
  await edit('api.yaml', (text) =>
    text.replace('$ref: "#/components/schemas/PetStatus"', '$ref: "./status.yaml"'),
  );
  await waitForLine(twin, 'Reloaded the document');
  expect(await statusOf(twin, '/pets?status=lost')).toBe(400);
  await edit('status.yaml', (text) => text.replace('sold]', 'lost'));
  await waitForLine(twin, /Not reloaded; [^\n]+\.\/status\.yaml/);
  await edit('status.yaml', (text) => text.replace('lost', 'lost]'));
  await expect.poll(() => statusOf(twin, '/pets?status=lost'), { timeout: 20_000 }).toBe(200);
});

itInAll(
  'reads a file that appears after the one that refers to it, and one that was deleted',
  async () => {
    const { twin, edit, file } = await startWatching();
    await edit('api.yaml', (text) =>
      text.replace('$ref: "#/components/schemas/PetStatus"', '$ref: "./my status.yaml"'),
    );
    await waitForLine(twin, /Not reloaded; [^\n]+my status\.yaml/);
    await writeFile(file('my status.yaml'), 'type: string\nenum: [available, lost]\n');
    await waitForLine(twin, 'Reloaded the document');
    expect(await statusOf(twin, '/pets?status=lost')).toBe(200);
    await rm(file('keys.json'));
    await waitForLine(twin, `--keys ${file('keys.json')} cannot be read: there is no such file.`);
    expect(await statusOf(twin)).toBe(200);
    await writeFile(file('keys.json'), '{"keys": [{"key": "three", "plan": "free"}]}');
    await expect.poll(() => statusOf(twin), { timeout: 20_000 }).toBe(401);
  },
);

itInAll(
  'removes keys, adds new ones, and applies their plans without resetting counters',
  async () => {
    const { twin, edit } = await startWatching();
    expect([await statusOf(twin), await statusOf(twin, '/pets', 'two')]).toEqual([200, 200]);
    await edit('keys.json', (text) => text.replace('two', 'three'));
    await waitForLine(twin, 'Reloaded keys. ');
    expect([
      await statusOf(twin),
      await statusOf(twin, '/pets', 'two'),
      await statusOf(twin, '/pets', 'three'),
    ]).toEqual([200, 401, 200]);
    await edit(
      'plans.json',
      () => '{"plans": {"free": {"perMinute": 10, "perDay": 100}}, "ban": false}',
    );
    await waitForLine(twin, 'Reloaded plans. Stored items stay.');
    const { headers } = await call(twin);
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual([
      '10',
      '7',
    ]);
    await edit('plans.json', () => '{"plans": {"free": {"perMinute": 0}}}');
    await waitForLine(twin, /Not reloaded; .*plans\.free\.perMinute must be a whole number/);
    expect((await call(twin)).headers.get('X-RateLimit-Limit')).toBe('10');
    expect(twin.lines.join('')).not.toMatch(/\b(two|three)\b/);
  },
);

it('shows new connections another certificate, and keeps the last good one', async () => {
  const { twin, file } = await startWatching(async (path) => {
    const settings = { tlsCert: path('cert.pem'), tlsKey: path('key.pem') };
    await cp(forLocalhost.tlsCert, settings.tlsCert);
    await cp(forLocalhost.tlsKey, settings.tlsKey);
    return settings;
  });
  const before = await openRaw(twin.origin, { ca });
  await cp(forElsewhere.tlsCert, file('cert.pem'));
  await waitForLine(
    twin,
    /Not reloaded; the previous certificate is still used\. [^\n]+ is not the key of/,
  );
  expect((await fetchOverTls(`${twin.origin}/__admin/health`)).status).toBe(200);
  await cp(forElsewhere.tlsKey, file('key.pem'));
  await waitForLine(twin, 'Reloaded the certificate; new connections use it.');
  await expect(fetchOverTls(`${twin.origin}/__admin/health`)).rejects.toThrow();
  const elsewhere = { ca: await readFile(forElsewhere.tlsCert), servername: 'elsewhere.test' };
  expect((await fetchOverTls(`${twin.origin}/__admin/health`, elsewhere)).status).toBe(200);
  expect(twin.curlTrust(twin.origin)).toEqual(['-k']);
  await before.send(get('/__admin/health'));
  expect((await before.next())?.status).toBe(200);
  await before.finish();
});

itInAll(
  'follows the data, for the next reset and new sandboxes, and what they say of orders',
  async () => {
    const { twin, file, edit } = await startWatching(async (file) => {
      await writeFile(file('data.yaml'), 'pets:\n  - {name: Rex, categoryId: 1}\n');
      return { data: file('data.yaml') };
    });
    const namesOf = async (path: string) =>
      ((await (await call(twin, path)).json()) as { name: string }[]).map(({ name }) => name);
    await edit('data.yaml', (text) => `${text}  - {name: Mia, categoryId: none}\n`);
    await waitForLine(
      twin,
      `Not reloaded; the previous version is still served. --data ${file('data.yaml')}:3:29 "pets/1/categoryId" must be an integer, but is "none".\n`,
    );
    await edit('data.yaml', (text) => text.replace('none', '2'));
    await waitForLine(twin, 'Reloaded the data. Stored items stay; new seeds of pets apply after');
    expect(await namesOf('/pets')).toEqual(['Rex']);
    await twin.app.reset();
    expect(await namesOf('/pets')).toEqual(['Rex', 'Mia']);
    await edit('data.yaml', (text) => `${text}store/orders: [{name: first}]\n`);
    await waitForLine(
      twin,
      'Reloaded the data. Stored items stay; new seeds of store/orders apply',
    );
    await twin.app.reset();
    expect(await namesOf('/store/orders')).toEqual(['first']);
    await edit('data.yaml', (text) => text.replace(/store.*/, ''));
    await waitForLine(twin, /(?:Reloaded the data\.(?:.|\n)*?){3}/);
    expect(await namesOf('/store/orders')).toEqual([]);
    await edit('api.yaml', (text) =>
      text.replace('required: [name, categoryId]', 'required: [name, categoryId, status]'),
    );
    await waitForLine(
      twin,
      /Not reloaded; [^\n]*data\.yaml has 2 mistakes: [^\n]*"pets\/0\/status"/,
    );
  },
);
