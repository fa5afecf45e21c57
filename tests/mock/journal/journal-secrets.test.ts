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

  // In the places for credentials, right and wrong.
  await fetch(`${twin.api}/pets`, { headers: bearer(key) });
  await fetch(`${twin.api}/pets`, { headers: bearer(unknown) });
  await fetch(`${twin.api}/pets`, { headers: { Authorization: key } });
  await fetch(`${twin.api}/pets`, {
    headers: { Authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` },
  });
  await fetch(`${twin.api}/pets`, {
    headers: { 'X-Api-Key': unknown, 'Proxy-Authorization': `Bearer ${unknown}` },
  });
  await fetch(`${twin.api}/pets`, {
    headers: { Cookie: `session=${unknown}`, 'X-Auth-Token': unknown },
  });
  await fetch(`${twin.api}/pets`, { headers: bearer(adminToken) });
  await fetch(`${twin.api}/pets?api_key=${unknown}&access_token=${unknown}`, {
    headers: bearer(other),
  });
  // In the path, the query, other headers and their names.
  await fetch(`${twin.api}/pets/${encodeURIComponent(key)}`, { headers: bearer(key) });
  await fetch(`${twin.origin}/${other}?a=${encodeURIComponent(key)}&limit=${adminToken}`, {
    headers: bearer(key),
  });
  await fetch(`${twin.api}/pets?limit=${encodeURIComponent(`xx${key}`)}`, { headers: bearer(key) });
  await fetch(`${twin.api}/pets?status=${'x'.repeat(40)}${encodeURIComponent(key)}`, {
    headers: bearer(key),
  });
  await fetch(`${twin.api}/pets`, {
    headers: { ...bearer(key), Referer: `http://x/?k=${key}`, 'X-Note': `${key} ${other}` },
  });
  await sendRaw(
    twin.origin,
    `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-${other}: 1\r\nConnection: close\r\n\r\n`,
  );
  await sendRaw(
    twin.origin,
    `GET /v1/pets HTTP/1.1\r\nHost: ${other}\r\nConnection: close\r\n\r\n`,
  );
  await sendRaw(twin.origin, `nonsense ${key}\r\n\r\n`);
  // In bodies, accepted and refused, escaped, cut off, and where messages quote them.
  await post(JSON.stringify({ name: `a ${key} b`, categoryId: 1 }));
  await post(
    JSON.stringify({ name: 'a', categoryId: key, status: `${'x'.repeat(45)}${key}`, [key]: 1 }),
  );
  await post(
    `{"name":"${other.replace('a', '\\u0061')}","categoryId":"${key.replace('/', '\\/')}"}`,
  );
  await post(`{"name":"${'x'.repeat(65_536 - 9 - 20)}${key}","categoryId":1}`);
  await post(`not JSON ${key}`);
  await fetch(`${twin.api}/pets`, { headers: { ...bearer(key), Prefer: `example=${other}` } });

  const { requests } = await admin.ask('requests');
  expect(requests).toHaveLength(22);
  const outputs = [
    JSON.stringify(requests),
    (await admin.send('GET', 'requests.har')).text,
    (await admin.send('POST', 'requests/find', {})).text,
    ...(
      await Promise.all(
        requests.map(({ id }: { id: number }) => admin.send('GET', `requests/${id}/curl`)),
      )
    ).map(({ text }: { text: string }) => text),
    ...twin.lines.filter((line) => line.startsWith('{')),
  ];
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
  expect(
    await count({ headers: { Authorization: { equalTo: 'Bearer [Filtered]' } }, key: 'key-1' }),
  ).toBe(1);
});
