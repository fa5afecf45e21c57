// The life of an order, tested in an instant: npx vitest run --dir examples/shop
import { createTwin, type Twin } from 'petstore-twin';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const day = 24 * 60 * 60 * 1000;
let twin: Twin;
let call: (method: string, path: string, body?: object) => Promise<Response>;

beforeAll(async () => {
  twin = await createTwin({
    spec: `${import.meta.dirname}/openapi.yaml`,
    behaviours: `${import.meta.dirname}/behaviours.ts`,
  });
  const headers = { Authorization: `Bearer ${twin.key()}`, 'Content-Type': 'application/json' };
  call = (method, path, body) =>
    fetch(twin.url + path, { method, headers, body: body && JSON.stringify(body) });
});
afterEach(() => twin.reset());
afterAll(() => twin.close());

async function order(): Promise<{ petId: number; path: string }> {
  const pet = await call('POST', '/pets', { name: 'Rex', status: 'available' });
  const { id: petId } = await pet.json();
  const { id } = await (await call('POST', '/orders', { petId })).json();
  return { petId, path: `/orders/${id}` };
}
const statusOf = async (path: string) => (await (await call('GET', path)).json()).status;

it('reserves the pet of an order, and sells it to nobody else', async () => {
  const { petId } = await order();
  expect(await statusOf(`/pets/${petId}`)).toBe('pending');
  const second = await call('POST', '/orders', { petId });
  expect([second.status, (await second.json()).code]).toEqual([409, 'pet_not_available']);
});

it('delivers an order a day later', async () => {
  const { petId, path } = await order();
  await twin.clock.advance(day);
  expect([await statusOf(path), await statusOf(`/pets/${petId}`)]).toEqual(['delivered', 'sold']);
  expect((await call('POST', `${path}/cancel`)).status).toBe(409);
});

it('does not deliver what was cancelled', async () => {
  const { petId, path } = await order();
  expect((await call('POST', `${path}/cancel`)).status).toBe(200);
  await twin.clock.advance(day);
  expect([await statusOf(path), await statusOf(`/pets/${petId}`)]).toEqual([
    'cancelled',
    'available',
  ]);
});

it('does something else for one test', async () => {
  await twin.behaviours.use({
    createOrder: ({ reply }) => reply.error(503, 'closed', 'The shop is closed.'),
  });
  expect((await call('POST', '/orders', { petId: 1 })).status).toBe(503);
});
