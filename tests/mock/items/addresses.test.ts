import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const uri = { type: 'string', format: 'uri', readOnly: true };
const text = { type: 'string' };
const int = { type: 'integer', readOnly: true };
const object = (properties: object) => ({ type: 'object', properties });
const link = object({ href: text });
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Pets with the addresses that `properties` describe, and toys below them. */
function shelter(properties: object, more: Record<string, object> = {}) {
  const body = Object.hasOwn(more, 'Sent') ? 'Sent' : 'NewPet';
  return documentOf(
    `
    GET /pets -> [Pet]
    POST /pets ${body} -> 201 Pet
    GET /pets/{petId} -> Pet
    PATCH /pets/{petId} ${body} -> Pet
    GET /pets/{petId}/toys -> [Toy]
    POST /pets/{petId}/toys NewToy -> 201 Toy
    GET /pets/{petId}/toys/{toyId} -> Toy
    GET /visits -> [Visit]
    POST /visits NewVisit -> 201 Visit
    GET /visits/{visitId} -> Visit
    `,
    {
      NewPet: '{ name }',
      Pet: object({ id: int, name: text, ...properties }),
      NewToy: '{ text }',
      Toy: object({ id: int, text, links: object({ self: text }) }),
      NewVisit: '{ petId: int }',
      Visit: '{ readonly id: int, petId: int, pet: Pet }',
      ...more,
    },
    { servers: [{ url: 'https://pets.example/v1' }] },
  );
}

const shown = (example: string) => ({ type: 'string', example });

it.each([
  ['a URI', { url: uri }, { url: '/pets/ID' }],
  ['a link called self', { self: text }, { self: '/pets/ID' }],
  ['links of HAL', { _links: object({ self: link }) }, { _links: { self: { href: '/pets/ID' } } }],
  ['links of JSON:API', { links: object({ self: text }) }, { links: { self: '/pets/ID' } }],
  [
    'a list of links',
    { links: { type: 'array', minItems: 1, items: object({ rel: text, href: text }) } },
    { links: [{ rel: 'self', href: '/pets/ID' }] },
  ],
  [
    'an example and what follows it',
    { toys_url: shown('https://pets.example/v1/pets/7/toys{/toy}') },
    { toys_url: '/pets/ID/toys{/toy}' },
  ],
])('shows items with their own addresses, by %s', async (_, properties, expected) => {
  const { call, api } = await serveDocument(shelter(properties));
  const at = (id: number) =>
    JSON.parse(JSON.stringify(expected).replaceAll('/pets/ID', `${api}/pets/${id}`));
  const { json: made } = await call('/pets', withJson('POST', { name: 'Rex' }));
  expect(made).toMatchObject({ name: 'Rex', ...at(made.id) });
  expect((await call(`/pets/${made.id}`)).json).toMatchObject(at(made.id));
  const changed = await call(`/pets/${made.id}`, withJson('PATCH', { name: 'Max' }));
  expect(changed.json).toMatchObject({ name: 'Max', ...at(made.id) });
  const { json: pets } = await call('/pets');
  for (const pet of pets) expect(pet).toMatchObject(at(pet.id));
  const visit = await call('/visits', withJson('POST', { petId: made.id }));
  expect(visit.json.pet).toMatchObject(at(made.id));
});

