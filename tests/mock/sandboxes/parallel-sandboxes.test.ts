import { expect, it } from 'vitest';
import { serveDocument } from '../../support/serve-document.ts';
import { bearer, projectFile } from '../../support/twin.ts';

const workers = Array.from({ length: 10 }, (_, index) => index);

it('gives workers at once a world each, by path or header, and leaves the default one alone', async () => {
  const twin = await serveDocument(projectFile('contracts/openapi.yaml'));
  const before = await twin.app.sandboxes.defaultSandbox.store.save();
  const work = async (worker: number) => {
    const name = `worker-${worker}`;
    const [prefix, own] = worker % 2 ? ['', { 'X-Sandbox': name }] : [`/sandboxes/${name}`, {}];
    const headers = { ...bearer('demo-free'), 'Content-Type': 'application/json', ...own };
    const call = async (method: string, path: string, body?: object) => {
      const sent = body && { body: JSON.stringify(body) };
      const response = await fetch(twin.origin + prefix + path, { method, headers, ...sent });
      return { status: response.status, json: JSON.parse(await response.text()) };
    };
    const plans = { free: { perMinute: 5 + worker, perDay: 1000 } };
    await call('PUT', `/__admin/sandboxes/${name}`, { pets: worker, plans });
    await call('PUT', '/__admin/clock', {
      action: 'freeze',
      instant: `20${30 + worker}-01-01T00:00:00Z`,
    });
    for (const n of [1, 2, 3])
      expect(
        await call('POST', '/v1/pets', { name: `${worker} ${n}`, categoryId: 1 }),
      ).toMatchObject({ status: 201, json: { id: worker + n, name: `${worker} ${n}` } });
    const { json: pets } = await call('GET', '/v1/pets?limit=100');
    const mine = pets.map((pet: { name: string }) => pet.name).slice(worker);
    expect(mine).toEqual([1, 2, 3].map((n) => `${worker} ${n}`));
    const more = await Promise.all(
      Array.from({ length: worker + 4 }, () => call('GET', '/v1/pets')),
    );
    expect(more.filter(({ status }) => status === 429)).toHaveLength(3);
    const { json: clock } = await call('GET', '/__admin/clock');
    expect(clock.currentInstant).toContain(`20${30 + worker}-01-01`);
  };
  await Promise.all(workers.map(work));
  expect(await twin.app.sandboxes.defaultSandbox.store.save()).toEqual(before);
  expect(twin.app.clock.frozen).toBe(false);
});
