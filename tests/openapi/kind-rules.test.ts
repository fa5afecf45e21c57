import { expect, it } from 'vitest';
import { kindRules } from '../../openapi/collections/operations-on.ts';
import { compile } from '../../openapi/index.ts';

const text = { type: 'string' };
const schemas = {
  Pet: { type: 'object', properties: { id: { type: 'integer' }, name: text } },
  Note: { type: 'object', properties: { remark: text } },
  Count: { type: 'object', properties: { name: { type: 'integer' } } },
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
    const item = (paths[path] ??= path.includes('{')
      ? { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] }
      : {});
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
