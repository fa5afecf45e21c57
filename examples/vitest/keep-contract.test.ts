// Checks responses against the contract: npx vitest run --dir examples/vitest
import { createTwin, type Twin } from 'petstore-twin';
import 'petstore-twin/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';

let twin: Twin;
let headers: { Authorization: string };

beforeAll(async () => {
  twin = await createTwin();
  headers = { Authorization: `Bearer ${twin.key('free')}` };
});
afterAll(() => twin.close());

it('lists available pets', async () => {
  const response = await fetch(`${twin.url}/pets?status=available&limit=5`, { headers });
  await expect(response).toKeepContract('listPets', { plan: 'free' });
  expect(await response.json()).toHaveLength(5);
});

it('adds a pet', async () => {
  const body = JSON.stringify({ name: 'Ada', categoryId: 3 });
  const response = await fetch(`${twin.url}/pets`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  await expect(response).toKeepContract('createPet', { sent: { body } });
});
