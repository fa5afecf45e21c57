import { expect, it } from 'vitest';
import { addressRules } from '../../openapi/collections/addresses.ts';
import { idRules } from '../../openapi/collections/id-property.ts';
import { listRules } from '../../openapi/collections/list-form.ts';
import { kindRules } from '../../openapi/collections/operations-on.ts';
import { verbs } from '../../openapi/collections/read-as.ts';
import { holdingRules } from '../../openapi/collections/references.ts';
import { placeRules } from '../../openapi/collections/things.ts';
import { compile } from '../../openapi/index.ts';

const text = { type: 'string' };
const schemas = {
  Pet: {
    type: 'object',
    properties: { id: { type: 'integer' }, name: text, ownerId: text },
  },
  Short: { type: 'object', properties: { id: { type: 'integer' } } },
  Note: { type: 'object', properties: { remark: text } },
  Count: { type: 'object', properties: { name: { type: 'integer' } } },
  Owner: { type: 'object', properties: { phone: text } },
};
const others = ['GET /pets -> 200 [Pet]', 'GET /pets/{id} -> 200 Pet'];

/** Compiles operations, each as `METHOD path [body] -> status [success]`, and finds one of them. */
function compileLine(line: string, besides: readonly string[]) {
  const toSchema = (name: string) => {
    const one = { $ref: `#/components/schemas/${name.replace(/[[\]]/g, '')}` };
    return name.startsWith('[') ? { type: 'array', items: one } : one;
  };
  const toContent = (name?: string) =>
    name && { content: { 'application/json': { schema: toSchema(name) } } };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const written of [line, ...besides]) {
    const [request = '', response = ''] = written.split(' -> ');
    const [method = '', target = '', body] = request.split(' ');
    const [path = '', query] = target.split('?');
    const list = { type: 'array', items: { type: 'integer' } };
    const [status = '', success] = response.split(' ');
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true },
      schema: name === 'id' ? { type: 'integer' } : text,
    }));
    const item = (paths[path] ??= { parameters });
    item[method.toLowerCase()] ??= {
      ...(body && { requestBody: toContent(body) }),
      ...(query && { parameters: [{ name: query, in: 'query', required: true, schema: list }] }),
      responses: { [status]: { description: '', ...toContent(success) } },
    };
  }
  const info = { title: 'Pets', version: '1' };
  const { operations } = compile({ openapi: '3.1.0', info, components: { schemas }, paths });
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

const jsonOf = (schema: object) => ({
  description: '',
  content: { 'application/json': { schema } },
});
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
    const item = { type: 'object', properties: { id: { type: 'integer' }, [name]: property } };
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
    const paths = {
      '/pets': { get: ok({ type: 'array', items: item }) },
      '/pets/{id}': { parameters, get: ok(item) },
    };
    const find = () => compile({ openapi: '3.1.0', paths }).resources[0]?.addresses?.[0];
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
    const toRef = (one: string) => ({ $ref: `#/components/schemas/${one}` });
    const item = schema.startsWith('{') ? toObject(schema) : toRef(schema);
    const properties = { id: { type: 'integer' }, name: text, [name]: item };
    const list = (items: object) => ({ get: ok({ type: 'array', items }) });
    const paths = {
      '/pets': list(toRef('Pet')),
      '/owners': list({ type: 'object', properties }),
    };
    const find = () =>
      compile({ openapi: '3.1.0', paths, components: { schemas } }).resources.find(
        (one) => one.path === '/owners',
      )?.held?.[0]?.collection;
    const { found, without } = compareWithout(holdingRules, rule, find);
    expect(found).toBe(collection);
    expect(without).toBeUndefined();
  },
);

it.each(idRules.map((rule) => [rule.name, rule.example, rule] as const))(
  'finds an id that %s: %s',
  (_, example, rule) => {
    const [, path = '', properties = '', id] = /^(.+) (\{.+\}) -> (.+)$/.exec(example) ?? [];
    const item = toObject(properties);
    const [, parameter] = /\{(.+)\}/.exec(path) ?? [];
    const parameters = [{ name: parameter, in: 'path', required: true, schema: text }];
    const list = ok({ type: 'array', items: item });
    const paths = {
      [path.replace(/\/\{.*/, '')]: { get: list },
      [path]: { parameters, get: ok(item) },
    };
    const find = () => compile({ openapi: '3.1.0', paths }).resources[0]?.idProperty;
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
      const paths = { [path]: { get: ok(toObject(answer)) } };
      const { operations, schemas: questions } = compile({ openapi: '3.1.0', paths });
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
