import { expect, it } from 'vitest';
import { readAdminDescription } from '../../mock/admin/description.ts';
import { allExtras } from '../../mock/app.ts';
import type { Extra } from '../../mock/extra.ts';
import { bearer, startTwin } from '../support/twin.ts';
import { writeJson } from '../support/write-json.ts';
import { oauthDocument } from './oauth/oauth-twin.ts';

/** What each extra answers: a request, and the status that it has with it and without. */
const answers: Record<string, [path: string, init: RequestInit, status: number, without: number]> =
  {
    console: ['/__admin/console', {}, 200, 404],
    domains: ['/__admin/project', {}, 200, 404],
    forced: ['/v1/pets', { headers: { Prefer: 'code=500' } }, 500, 200],
    pages: ['/', { headers: { Accept: 'text/html' } }, 200, 404],
    snapshots: ['/__admin/snapshots', {}, 200, 404],
  };

/** Statuses of calls that need no extra. */
async function callCore(origin: string): Promise<number[]> {
  const headers = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };
  const call = async (path: string, init: RequestInit = {}) =>
    (await fetch(origin + path, { headers, ...init })).status;
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  return [
    await call('/v1/pets', { method: 'POST', body }),
    await call('/v1/pets?limit=2'),
    await call('/v1/pets/1'),
    await call('/v1/pets', { headers: {} }),
    await call('/v1/nothing'),
    await call('/__admin/requests'),
    await call('/__admin/clock'),
  ];
}

const toStatus = async (origin: string, [path, init]: [string, RequestInit, ...number[]]) =>
  (
    await fetch(origin + path, {
      redirect: 'manual',
      ...init,
      headers: { ...bearer('demo-pro'), ...init.headers },
    })
  ).status;

it.each(Object.keys(allExtras))('does everything else without %s', async (name) => {
  const extras = Object.entries(allExtras).flatMap(([one, extra]) => (one === name ? [] : [extra]));
  const { origin } = await startTwin({ extras });
  expect(await callCore(origin)).toEqual([201, 200, 200, 401, 404, 200, 200]);
  for (const [one, answer] of Object.entries(answers)) {
    const [, , status, without] = answer;
    expect([one, await toStatus(origin, answer)]).toEqual([one, one === name ? without : status]);
  }
});

it('serves a document with OAuth without its server, to callers with keys', async () => {
  const spec = await writeJson(oauthDocument);
  const statuses = async (extras: readonly Extra[]) => {
    const { origin } = await startTwin({ spec, extras });
    const get = async (path: string) =>
      (await fetch(origin + path, { headers: bearer('demo-free') })).status;
    return [await get('/v2/bearer'), await get('/.well-known/oauth-authorization-server/__oauth')];
  };
  expect(await statuses(Object.values(allExtras))).toEqual([200, 200]);
  expect(await statuses([])).toEqual([200, 404]);
});

it('answers every call of the core without any extra', async () => {
  const { origin } = await startTwin({ extras: [] });
  expect(await callCore(origin)).toEqual([201, 200, 200, 401, 404, 200, 200]);
});

it('has something for each operation of the admin', async () => {
  const { origin } = await startTwin();
  const { document } = readAdminDescription();
  for (const { method, path, id } of document.operations) {
    if (id === 'shutdown' || id === 'streamRequests') continue;
    const url = origin + path.replaceAll(/\{[^}]+\}/g, '1');
    const { status } = await fetch(url, { method, ...(method === 'GET' ? {} : { body: '' }) });
    expect([id, status < 500]).toEqual([id, true]);
  }
});
