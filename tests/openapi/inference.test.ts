import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';

const text = { type: 'string' };
const nouns = [
  ['animals', 'animal'],
  ['boxes', 'box'],
  ['categories', 'category'],
  ['special-events', 'special-event'],
  ['people', 'person'],
] as const;

/** How a generated collection is written. */
type Plan = {
  prefix: readonly string[];
  /** The collection that it is below, by its index among those before it. */
  parent: number | undefined;
  id: object;
  idSuffix: string;
  listIn: 'data' | 'items' | 'noun' | undefined;
  itemIn: 'data' | 'noun' | undefined;
  kinds: readonly string[];
  noise: boolean;
};

const changes = ['create', 'createMany', 'read', 'replace', 'update', 'delete'];
const plan: fc.Arbitrary<Plan> = fc.record({
  prefix: fc.constantFrom([], ['v1'], ['api', 'admin']),
  parent: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  id: fc.constantFrom({ type: 'integer' }, { type: 'string', format: 'uuid' }, text),
  idSuffix: fc.constantFrom('Id', '_id', '-id', ''),
  listIn: fc.constantFrom(undefined, 'data', 'items', 'noun'),
  itemIn: fc.constantFrom(undefined, 'data', 'noun'),
  kinds: fc.subarray(changes),
  noise: fc.boolean(),
});
const plans = fc.array(plan, { minLength: 1, maxLength: nouns.length });

type Written = { paths: Record<string, object>; expected: Record<string, unknown> };

const wrap = (name: string | undefined, schema: object): object =>
  name === undefined ? schema : { type: 'object', properties: { [name]: schema } };
const content = (schema: object) => ({ content: { 'application/json': { schema } } });

/** A document of the plans, with the kind and the collection of each operation by its id. */
function write(all: readonly Plan[]): Written {
  const written: Written = { paths: {}, expected: {} };
  const itemPaths: string[] = [];
  for (const [index, one] of all.entries()) {
    const [noun, single] = nouns[index] as (typeof nouns)[number];
    const above = one.parent === undefined ? undefined : itemPaths[one.parent];
    const path = `${above ?? one.prefix.map((part) => `/${part}`).join('')}/${noun}`;
    const parameter = `${single}${one.idSuffix}`;
    const itemPath = `${path}/{${parameter}}`;
    itemPaths.push(itemPath);
    const properties = { id: one.id, name: text, [`own${index}`]: text };
    const plain = { type: 'object', properties };
    const item = wrap(one.itemIn === 'noun' ? single : one.itemIn, plain);
    const list = wrap(one.listIn === 'noun' ? noun : one.listIn, { type: 'array', items: plain });
    const answers = (schema: object) => ({ responses: { 200: content(schema) } });
    const takes = (schema: object) => ({ requestBody: content(schema), ...answers(item) });
    const operations: Record<string, [at: string, method: string, described: object]> = {
      list: [path, 'get', answers(list)],
      create: [path, 'post', takes(item)],
      createMany: [`${path}/batch`, 'post', takes({ type: 'array', items: plain })],
      read: [itemPath, 'get', answers(item)],
      replace: [itemPath, 'put', takes(item)],
      update: [itemPath, 'patch', takes(item)],
      delete: [itemPath, 'delete', { responses: { 204: { description: 'Gone.' } } }],
    };
    const add = (at: string, method: string, described: object, kind?: string) => {
      const operationId = `op${Object.keys(written.expected).length}`;
      const parameters = [...at.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: name === parameter ? one.id : text,
      }));
      const own = { operationId, parameters, ...described };
      written.paths[at] = { ...written.paths[at], [method]: own };
      written.expected[operationId] = kind && [kind, path.slice(1)];
    };
    for (const kind of ['list', ...one.kinds])
      add(...(operations[kind] as [string, string, object]), kind);
    if (!one.noise) continue;
    const done = { type: 'object', properties: { done: { type: 'boolean' } } };
    add(`${path}/statistics`, 'get', answers(done));
    add(`${path}/reindex`, 'post', { responses: { 202: { description: 'Begun.' } } });
  }
  return written;
}

const toDocument = (paths: object) => ({
  openapi: '3.1.0',
  info: { title: 'Made', version: '1' },
  paths,
});

it('finds exactly the kinds and collections of documents that are made of them', () => {
  fc.assert(
    fc.property(plans, (all) => {
      const { paths, expected } = write(all);
      const found = compile(toDocument(paths)).operations.map(({ id, kind, resource }) => [
        id,
        kind && [kind, resource],
      ]);
      expect(Object.fromEntries(found)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

type Json = Record<string, unknown>;

/** All objects and lists below a value. */
function nodesOf(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(nodesOf)];
}

const mutation = fc.record({
  node: fc.nat(),
  key: fc.nat(),
  value: fc.oneof(
    fc.constantFrom(undefined, null, '', [], {}, { $ref: '#/paths' }, { $ref: '#/nowhere' }),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant({ toString: null, valueOf: null }),
    fc.constant({ type: { toString: null } }),
    fc.constantFrom({ type: 'array', items: {} }, { allOf: [{ properties: { id: true } }] }, true),
  ),
});

it('reads a document whatever is wrong with the parts of its paths', () => {
  fc.assert(
    fc.property(plans, fc.array(mutation, { minLength: 1, maxLength: 8 }), (all, mutations) => {
      const paths = structuredClone(write(all).paths);
      for (const { node, key, value } of mutations) {
        const nodes = nodesOf(paths).slice(1);
        const chosen = nodes[node % nodes.length];
        const keys = Object.keys(chosen ?? {});
        const name = keys[key % keys.length];
        if (chosen && name !== undefined) chosen[name] = structuredClone(value);
      }
      const read = () => compile(toDocument(JSON.parse(JSON.stringify(paths))));
      expect(read).not.toThrow();
    }),
    { numRuns: 100 },
  );
});

it.each(['requestBody', 'responses', 'parameters'])(
  'reads %s whose reference is no text',
  (name) => {
    const part = { $ref: { toString: null, valueOf: null } };
    const held = { requestBody: part, responses: { 200: part }, parameters: [part] }[name];
    const { operations } = compile(
      toDocument({ '/animals': { post: { operationId: 'add', responses: {}, [name]: held } } }),
    );
    expect(operations).toMatchObject([{ id: 'add' }]);
  },
);
