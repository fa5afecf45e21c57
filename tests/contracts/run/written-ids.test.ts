import { expect, it } from 'vitest';
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
