import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../../package/twin.ts';
import { verify } from '../../../package/verify.ts';
import { documentOf } from '../../support/document-of.ts';
import { writeJson } from '../../support/write-json.ts';

const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
const document = documentOf(`
  Thing: { readonly id!: int, name!, ${names.join(', ')} }
  GET /things -> [Thing]
  POST /things Thing -> 201 Thing, 400 any
  GET /things/{id} -> Thing, 404 any
  PUT /things/{id} Thing -> Thing, 404 any
  PATCH /things/{id} Thing -> Thing, 404 any
  DELETE /things/{id} -> 204, 404 any
`);

it('tells properties of items from those that all objects have', async () => {
  const spec = await writeJson(document);
  const twin = await createTwin({ spec });
  onTestFinished(() => twin.close());
  for (const body of [{ name: 'a' }, { name: 'b', constructor: 'x', toString: 'y' }])
    await fetch(`${twin.url}/things`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const target = { url: twin.url, keys: [] };
  const { defects, findings } = await verify({ target, spec, allowWrites: true });
  expect([defects, findings]).toEqual([[], []]);
});
