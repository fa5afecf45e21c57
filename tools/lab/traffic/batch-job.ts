import { type Client, idOf, idsOf } from './client.ts';

const statuses = ['available', 'pending', 'sold', undefined];

/** Names and categories as a system that has grown for years holds them. */
const names = ['rex', 'Old Deuteronomy', '  Mog', "D'Artagnan", 'größe', 'A&B <C>', '007', 'x'];
const categories = [1, 2, 70_001, 5_000_000_001, 4_294_967_297, 2_147_483_648, 9_007_199_254_740];

/** A nightly import: adds animals four at a time, reads each back, and compares the lists. */
export async function batchJob(client: Client): Promise<void> {
  await client.get('/pets?limit=100');
  const rows = Array.from({ length: 24 }, (_, index) => ({
    name: `${names[index % names.length]} ${index}`,
    categoryId: categories[index % categories.length],
    ...(statuses[index % 4] && { status: statuses[index % 4] }),
  }));
  const queue = rows.values();
  const worker = async () => {
    for (const row of queue) {
      const id = idOf((await client.post('/pets', row)).json);
      if (id !== undefined) await client.get(`/pets/${id}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  const all = await client.get('/pets?limit=100');
  for (const status of statuses.slice(0, 3)) await client.get(`/pets?limit=100&status=${status}`);
  for (const id of idsOf(all).slice(0, 8)) await client.get(`/pets/${id}`);
  await client.get('/store/orders');
}

/** A report that asks faster than its plan allows, and stops when it is told to wait. */
export async function impatientReport(client: Client): Promise<void> {
  for (let call = 0; call < 70; call += 1) {
    const { status } = await client.get(call % 2 ? '/pets?limit=2' : '/pets');
    if (status === 0 || status === 429) break;
  }
  // One more try, too early; another of its calls is on its way as well.
  await client.get('/pets');
  await client.get('/store/orders');
}
