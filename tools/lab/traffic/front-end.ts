import { type Client, idOf, idsOf } from './client.ts';

/** A page of the shop: lists with filters, opens animals, adds some, and looks again. */
export async function frontEnd(client: Client): Promise<void> {
  const first = await client.get('/pets');
  for (const id of idsOf(first).slice(0, 4)) await client.get(`/pets/${id}`);
  for (const status of ['available', 'pending', 'sold'])
    for (const limit of [5, 10]) await client.get(`/pets?status=${status}&limit=${limit}`);
  await client.get('/pets?limit=100');
  await client.get('/pets?limit=1');
  await client.get('/store/orders');
  // The session had ended: the page sends no key, and asks the user to sign in.
  await client.get('/pets', { key: null });
  for (const [name, status] of [
    ['Bella', 'available'],
    ['Mo "Tiny" Ünlü 🐈', 'pending'],
    ['Charlie', undefined],
  ] as const) {
    const added = await client.post('/pets', { name, categoryId: 1, ...(status && { status }) });
    const id = idOf(added.json);
    if (id === undefined) continue;
    await client.get(`/pets/${id}`);
    await client.get('/pets?limit=100');
    if (status) await client.get(`/pets?limit=100&status=${status}`);
  }
  // A form without a name, and a link to an animal that is gone.
  await client.post('/pets', { categoryId: 2 });
  await client.get('/pets/987654321');
  for (let time = 0; time < 4; time += 1) await client.get('/pets?limit=20');
  for (const id of idsOf(first).slice(-2)) await client.get(`/pets/${id}`);
}
