import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const kind = '{ id!: int(example=1), name!: text(example="cat") }';
// A body cannot give the id of such an item, and names the item by its text.
const textKind = '{ readonly id!: int, name!: text(example="types 3") }';
const owner = '{ readonly id: int, name! }';

/** Describes a collection, and one item of it. */
const collection = (path: string, item: string, sent = item) => `
  GET ${path} -> [${item}]
  POST ${path} ${sent}! -> 201 ${item}, 400
  GET ${path}/{id} -> ${item}, 404
  PUT ${path}/{id} ${sent}! -> ${item}, 404
  PATCH ${path}/{id} ${sent}! -> ${item}, 404
  DELETE ${path}/{id} -> 204, 404`;

type Item = Record<string, unknown> & { id: number };

/**
 * Starts a deployment with items of somebody else, whose ids are below 100. It reads as an id what it
 * can, and what refers to an item is deleted together with that item, and changes it. Gives what of
 * somebody else was referred to.
 */
async function start() {
  const stored = new Map<string, Item[]>();
  const named: string[] = [];
  const creates: string[] = [];
  let next = 100;
  const itemsAt = (path: string): Item[] => {
    const noun = path.split('/').filter(Boolean).at(-1) ?? '';
    const first = Array.from({ length: 9 }, (_, index) => ({
      id: index + 1,
      name: `${noun} ${index + 1}`,
    }));
    if (!stored.has(path)) stored.set(path, path.split('/').length > 2 ? [] : first);
    return stored.get(path) as Item[];
  };
  const note = (value: unknown, at: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        const isMap = at.endsWith('labels');
        note(isMap ? key : one, `${at}.${isMap ? 'label' : key}`);
      }
      return;
    }
    const last = at.split('.').findLast((one) => !/^\d+$/.test(one)) ?? '';
    const isName = /id$|^types?$|^label$|^href$|^parent$/i.test(last);
    const number = Number.parseInt(String(value).split('/').at(-1) ?? '', 10);
    const read = value === true ? 1 : number;
    const isText = /^types [1-9]$/.test(String(value));
    if (isText || (isName && read >= 1 && read < 100)) named.push(`${at}: ${String(value)}`);
  };
  const url = await startServer(({ method, path, sent, text, query }) => {
    const [above, last = ''] = [path.slice(0, path.lastIndexOf('/')), path.split('/').at(-1)];
    if (method === 'POST') {
      creates.push(`${path} ${text}`);
      note(sent, path);
      note(Object.fromEntries(query), path);
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { ...sent, id: next++ };
      itemsAt(path).push(made);
      return { status: 201, body: made };
    }
    if (!/^\d+$/.test(last)) return { status: 200, body: itemsAt(path) };
    const items = itemsAt(above);
    const found = items.find((one) => one.id === Number(last));
    if (!found) return { status: 404 };
    if (method === 'GET') return { status: 200, body: found };
    note(sent, path);
    if (found.id < 100) named.push(`${method} ${path}`);
    if (method === 'DELETE')
      stored.set(
        above,
        items.filter((one) => one !== found),
      );
    else Object.assign(found, sent, { id: found.id });
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: found };
  });
  return { url, named, creates };
}

const pets = '/pets';
const below = '/owners/{ownerId}/pets';
const example = { id: 7, name: 'Leo', type: { id: 1, name: 'cat' }, typeId: 3 };

type More = { example?: object; types?: string; lines?: string; Traits?: object; isMade?: false };

it.each<[string, path: string, properties: string, More?]>([
  ['an object', pets, `type!: ${kind}`, { example }],
  ['an object below a parent', below, `type!: ${kind}`, { example }],
  ['an id', pets, 'typeId!: int', { example }],
  ['an id below a parent', below, 'type_id!: int(example=2)'],
  ['a noun', pets, 'type!: int(example=4)'],
  ['ids', pets, 'typeIds!: [int](minItems=1, example=[2, 3])'],
  ['objects', pets, `types!: [${kind}]`],
  ['objects without an id', pets, `kinds!: [${textKind}]`, { types: textKind }],
  [
    'an optional object without an id',
    ...([pets, `kind: ${textKind}`] as const),
    { types: textKind, example: { name: 'Leo', kind: { name: 'types 3' } } },
  ],
  ['a part', pets, 'traits!: Traits', { Traits: { allOf: [schemaOf(`{ type!: ${kind} }`)] } }],
  [
    'an alternative',
    pets,
    'traits!: Traits',
    { Traits: { oneOf: [schemaOf('{ typeId!: int }')] } },
  ],
  [
    'a text by the noun of what nothing makes',
    ...([pets, 'label!'] as const),
    { lines: collection('/labels', '{ id!, name! }').replace(/POST .*/, '') },
  ],
  ['an id of what is not described', pets, 'ownerRef!: { id!: int(example=5) }'],
  ['a small id of what is not described', pets, 'breedId!: int(maximum=50)', { isMade: false }],
  ['a link', pets, 'href!: text(example="/types/1")'],
  ['a link with a host', pets, 'href!: uri(example="https://x.test/v1/types/3")'],
  ['a number', pets, 'parent!: int(example=3)'],
  ['an optional object', pets, `type: ${kind}`, { example }],
  [
    'keys of a map',
    ...([
      pets,
      'types!: object(additionalProperties={"type":"boolean"}, example={"1":true})',
    ] as const),
    { isMade: false },
  ],
])('refers to no item of others by %s', async (_, path, properties, more = {}) => {
  const { example, types = kind, lines = '', Traits, isMade = true } = more;
  const document = documentOf(
    collection('/types', types, '{ name! }') +
      collection('/owners', owner) +
      collection(path, `{ readonly id: int, name!, ${properties} }`) +
      lines,
    { ...(Traits && { Traits }) },
  );
  for (const at of [path, `${path}/{id}`])
    for (const { requestBody } of Object.values(document.paths[at] ?? {}))
      Object.assign(requestBody?.content['application/json'] ?? {}, example && { example });
  const { url, named, creates } = await start();
  const report = await verifyWrites(url, document);
  expect(named).toEqual([]);
  const made = creates.filter((one) => one.includes('pets {"name"'));
  expect([made.length > 0, report.residue]).toEqual([isMade, []]);
});

it('refers to items that it makes below a parent', async () => {
  const { url, named, creates } = await start();
  const document = documentOf(
    collection('/owners', owner) +
      collection(below, owner) +
      collection('/visits', '{ readonly id: int, name!, petId!: int }'),
  );
  const report = await verifyWrites(url, document);
  const visits = creates.filter((text) => /^\/visits .*"petId":\d{3}\D/.test(text));
  expect([named, visits.length > 0, report.residue]).toEqual([[], true, []]);
});
