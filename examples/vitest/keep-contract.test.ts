// A test of yours that holds what it gets against the contract. npx petstore-twin mock, then npx
// vitest run --dir vitest
import { expect, it } from 'vitest';
import 'petstore-twin/vitest';

const api = process.env.PETSTORE_URL ?? 'http://127.0.0.1:4010/v1';
const headers = { Authorization: 'Bearer demo-free' };

it('lists animals for sale', async () => {
  const response = await fetch(`${api}/pets?status=available&limit=5`, { headers });
  await expect(response).toKeepContract('listPets', { plan: 'free' });
  expect(await response.json()).toHaveLength(5);
});

it('adds an animal', async () => {
  const body = JSON.stringify({ name: 'Ada', categoryId: 3 });
  const response = await fetch(`${api}/pets`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  await expect(response).toKeepContract('createPet', { sent: { body } });
});
