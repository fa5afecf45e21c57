import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { standalone } from '../../support/standalone.ts';
import { bearer, projectFile, shareTwin, startTwin } from '../../support/twin.ts';

const spec = projectFile('tests/support/shelters.yaml');
const valid = {
  name: 'Harbour',
  kind: 'dogs',
  open: false,
  registration: 1000,
  rating: 0.5,
  address: { street: 'Pier 1', postcode: '00001' },
  tags: ['old'],
};

type Shelter = typeof valid & { id: string };

const twin = await shareTwin({ spec, pets: 120, rateLimits: 'observe' });

function call(path: string, init: RequestInit = {}, api = twin.api): Promise<Response> {
  return fetch(api + path, { ...init, headers: { ...bearer('demo-pro'), ...init.headers } });
}

function post(body: string): Promise<Response> {
  return call('/shelters', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
}

async function list(query = ''): Promise<Shelter[]> {
  return (await call(`/shelters${query}`)).json() as Promise<Shelter[]>;
}

it('refuses many items that fit no alternative, the first problem of many', async () => {
  // With all problems of all items, this took minutes.
  const notes = Array(32_000).fill(0);
  const answer = await post(JSON.stringify({ ...valid, notes }));
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    {
      message:
        'The body is not a valid NewShelter. "notes/0" must be a string or an object, but is 0.',
    },
  ]);
  const few = await post(JSON.stringify({ ...valid, notes: notes.slice(0, 6) }));
  expect(await few.json()).toMatchObject({
    message: expect.stringMatching(/"notes\/4" .*, but is 0\. There is 1 more problem\.$/),
  });
});

it('starts with items that fit their schema', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(standalone(twin.document, { $ref: '#/components/schemas/Shelter' }));
  const shelters = await list('?limit=50');
  expect(shelters).toHaveLength(50);
  for (const shelter of shelters)
    expect(validate(shelter), ajv.errorsText(validate.errors)).toBe(true);
  expect(shelters.map(({ id }) => id)).toEqual(
    Array.from({ length: 50 }, (_, index) => String(index + 1)),
  );
  expect(shelters.filter((shelter) => 'email' in shelter).length).toBeLessThan(50);
});

it.each(['nowhere', '0', '01', '99999'])('knows no shelter %s', async (id) => {
  const response = await call(`/shelters/${id}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    code: 'not_found',
    message: `There is nothing at /api/shelters/${id}.`,
  });
});

it('answers an operation of no known kind with its example', async () => {
  const response = await call('/report?year=2024');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ animals: 12 });
  expect(response.headers.get('X-RateLimit-Limit')).toBe('300');
});

it('answers a collection below an item with its example', async () => {
  const response = await call('/shelters/1/volunteers');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([{ name: 'Ada' }, { name: 'Grace' }]);
});

it('answers without content where the document describes none', async () => {
  const response = await call('/shelters/1', { method: 'DELETE' });
  expect(response.status).toBe(204);
  expect(response.headers.get('Content-Length')).toBe(null);
  expect(response.headers.get('Content-Type')).toBe(null);
  expect(await response.text()).toBe('');
  expect((await call('/shelters/1')).status).toBe(404);
});

it('gives the same bytes for the same seed, and others for another', async () => {
  const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => startTwin({ spec, seed })));
  const bytes = await Promise.all(
    [one, same, other].map(async (each) =>
      (await call('/shelters?limit=50', {}, each?.api)).text(),
    ),
  );
  expect(bytes[1]).toBe(bytes[0]);
  expect(bytes[2]).not.toBe(bytes[0]);
});

it('takes no named items for a collection that only shares their name', async () => {
  const { api } = await startTwin({ spec: projectFile('tests/support/namesakes.yaml'), pets: 2 });
  const get = async (path: string) => (await call(path, {}, api)).json();
  expect(await get('/pets')).toEqual([
    { id: '00000000-0000-4000-8000-000000000001', size: expect.any(Number) },
    { id: '00000000-0000-4000-8000-000000000002', size: expect.any(Number) },
  ]);
  expect(await get('/keys')).toEqual([
    { id: 1, fits: 'door' },
    { id: 2, fits: 'door' },
  ]);
});

it('answers an example that is a text as JSON', async () => {
  const { api } = await startTwin({ spec: projectFile('tests/support/namesakes.yaml'), pets: 2 });
  expect(await (await call('/motto', {}, api)).text()).toBe('"Open to all"');
});
