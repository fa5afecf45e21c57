import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const key = 'top/secret+key.of-the~first==';
const other = 'another-secret-key';
const adminToken = 'the-token-of-the-admin';
const unknown = 'mistyped-secret-key';

/** Every form of the secrets that a reader could turn back into them. */
const forms = [key, other, adminToken, unknown].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).toLowerCase(),
  secret.replaceAll('/', '\\/'),
  secret.slice(0, 16),
  Buffer.from(`x:${secret}`).toString('base64'),
]);

function expectNoSecret(text: string) {
  expect(forms.filter((form) => text.toLowerCase().includes(form.toLowerCase()))).toEqual([]);
}

it('shows no key and no token in any form that the journal has, wherever they were sent', async () => {
  const keys = await writeJson({
    keys: [
      { key, plan: 'pro', name: 'first' },
      { key: other, plan: 'pro' },
    ],
  });
  const twin = await startTwin({ keys, adminToken, logTransaction: true });
  const admin = adminOf(twin, '', bearer(adminToken));
  const json = { ...bearer(key), 'Content-Type': 'application/json' };
  const post = (body: string) => fetch(`${twin.api}/pets`, { method: 'POST', headers: json, body });
  const get = (path: string, headers: Record<string, string> = bearer(key)) =>
    fetch(twin.api + path, { headers });

  // In the places for credentials, right and wrong.
  const basic = `Basic ${Buffer.from(`x:${key}`).toString('base64')}`;
  for (const headers of [
    ...[bearer(key), bearer(unknown), { Authorization: key }, { Authorization: basic }],
    { 'X-Api-Key': unknown, 'Proxy-Authorization': `Bearer ${unknown}` },
    { Cookie: `session=${unknown}`, 'X-Auth-Token': unknown },
    bearer(adminToken),
  ])
    await get('/pets', headers);
  await get(`/pets?api_key=${unknown}&access_token=${unknown}`, bearer(other));
  // In the path, the query, other headers and their names.
  const encoded = encodeURIComponent(key);
  await get(`/pets/${encoded}`);
  await get(`/../${other}?a=${encoded}&limit=${adminToken}`);
  await get(`/pets?limit=xx${encoded}`);
  await get(`/pets?status=${'x'.repeat(40)}${encoded}`);
  const notes = { Referer: `http://x/?k=${key}`, 'X-Note': `${key} ${other}` };
  await get('/pets', { ...bearer(key), ...notes });
  for (const field of [`Host: localhost\r\nX-${other}: 1`, `Host: ${other}`])
    await sendRaw(twin.origin, `GET /v1/pets HTTP/1.1\r\n${field}\r\nConnection: close\r\n\r\n`);
  await sendRaw(twin.origin, `nonsense ${key}\r\n\r\n`);
  // In bodies, accepted and refused, escaped, cut off, and where messages quote them.
  await post(JSON.stringify({ name: `a ${key} b`, categoryId: 1 }));
  const quoted = { categoryId: key, status: `${'x'.repeat(45)}${key}`, [key]: 1 };
  await post(JSON.stringify({ name: 'a', ...quoted }));
  const escaped = `"${other.replace('a', '\\u0061')}","categoryId":"${key.replace('/', '\\/')}"`;
  await post(`{"name":${escaped}}`);
  await post(`{"name":"${'x'.repeat(65_536 - 9 - 20)}${key}","categoryId":1}`);
  await post(`not JSON ${key}`);
  await get('/pets', { ...bearer(key), Prefer: `example=${other}` });

  const { requests } = await admin.ask('requests');
  expect(requests).toHaveLength(22);
  const curls = requests.map(({ id }: { id: number }) => admin.send('GET', `requests/${id}/curl`));
  const answers = await Promise.all([
    admin.send('GET', 'requests.har'),
    admin.send('POST', 'requests/find', {}),
    ...curls,
  ]);
  const logged = twin.lines.filter((line) => line.startsWith('{'));
  const outputs = [JSON.stringify(requests), ...answers.map(({ text }) => text), ...logged];
  expect(outputs).toHaveLength(3 + 22 + 22);
  for (const output of [...outputs, ...twin.lines]) expectNoSecret(output);
  expect(requests.map((entry: { key: string | null }) => entry.key)).toContain('first');
});

it('takes no text of a pattern to what is filtered', async () => {
  const twin = await startTwin({ keys: await writeJson({ keys: [{ key, plan: 'pro' }] }) });
  const { post } = adminOf(twin);
  await fetch(`${twin.api}/pets?a=${encodeURIComponent(key)}`, { headers: bearer(key) });
  const count = async (pattern: unknown) => (await post('requests/count', pattern)).count;
  expect(await count({ headers: { Authorization: { matches: 'Bearer top.*' } } })).toBe(0);
  expect(await count({ urlPattern: '.*top.*' })).toBe(0);
  const filtered = { headers: { Authorization: { equalTo: 'Bearer [Filtered]' } }, key: 'key-1' };
  expect(await count(filtered)).toBe(1);
});
