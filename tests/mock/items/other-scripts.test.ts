import { expect, it } from 'vitest';
import { createListBehaviour } from '../../../mock/behaviours/list.ts';
import { createClock } from '../../../mock/clock.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { toText } from '../../../mock/json/exact-json.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { compile } from '../../../openapi/index.ts';
import { adminOf } from '../../support/admin-requests.ts';
import { documentOf } from '../../support/document-of.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { withJson } from '../../support/with-json.ts';
import { writeJson } from '../../support/write-json.ts';

const spec = documentOf(
  `
  GET /звери?имя -> [{ id!: int, имя! }]
  POST /звери { id: int, имя! } -> 201 { id!: int, имя! }
  GET /звери/{id} -> { id!: int, имя! }, 404 object
  `,
  {},
  { servers: [{ url: '/v1' }] },
);

it('finds by a property that has no index', async () => {
  const document = await compile(await writeJson(spec));
  const [resource] = document.resources;
  const { list: operation } = resource?.operations ?? {};
  if (!resource || !operation) throw new Error('There is no resource.');
  const items = ['Жучка', 'Rex', 'Zoë'].map((имя, at) =>
    toStoredItem(resource, { id: at + 1, имя }),
  );
  const store = openMemoryStore({ [resource.name]: { items, next: 4 } });
  const list = createListBehaviour({ document, resource, operation, indexed: new Set<string>() });
  const found = async (имя: string) => {
    const answer = await list({
      store,
      clock: createClock(),
      method: 'GET',
      url: '/',
      params: {},
      query: { имя },
      source: { protocol: 'http', headers: {} },
      body: undefined,
    });
    return 'json' in answer && JSON.parse(toText(answer.json));
  };
  expect(await found('Жучка')).toEqual([{ id: 1, имя: 'Жучка' }]);
  expect(await found('Zoë')).toEqual([{ id: 3, имя: 'Zoë' }]);
});

it('exports a collection by its name, and takes it in again', async () => {
  const twin = await startTwin({ spec: await writeJson(spec), pets: 2 });
  const { send, ask } = adminOf(twin);
  await send('PUT', 'snapshots/a');
  const first = await ask('snapshots/a');
  expect(first.collections).toMatchObject({
    звери: { next: 3, items: [{ id: 1, имя: expect.any(String) }, {}] },
  });
  expect((await send('PUT', 'snapshots/b', first)).status).toBe(201);
  expect((await ask('snapshots/b')).collections).toEqual(first.collections);
});

it('sends a name with its length in bytes', async () => {
  const twin = await startTwin();
  const name = 'Жучка, Zoë 🐕';
  const init = withJson('POST', { name, categoryId: 1 }, bearer('demo-pro'));
  const made = await fetch(`${twin.api}/pets`, init);
  const bytes = Buffer.from(await made.arrayBuffer());
  expect(made.headers.get('content-length')).toBe(String(bytes.length));
  expect(JSON.parse(bytes.toString())).toMatchObject({ name });
});
