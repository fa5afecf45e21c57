import { expect, it } from 'vitest';
import { listedItems } from '../../../contracts/run/listed.ts';
import type { Session } from '../../../contracts/run/session.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';

it('takes the items that a list shows the key of most calls, though it shows another more', () => {
  const note = { type: 'object', properties: { id: { type: 'integer' } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const document = compile(
    toDocument({
      '/notes': { get: { responses: { 200: jsonOf({ type: 'array', items: note }) } } },
      '/notes/{id}': { get: { parameters: [id], responses: { 200: jsonOf(note) } } },
    }) as object,
  );
  const [resource] = document.resources as [Resource];
  const shown = (keyName: string, json: object[]) => ({
    case: { operation: resource.operations.list, purpose: { kind: 'list', filters: {} } },
    request: { method: 'GET', path: '/notes', headers: {}, keyName },
    response: { status: 200, headers: [], text: JSON.stringify(json), json },
  });
  const exchanges = [shown('key-1', [{ id: 1 }, { id: 2 }]), shown('key-2', [{ id: 3 }])];
  const session = {
    transcript: { document, exchanges },
    keys: { bulk: [{ key: { name: 'key-2' } }] },
  };
  expect(listedItems(session as unknown as Session, resource)).toEqual([{ id: 3 }]);
});
