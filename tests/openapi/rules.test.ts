import { expect, it } from 'vitest';
import { addressRules } from '../../openapi/collections/addresses.ts';
import { idRules } from '../../openapi/collections/id-property.ts';
import { listRules } from '../../openapi/collections/list-form.ts';
import { kindRules } from '../../openapi/collections/operations-on.ts';
import { verbs } from '../../openapi/collections/read-as.ts';
import { holdingRules } from '../../openapi/collections/references.ts';
import { placeRules } from '../../openapi/collections/things.ts';
import { compile } from '../../openapi/index.ts';
import { documentOf, schemaOf } from '../support/document-of.ts';
import { jsonOf } from '../support/serve-document.ts';

const schemas = {
  Pet: schemaOf('{ id: int, name, ownerId }'),
  Short: schemaOf('{ id: int }'),
  Note: schemaOf('{ remark }'),
  Count: schemaOf('{ name: int }'),
  Owner: schemaOf('{ phone }'),
  Shop: schemaOf('{ id: int, street }'),
};
const others = ['GET /pets -> 200 [Pet]', 'GET /pets/{id} -> 200 Pet'];

/** Compiles operations, each as `METHOD path [body] -> status [success]`, and finds one of them. */
function compileLine(line: string, besides: readonly string[]) {
  const lines = [...besides, line].map((one) =>
    one.replaceAll(/\{(?!id\})(\w+)\}/g, '{$1:text}').replace(/\?(\w+)/, '?$1!:[int]'),
  );
  const { operations } = compile(documentOf(lines.join('\n'), schemas));
  return operations.find(({ method, path }) =>
    line.replace(/\?\w+/, '').startsWith(`${method} ${path} `),
  );
}

it.each(kindRules.map(({ kind, example }) => [example, kind]))('%s is a %s', (line, kind) => {
  const found = compileLine(line, others);
  expect([found?.kind, found?.resource, found?.lacks]).toEqual([kind, 'pets', undefined]);
});

it.each([
  ['GET /pets -> 200 Pet', 'items', others],
  ['GET /pets/{id} -> 204', 'item', others],
  ['PUT /pets/{id} -> 200 Pet', 'body', others],
  ['POST /pets/search Pet -> 200 Pet', 'effect', others],
  ['POST /pets Pet -> 200 [Pet]', 'answer', others],
  ['POST /pets/{id} Pet -> 200 Pet', 'read', ['GET /pets -> 200 [Pet]']],
  ['PUT /pets/{id} Note -> 200 Pet', 'fields', others],
  ['PATCH /pets [Note] -> 200 [Pet]', 'id', others],
  ['GET /pets/{id} -> 200 Count', 'id', others],
  ['POST /pets/{id} Pet -> 200 Pet', 'place', [...others, 'PATCH /pets/{id} Pet -> 200 Pet']],
])('%s lacks: %s', (line, lacks, besides) => {
  const found = compileLine(line, besides);
  expect([found?.kind, found?.lacks]).toEqual([undefined, lacks]);
});

/** Finds something with all rules, and without one of them: a rule that changes nothing is needless. */
function compareWithout<Rule>(rules: readonly Rule[], rule: Rule, find: () => unknown) {
  const all = rules as Rule[];
  const found = find();
  const index = all.indexOf(rule);
  all.splice(index, 1);
  try {
    return { found, without: find() };
  } finally {
    all.splice(index, 0, rule);
  }
}

it.each(placeRules.map((rule) => [rule.name, rule.example, rule] as const))(
  'finds what a place is about that %s: %s',
  (_, example, rule) => {
    const [lines = '', resource] = example.split(' => ');
    const [line = '', ...more] = lines.split(', ');
    const all = [...more, ...others, 'POST /pets Pet -> 201 Pet'];
    const find = () => compileLine(line, all)?.resource;
    const { found, without } = compareWithout(placeRules, rule, find);
    expect(found ?? 'none').toBe(resource);
    expect(without).not.toBe(found);
  },
);

const ok = (schema: object) => ({ responses: { 200: jsonOf(schema) } });

/** Reads an object such as `{id:integer, number=Index, pets: [Pet]}`: texts, types, names in code and items. */
function toObject(text: string): object {
  const members = text.slice(1, -1).split(/, (?![^{]*\})/);
  const toSchema = (type: string): object => {
    if (type.startsWith('{')) return toObject(type);
    if (type.startsWith('[')) return { type: 'array', items: toSchema(type.slice(1, -1)) };
    return Object.hasOwn(schemas, type) ? schemas[type as 'Pet'] : { type };
  };
  const pairs = members.map((member) => {
    const [, name = '', type = 'string', code] = /^([\w*]+)(?:: ?(.+)|=(\w+))?$/.exec(member) ?? [];
    return [name, { ...toSchema(type), ...(code && { 'x-go-name': code }) }] as const;
  });
  const [only] = pairs;
  if (only?.[0] === '*') return { type: 'object', additionalProperties: only[1] };
  return { type: 'object', properties: Object.fromEntries(pairs) };
}

