import { expect, it } from 'vitest';
import { orRefusal } from '../../../../mock/extras/admin/refusal.ts';
import { createMetricsHandlers } from '../../../../mock/extras/metrics/metrics-handlers.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { bearer, startTwin, type TestTwin } from '../../../support/twin.ts';

const read = async ({ origin }: TestTwin, prefix = '') => {
  const { type, text } = await adminOf({ origin }, prefix).send('GET', 'metrics');
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  return text.split('\n');
};

const list = ({ api }: TestTwin, key = 'demo-free') =>
  fetch(`${api}/pets`, { headers: bearer(key) }).then((response) => response.text());

it('counts requests by operation, status and reason, those before the first call too', async () => {
  const twin = await startTwin();
  await list(twin);
  await list(twin, 'unknown');
  await fetch(`${twin.origin}/nowhere`);
  const before = await read(twin);
  expect(before).toContain(
    'petstore_twin_requests_total{operation="listPets",status="200",reason="behaviour"} 1',
  );
  expect(before).toContain(
    'petstore_twin_requests_total{operation="listPets",status="401",reason="credentials"} 1',
  );
  expect(before).toContain(
    'petstore_twin_requests_total{operation="",status="404",reason="routing"} 1',
  );
  await adminOf(twin).ask('requests', 'DELETE');
  await list(twin);
  const after = await read(twin);
  expect(after).toContain(
    'petstore_twin_requests_total{operation="listPets",status="200",reason="behaviour"} 2',
  );
  expect(after).toContain('petstore_twin_request_duration_seconds_count{operation="listPets"} 3');
  expect(after).toContainEqual(expect.stringMatching(/^nodejs_eventloop_lag_p99_seconds \d/));
});

it('counts with the journal off, from the first call on', async () => {
  const twin = await startTwin({ journalEntries: 0 });
  await list(twin);
  await read(twin);
  await list(twin);
  expect((await read(twin)).filter((line) => line.includes('_requests_total{'))).toEqual([
    'petstore_twin_requests_total{operation="listPets",status="200",reason="behaviour"} 1',
  ]);
});

it('shows what keys have used in a sandbox, what was refused, bans and sandboxes', async () => {
  const twin = await startTwin();
  await list(twin);
  const limits = (sandbox: string, change: object) =>
    adminOf(twin, `/sandboxes/${sandbox}`).post('limits/demo-free', change);
  await limits('other', { ban: 60 });
  await fetch(`${twin.origin}/sandboxes/other/v1/pets`, { headers: bearer('demo-free') });
  const shown = await read(twin);
  expect(shown).toContain('petstore_twin_limit_used{key="demo-free",window="minute"} 1');
  expect(shown).toContain('petstore_twin_limit_max{key="demo-free",window="minute"} 60');
  expect(shown).toContain('petstore_twin_banned{key="demo-free"} 0');
  expect(shown).toContain('petstore_twin_sandboxes 2');
  expect(shown).toContain('petstore_twin_limit_refused_total{key="demo-free",outcome="banned"} 1');
  const other = await read(twin, '/sandboxes/other');
  expect(other).toContain('petstore_twin_limit_used{key="demo-free",window="minute"} 0');
  expect(other).toContain('petstore_twin_banned{key="demo-free"} 1');
});

it('says what to install where the client library is missing', async () => {
  const { app } = await startTwin();
  const missing = Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
  const { getMetrics } = createMetricsHandlers(
    { sandboxes: app.sandboxes, listen: app.journals.listen, keys: [] },
    () => Promise.reject(missing),
  );
  const call = { sandbox: app.sandboxes.defaultSandbox } as never;
  const refusal = await orRefusal(() => getMetrics?.(call));
  expect(refusal).toMatchObject({ status: 501 });
  expect(JSON.stringify(refusal)).toContain('npm install prom-client');
});
