import { expect, it } from 'vitest';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { foundIn, keptBy, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const ifMatch = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } };
const revision = { name: 'rev', in: 'query', required: true, schema: { type: 'integer' } };
const lists428 = { responses: { 428: { description: 'If-Match is missing.' } } };

it.each<[how: string, more: { parameters?: object[]; responses: object }]>([
  ['an If-Match that is required', { parameters: [ifMatch], ...lists428 }],
  ['428', lists428],
  [
    'a revision in the query that is required',
    { parameters: [revision], responses: { 409: { description: 'rev is not the last.' } } },
  ],
])('changes and deletes items of a deployment that describes %s', async (_, more) => {
  const versions = new Map<string, number>();
  const deployment = new Deployment('/docs');
  const url = await deployment.start((asked) => {
    const { method, path, headers, query } = asked;
    const item = deployment.items.get(path);
    if (!item) return undefined;
    const version = versions.get(path) ?? 1;
    const sent = query.has('rev') ? `"${query.get('rev')}"` : headers['if-match'];
    if (method !== 'GET' && sent === undefined) return { status: 428 };
    if (method !== 'GET' && sent !== `"${version}"`) return { status: 412 };
    const next = method === 'GET' ? version : version + 1;
    versions.set(path, next);
    item._rev = next;
    return { ...deployment.answer(asked), headers: { etag: `"${next}"` } };
  });
  const paths = collection('/docs', { _rev: { type: 'integer', readOnly: true } });
  const item = paths['/docs/{id}'] as unknown as Record<string, { responses: object }>;
  for (const one of [item.patch, item.delete])
    if (one) Object.assign(one, more, { responses: { ...one.responses, ...more.responses } });
  const before = [...deployment.items.keys()];
  const report = await verifyWrites(url, await writeJson(toDocument(paths)));
  expect(foundIn(report).filter(([, verdict]) => verdict === 'drift')).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining(['updated', 'deleted']));
  expect([...deployment.items.keys()]).toEqual(before);
});