it.each(addressRules.map((rule) => [rule.name, rule.example, rule] as const))(
  'finds the address of an item that %s: %s',
  (_, example, rule) => {
    const [, name = '', shown = '', follows] =
      /^(\w+): (\S+) -> \/pets\/1(.*)$/.exec(example) ?? [];
    const isUrl = shown.startsWith('https:');
    const format = shown === 'uri' ? { format: 'uri' } : {};
    const property = { type: 'string', ...format, ...(isUrl && { example: shown }) };
    const Pet = { type: 'object', properties: { id: { type: 'integer' }, [name]: property } };
    const document = documentOf(others.join('\n'), { Pet });
    const find = () => compile(document).resources[0]?.addresses?.[0];
    const { found, without } = compareWithout(addressRules, rule, find);
    expect(found).toMatchObject({ path: [name], follows });
    expect(without).toBeUndefined();
  },
);

it.each(holdingRules.map((rule) => [rule.name, rule.example, rule] as const))(
  'finds the collection of an object that %s: %s',
  (_, example, rule) => {
    const [, held = '', collection] = /^(.+) -> (\w+)$/.exec(example) ?? [];
    const [name = '', schema = ''] = held.split(/: (.+)/);
    const Held = schema.startsWith('{') ? toObject(schema) : {};
    const type = schema.startsWith('{') ? 'Held' : schema;
    const lines = `GET /pets -> [Pet]\nGET /owners -> [{ id: int, name, ${name}: ${type} }]`;
    const document = documentOf(lines, { ...schemas, Held });
    const find = () =>
      compile(document).resources.find((one) => one.path === '/owners')?.held?.[0]?.collection;
    const { found, without } = compareWithout(holdingRules, rule, find);
    expect(found).toBe(collection);
    expect(without).toBeUndefined();
  },
);

it.each(idRules.map((rule) => [rule.name, rule.example, rule] as const))(
  'finds an id that %s: %s',
  (_, example, rule) => {
    const [, path = '', properties = '', id] = /^(.+) (\{.+\}) -> (.+)$/.exec(example) ?? [];
    const lines = `GET ${path.replace(/\/\{.*/, '')} -> [Item]\nGET ${path.replace('}', ':text}')} -> Item`;
    const document = documentOf(lines, { Item: toObject(properties) });
    const find = () => compile(document).resources[0]?.idProperty;
    const { found, without } = compareWithout(idRules, rule, find);
    expect(found).toBe(id);
    expect(without).not.toBe(id);
  },
);

it.each(listRules.map((rule) => [rule.name, rule.example, rule] as const))(
  'finds a list if %s: %s',
  (_, example, rule) => {
    const [, path = '', answer = '', at] = /^GET (\S+) (.+) -> (.+)$/.exec(example) ?? [];
    const find = () => {
      const document = documentOf(`GET ${path} -> Answer`, { Answer: toObject(answer) });
      const { operations, schemas: questions } = compile(document);
      return operations.map((one) => questions.findList(one)?.form.pointer.join('.'))[0];
    };
    const { found, without } = compareWithout(listRules, rule, find);
    expect(found).toBe(at === '*' ? '' : at);
    expect(without).not.toBe(found);
  },
);

it.each(verbs.map((rule) => [rule.example, rule] as const))('reads %s', (example, rule) => {
  const [line = '', read = ''] = example.split(' -> ');
  const [target = '', taken = ''] = read.split(/ (?=\{)|\?/);
  const pet = { $ref: '#/components/schemas/Pet' };
  const paths = Object.fromEntries(
    verbs.map((verb) => {
      const [, path = '', members = ''] = /^POST (\S+) (\{[^}]*\})/.exec(verb.example) ?? [];
      const isList = verb.method === 'GET' && verb.of === 'items';
      const success = ok(isList ? { type: 'array', items: pet } : pet);
      return [path, { post: { requestBody: jsonOf(toObject(members)), ...success } }];
    }),
  );
  const find = () => {
    const api = compile({ openapi: '3.1.0', paths, components: { schemas } });
    const found = api.operations.find(({ path }) => line.startsWith(`POST ${path} `))?.readAs;
    return (
      found && [
        `${found.method} ${found.path}`,
        found.parameters.map(({ name }) => name),
        found.kind,
      ]
    );
  };
  const { found, without } = compareWithout(verbs, rule, find);
  const names = [...target.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(found).toEqual([
    target,
    [...names, ...(taken === 'limit' ? ['limit'] : [])],
    expect.any(String),
  ]);
  expect(without).not.toEqual(found);
});
