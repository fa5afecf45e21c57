import type { Client } from './client.ts';

/** Somebody who tries the API for the first time, with the mistakes that people make. */
export async function newcomer(client: Client): Promise<void> {
  await client.get('/pets', { key: null });
  await client.get('/pets', { key: 'wrong-key' });
  await client.get('/pets/1', { key: null });
  await client.post('/pets', { name: 'Rex', categoryId: 1 }, { key: null });
  await client.get('/store/orders', { key: null });
  await client.get('/pets', { headers: { Authorization: 'Basic dXNlcjpwYXNz' } });
  await client.get('/pets', { headers: { Authorization: '' } });
  // A variable of the environment that is not set.
  await client.get('/pets', { headers: { Authorization: 'Bearer ' } });
  await client.get('/pets', { headers: { Authorization: 'Bearer undefined' } });
  await client.get('/pets/1', { headers: { Authorization: 'k-free-2' } });
  await client.post('/pets', { name: 'Rex', categoryId: 1 }, { key: 'wrong-key' });
  await client.get('/pets?api_key=k-free-2', { key: null });
  await client.get('/pets');
  await client.get('/pets/1');
  await client.get('/pets/1/');
  await client.get('/pet');
  await client.get('/pets?limit=0');
  await client.get('/pets?limit=abc');
  await client.get('/pets?limit=500');
  await client.get('/pets?status=lost');
  await client.get('/pets?page=2');
  await client.get('/pets/rex');
  await client.get('/pets/424242424');
  await client.call('DELETE', '/pets/1');
  await client.call('PUT', '/pets/1', { body: { name: 'Rex', categoryId: 1 } });
  await client.call('HEAD', '/pets');
  for (const body of [
    { name: 'Rex' },
    { categoryId: 1 },
    { name: 'Rex', categoryId: 'dogs' },
    { name: 12, categoryId: 1 },
    { name: 'Rex', categoryId: 1.5 },
    { name: 'Rex', categoryId: 1, status: 'lost' },
    { name: 'Rex', categoryId: 1, status: null },
    { name: 'Rex', categoryId: 1, status: true },
    { name: 'Rex', categoryId: '1' },
    { name: null, categoryId: 1 },
    { name: ['Rex'], categoryId: 1 },
    {},
    [],
    '12',
    'null',
    '{"name": "Rex", "categoryId": 1',
    '"Rex"',
  ])
    await client.post('/pets', body);
  await client.post('/pets', '', { headers: { 'Content-Type': 'application/json' } });
  await client.post('/pets', 'name=Rex', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const added = await client.post('/pets', { name: 'rex', categoryId: 1, tail: 'long' });
  const id = (added.json as { id?: unknown } | undefined)?.id;
  await client.get(`/pets/${id ?? 1}`);
  await client.get('/pets?limit=100');
  await client.get('/pets?status=available');
}
