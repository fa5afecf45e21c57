import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const document = documentOf(`
  GET /racks -> [Rack]
  POST /racks Writable -> Rack
  GET /racks/{id} -> Rack
  PATCH /racks/{id} Writable -> Rack
  Site: { id!: int, name! }
  Rack: {
    id: int, title, site: Site, type: { label: "A" | "B", value: "rj-11" | "db-25" },
    sites: [Site], owner: { login }
  }
  Writable: { title, site: int, owner, sites: [int], type: "rj-11" | "db-25" }
`);

it('holds the object of which a body gives the id', async () => {
  const twin = await serveDocument(document);
  const send = async (...sent: Parameters<typeof twin.send>) => (await twin.send(...sent)).json;
  const made = await send('POST', '/racks', { title: 'A', site: 6, type: 'rj-11' });
  expect(made).toMatchObject({ title: 'A', site: { id: 6 }, type: { value: 'rj-11' } });
  expect(typeof made.site.name).toBe('string');
  const path = `/racks/${made.id}`;
  expect(await send('PATCH', path, { owner: 'ada' })).toMatchObject({ owner: { login: 'ada' } });
  expect(await send('PATCH', path, { site: 7 })).toMatchObject({ site: { id: 7 }, title: 'A' });
  const listed = await send('PATCH', path, { sites: [8, 9] });
  expect(listed.sites).toMatchObject([{ id: 8 }, { id: 9 }]);
  const again = await send('PATCH', path, { site: 7, type: 'db-25' });
  expect(again).toMatchObject({ site: { id: 7 }, type: { value: 'db-25' } });
});
