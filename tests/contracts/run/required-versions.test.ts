import { expect, it } from 'vitest';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { foundIn, keptBy, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const ifMatch = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } };
const lists428 = { responses: { 428: { description: 'If-Match is missing.' } } };

it.each<[how: string, more: object]>([
  ['an If-Match that is required', { parameters: [ifMatch] }],
  ['428', lists428],
])('changes and deletes items of a deployment that describes %s', async (_, more) => {
  const versions = new Map<string, number>();
  const deployment = new Deployment('/docs');
  const url = await deployment.start((asked) => {
    const { method, path, headers } = asked;
    const version = versions.get(path) ?? 1;
    if (!deployment.items.has(path)) return undefined;
    if (method === 'GET') return { ...deployment.answer(asked), headers: { etag: `"${version}"` } };
    if (headers['if-match'] === undefined) return { status: 428 };
    if (headers['if-match'] !== `"${version}"`) return { status: 412 };
    versions.set(path, version + 1);
    return undefined;
  });
  const paths = collection('/docs');
  const item = paths['/docs/{id}'] as unknown as Record<string, { responses: object }>;
  for (const one of [item.patch, item.delete])
    if (one) Object.assign(one, more, { responses: { ...one.responses, ...lists428.responses } });
  const before = [...deployment.items.keys()];
  const report = await verifyWrites(url, await writeJson(toDocument(paths)));
  expect(foundIn(report).filter(([, verdict]) => verdict === 'drift')).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining(['updated', 'deleted']));
  expect([...deployment.items.keys()]).toEqual(before);
});
