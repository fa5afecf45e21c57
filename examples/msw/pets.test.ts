// A mock behind MSW, without a port: npx vitest run --dir examples/msw
import { setupServer } from 'msw/node';
import { createTwin } from 'petstore-twin';
import { handlers } from 'petstore-twin/msw';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const api = 'https://api.example.com/v1';
const twin = await createTwin({ listen: false });
const server = setupServer(...handlers(twin, { at: api }));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' })); // in MSW 2, onUnhandledRequest
beforeEach(() => twin.reset());
afterAll(async () => {
  server.close();
  await twin.close();
});

it('shows the pet that was added', async () => {
  const headers = {
    Authorization: `Bearer ${twin.key('pro')}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ name: 'Ada', categoryId: 3 });
  const added = await fetch(`${api}/pets`, { method: 'POST', headers, body });
  const { id } = (await added.json()) as { id: number };
  const found = await fetch(`${api}/pets/${id}`, { headers });
  expect(await found.json()).toMatchObject({ name: 'Ada' });
});

it('is told when it has called too often', async () => {
  await twin.limits.exhaust(twin.key('free'));
  const headers = { Authorization: `Bearer ${twin.key('free')}` };
  expect((await fetch(`${api}/pets`, { headers })).status).toBe(429);
});
