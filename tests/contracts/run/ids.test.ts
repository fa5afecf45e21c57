import { expect, it } from 'vitest';
import { listedItems } from '../../../contracts/run/listed.ts';
import { unlike } from '../../../contracts/run/remember.ts';
import type { Session } from '../../../contracts/run/session.ts';
import { createValues, unknownId } from '../../../contracts/run/values.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { createTwin } from '../../../package/twin.ts';
import { documentOf } from '../../support/document-of.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

it.each([
  ['/pets.json', '/pets/{id:text}.json'],
  ['/pets', "/pets('{id:text}')"],
  ['/pets', '/pets({id})'],
  ['/pets', '/pets;id={id}'],
])('reads, changes and deletes its own items of %s at %s', async (list, item) => {
  const type = item.includes('text') ? 'text' : 'int';
  const pet = `{ readonly id!: ${type}, name! }`;
  const document = documentOf(
    `
    GET ${list} -> [Pet]
    POST ${list} { name! } -> 201 Pet, 400
    GET ${item} -> Pet, 404
    PATCH ${item} { name! } -> Pet, 400, 404
    DELETE ${item} -> 204, 404
    `,
    { Pet: pet },
  );
  const spec = await writeJson(document);
  await using twin = await createTwin({ spec });
  const report = await verifyWrites(twin.url, spec);
  expect(report.findings).toEqual([]);
  expect([report.leftAlone ?? [], report.residue]).toEqual([[], []]);
  const calls = report.operations.map(({ method, results }) => [method, results.target?.calls]);
  expect(calls.filter(([, count]) => count === 0)).toEqual([]);
});

it('gives an id that fits the schema, the same for the same text', () => {
  expect(unknownId({ type: 'integer', format: 'int64' }, 'a')).toMatch(/^[1-9]\d{14}$/);
  expect(unknownId({ type: 'string', format: 'uuid' }, 'a')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(Number(unknownId({ type: 'integer', format: 'int32' }, 'a'))).toBeLessThan(2 ** 31);
  expect(Number(unknownId({ type: 'integer', maximum: 2_000_000 }, 'a'))).toBeLessThanOrEqual(
    2_000_000,
  );
  expect(unknownId({ type: 'string' }, 'a')).toBe(unknownId({ type: 'string' }, 'a'));
  expect(unknownId({ type: 'string' }, 'a')).not.toBe(unknownId({ type: 'string' }, 'b'));
});

it('makes texts of the same form, with other digits or letters', () => {
  const sku = { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' };
  expect(unlike('ABC-1000', sku, 7)).toBe('ABC-0007');
  expect(unlike('ABC-1000', sku, 123_456)).toBe('ABC-3456');
  expect(unlike('somebody', { type: 'string' }, 1)).toBe('aaaaaaab');
  expect(unlike('u100@x.example', { type: 'string', format: 'email' }, 5)).toBe('u005@x.example');
});

it('makes none of what may be a code, has another format, or would not fit', () => {
  expect(unlike('USD', { type: 'string' }, 1)).toBeUndefined();
  expect(unlike('2030-12-05', { type: 'string', format: 'date' }, 1)).toBeUndefined();
  expect(unlike('1000', { type: 'string', pattern: '^1000$' }, 1)).toBeUndefined();
});

it('fills in another value each time once it varies', () => {
  const values = createValues('a1');
  values.set('known.things.code', 'seen');
  expect(values.fill('{{known.things.code}}').text).toBe('"seen"');
  values.vary('known.things.code', (number) => `code ${number}`);
  const [first, second] = [0, 1].map(() => values.fill('{{known.things.code}}').text);
  expect(first).toMatch(/^"code \d+"$/);
  expect(second).not.toBe(first);
});

it('takes the items that a list shows the key of most calls, though it shows another more', () => {
  const document = compile(
    documentOf('GET /notes -> [Note]\nGET /notes/{id} -> Note\nNote: { id: int }'),
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
