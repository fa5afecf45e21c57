import { expect, it } from 'vitest';
import { findOperation } from '../../../contracts/transcript/recognize.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const templates = [
  '/users/{id}',
  '/users/{id}:{verb}',
  '/users/{id}:getStats',
  '/users/admin:getStats',
  '/users/v-{id}',
  '/users/{id}.{form}',
  '/users/{id}.json',
  '/{any}/admin:getStats',
  '/{any}/{id}/parts',
];

const document = toDocument(
  Object.fromEntries(
    templates.map((path) => {
      const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      const parameters = names.map((name) => pathParameter(name, { type: 'string' }));
      const responses = { 200: jsonOf({ type: 'string' }, { example: path }) };
      return [path, { get: { operationId: path, parameters, responses } }];
    }),
  ),
);

it('has the path with more text of its own answer, in the mock as in recordings', async () => {
  const asked = {
    '/users/7': '/users/{id}',
    '/users/admin:getStats': '/users/admin:getStats',
    '/users/7:getStats': '/users/{id}:getStats',
    '/users/7:stop': '/users/{id}:{verb}',
    '/users/v-7': '/users/v-{id}',
    '/users/7.json': '/users/{id}.json',
    '/users/7.xml': '/users/{id}.{form}',
    '/others/admin:getStats': '/{any}/admin:getStats',
    '/users/7/parts': '/{any}/{id}/parts',
  };
  const { call } = await serveDocument(document);
  const indexed = compile(document);
  for (const [path, template] of Object.entries(asked)) {
    expect((await call(path)).json, path).toBe(template);
    expect(findOperation(indexed, { method: 'GET', path }).operation?.id, path).toBe(template);
  }
});
