import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const id = { type: 'integer', readOnly: true };
const name = { type: 'string' };
const none = { description: 'None.' };
const owner = { type: 'object', required: ['name'], properties: { id, name } };
const kind = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', example: 1 }, name: { type: 'string', example: 'cat' } },
};
/** An item whose id a body cannot give, so that a body names it by its text. */
const textKind = {
  ...kind,
  properties: { id, name: { type: 'string', example: 'types 3' } },
};
const kindFields = { type: 'object', required: ['name'], properties: { name } };
const inPath = (...names: string[]) => names.map((one) => pathParameter(one));

/** A collection, and one item of it. */
function collection(
  path: string,
  { item, sent, ...parts }: { item: object; sent: object; hasCreate?: boolean; example?: unknown },
) {
  const { hasCreate = true, example } = parts;
  const above = path.match(/(?<=\{)[^{}]+/g) ?? [];
  const body = { required: true, ...jsonOf(sent, example === undefined ? {} : { example }) };
  const shown = { 200: jsonOf(item), 404: none };
  return {
    [path]: {
      parameters: inPath(...above),
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      ...(hasCreate && {
        post: { requestBody: body, responses: { 201: jsonOf(item), 400: none } },
      }),
    },
    [`${path}/{id}`]: {
      parameters: inPath(...above, 'id'),
      get: { responses: shown },
      put: { requestBody: body, responses: shown },
      patch: { requestBody: body, responses: shown },
      delete: { responses: { 204: none, 404: none } },
    },
  };
}

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

const types = collection('/types', { item: kind, sent: kindFields });
const owners = collection('/owners', { item: owner, sent: owner });
const refs = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required: ['name', ...required],
  properties: { id, name, ...properties },
});
const example = { id: 7, name: 'Leo', type: { id: 1, name: 'cat' }, typeId: 3 };

const one = (path: string, properties: object, more: object = {}) =>
  collection(path, { item: refs(properties), sent: refs(properties), ...more });
const integer = { type: 'integer' };

it.each<[string, object, string | undefined]>([
  ['an object', one('/pets', { type: kind }, { example }), '/pets'],
  ['an object below a parent', one('/owners/{ownerId}/pets', { type: kind }, { example }), '/pets'],
  ['an id', one('/pets', { typeId: integer }, { example }), '/pets'],
  [
    'an id below a parent',
    one('/owners/{ownerId}/pets', { type_id: { ...integer, example: 2 } }),
    '/pets',
  ],
  ['a noun', one('/pets', { type: { ...integer, example: 4 } }), '/pets'],
  [
    'ids',
    one('/pets', { typeIds: { type: 'array', minItems: 1, items: integer, example: [2, 3] } }),
    '/pets',
  ],
  ['objects', one('/pets', { types: { type: 'array', items: kind } }), '/pets'],
  [
    'objects without an id',
    {
      ...collection('/types', { item: textKind, sent: kindFields }),
      ...one('/pets', { kinds: { type: 'array', items: textKind } }),
    },
    '/pets',
  ],
  [
    'an optional object without an id',
    {
      ...collection('/types', { item: textKind, sent: kindFields }),
      ...collection('/pets', {
        item: refs({ kind: textKind }, []),
        sent: refs({ kind: textKind }, []),
        example: { name: 'Leo', kind: { name: 'types 3' } },
      }),
    },
    '/pets',
  ],
  [
    'a part',
    one('/pets', {
      traits: { allOf: [{ type: 'object', required: ['type'], properties: { type: kind } }] },
    }),
    '/pets',
  ],
  [
    'an alternative',
    one('/pets', {
      traits: {
        oneOf: [{ type: 'object', required: ['typeId'], properties: { typeId: integer } }],
      },
    }),
    '/pets',
  ],
  [
    'a text by the noun of what nothing makes',
    {
      ...collection('/labels', {
        item: { ...textKind, properties: { id: name, name } },
        sent: kindFields,
        hasCreate: false,
      }),
      ...one('/pets', { label: name }),
    },
    '/pets',
  ],
  [
    'an id of what is not described',
    one('/pets', {
      ownerRef: {
        type: 'object',
        required: ['id'],
        properties: { id: { ...integer, example: 5 } },
      },
    }),
    '/pets',
  ],
  [
    'a small id of what is not described',
    one('/pets', { breedId: { ...integer, maximum: 50 } }),
    undefined,
  ],
  ['a link', one('/pets', { href: { type: 'string', example: '/types/1' } }), '/pets'],
  [
    'a link with a host',
    one('/pets', { href: { type: 'string', format: 'uri', example: 'https://x.test/v1/types/3' } }),
    '/pets',
  ],
  ['a number', one('/pets', { parent: { ...integer, example: 3 } }), '/pets'],
  [
    'an optional object',
    collection('/pets', {
      item: refs({ type: kind }, []),
      sent: refs({ type: kind }, []),
      example,
    }),
    '/pets',
  ],
  [
    'keys of a map',
    one('/pets', {
      types: { type: 'object', additionalProperties: { type: 'boolean' }, example: { 1: true } },
    }),
    undefined,
  ],
])('refers to no item of others by %s', async (_, pets, created) => {
  const { url, named, creates } = await start();
  const document = toDocument({ ...types, ...owners, ...pets });
  const report = await verifyWrites(url, document);
  expect(named).toEqual([]);
  const made = creates.filter((one) => one.includes('pets {"name"'));
  expect([made.length > 0, report.residue]).toEqual([created !== undefined, []]);
});

it('refers to items that it makes below a parent', async () => {
  const { url, named, creates } = await start();
  const document = toDocument({
    ...owners,
    ...collection('/owners/{ownerId}/pets', { item: owner, sent: owner }),
    ...one('/visits', { petId: integer }),
  });
  const report = await verifyWrites(url, document);
  const visits = creates.filter((text) => /^\/visits .*"petId":\d{3}\D/.test(text));
  expect([named, visits.length > 0, report.residue]).toEqual([[], true, []]);
});