it('shows the address of an item beside it, and that of a list beside its items', async () => {
  const { call, api } = await serveDocument(
    documentOf(
      `
      GET /pets -> { data: [Pet], links: [Link] }
      POST /pets NewPet -> 201 { data: Pet, links: Links }
      GET /pets/{petId} -> { data: Pet, links: Links }
      GET /pets/{petId}/toys -> { data: [Toy], links: Links }
      POST /pets/{petId}/toys Toy -> 201 { data: Toy, links: Links }
      GET /pets/{petId}/toys/{toyId} -> { data: Toy, links: [Link] }
      `,
      {
        NewPet: '{ name }',
        Pet: '{ id: int, name }',
        Toy: '{ id: int, text }',
        Links: object({ self: { type: 'string', format: 'uri', example: 'https://a.example/7' } }),
        Link: object({ rel: text, href: text }),
      },
    ),
  );
  const self = (path: string) => ({ self: api + path });
  const { json: pet } = await call('/pets', withJson('POST', { name: 'Rex' }));
  expect(pet.links).toEqual(self(`/pets/${pet.data.id}`));
  expect((await call('/pets/2')).json.links).toEqual(self('/pets/2'));
  const toy = await call('/pets/2/toys', withJson('POST', { text: 'ball' }));
  const path = `/pets/2/toys/${toy.json.data.id}`;
  expect(toy.json.links).toEqual(self(path));
  expect((await call(path)).json.links).toEqual([{ rel: 'self', href: api + path }]);
  expect((await call('/pets')).json.links).toEqual([{ rel: 'self', href: `${api}/pets` }]);
  expect((await call('/pets/2/toys')).json.links).toEqual(self('/pets/2/toys'));
});

it('shows items below others with the address of both, and paths as the document has them', async () => {
  const { call, api } = await serveDocument(shelter({ path: shown('/v1/pets/7') }));
  const { json } = await call('/pets/2/toys', withJson('POST', { text: 'ball' }));
  expect(json.links.self).toBe(`${api}/pets/2/toys/${json.id}`);
  expect((await call('/pets/2')).json.path).toBe('/v1/pets/2');
});

it('shows the addresses of items that hold each other, whichever the document has first', async () => {
  const places = ['Pet', 'Owner'].map((name) => {
    const path = `/${name.toLowerCase()}s`;
    return `
    GET ${path} -> [${name}]
    POST ${path} New${name} -> 201 ${name}
    GET ${path}/{id} -> ${name}
    `;
  });
  const { call, api } = await serveDocument(
    documentOf(places.join(''), {
      NewPet: '{ ownerId: int }',
      NewOwner: '{ petId: int }',
      Pet: object({ id: int, url: uri, ownerId: { type: 'integer' }, owner: to('Owner') }),
      Owner: object({ id: int, url: uri, petId: { type: 'integer' }, pet: to('Pet') }),
    }),
  );
  const { json: owner } = await call('/owners', withJson('POST', { petId: 1 }));
  expect(owner.pet.url).toBe(`${api}/pets/1`);
  const { json: pet } = await call('/pets', withJson('POST', { ownerId: owner.id }));
  expect(pet.owner.url).toBe(`${api}/owners/${owner.id}`);
});

it('keeps other addresses, and what clients set', async () => {
  const others = {
    avatar_url: uri,
    html_url: shown('https://pets.example/p/7'),
    url: { ...uri, description: 'The page of the pet.' },
    href: { type: 'string', format: 'uri' },
  };
  const document = shelter(others, { Sent: object({ name: text, href: text }) });
  const { call, api } = await serveDocument(document);
  const sent = { name: 'Rex', href: 'https://rex.example/' };
  expect((await call('/pets', withJson('POST', sent))).json).toMatchObject(sent);
  const { json } = await call('/pets/1');
  for (const name of Object.keys(others)) expect(json[name] ?? '').not.toContain(api);
});

it('keeps what clients set by bodies that describe no members', async () => {
  const document = shelter({ url: { type: 'string', format: 'uri' } }, { Sent: object({}) });
  const { call } = await serveDocument(document);
  const sent = { name: 'Rex', url: 'https://rex.example/' };
  expect((await call('/pets', withJson('POST', sent))).json).toMatchObject(sent);
});

it('shows a URL beside an item as its example has it', async () => {
  const example = 'https://pay.example/abc';
  const { call } = await serveDocument(`
    GET /pets -> [Pet]
    POST /pets Pet -> 201 Shown
    GET /pets/{id} -> Shown
    Pet: { readonly id!: int, name }
    Shown: { pet!: Pet, readonly url!: uri(example="https://pay.example/abc"), ok!: bool }
  `);
  expect((await call('/pets/1')).json.url).toBe(example);
});
