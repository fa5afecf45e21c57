import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment, type Item } from '../../support/shared-deployment.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const names = ['apples', 'birds', 'clouds', 'doors', 'eels'];
const document = documentOf(
  names
    .flatMap((name) => [
      `GET /${name} -> [{ id, name! }]`,
      `POST /${name} { name! }! -> 201 { id, name! }, 422`,
      `GET /${name}/{id:text} -> { id, name! }, 404`,
      `DELETE /${name}/{id:text} -> 204, 404`,
    ])
    .join('\n'),
);

it('looks for what refused creates made, and reads what was deleted, once', async () => {
  const deployment = new Deployment();
  let count = 0;
  const url = await deployment.start(({ method, path, sent }) => {
    if (method !== 'POST') return undefined;
    if (path === '/apples' || typeof sent?.name !== 'string') return { status: 422 };
    return { status: 201, body: deployment.add(path, sent, `i${++count}`) };
  });
  const report = await verifyWrites(url, document);
  expect(report.residue).toEqual([]);
  const calls = deployment.asked.map(({ method, path }) => `${method} ${path}`);
  const readAfter = [...new Set(calls.filter((call) => call.startsWith('DELETE ')))].map((call) => {
    const rest = calls.slice(calls.lastIndexOf(call));
    return rest.filter((one) => one === call.replace('DELETE', 'GET')).length;
  });
  expect(readAfter).not.toEqual([]);
  expect(Math.max(...readAfter)).toBe(1);
  const lastOthers = calls.lastIndexOf('POST /birds');
  // Items that calls made elsewhere are looked for once.
  const looks = calls.slice(lastOthers).filter((call) => call === 'GET /apples');
  expect(looks).toHaveLength(1);
});

it('deletes no item that got the id of one whose deletion seemed to fail', async () => {
  const deployment = new Deployment('/pets');
  const ours = new Set<string>();
  const url = await deployment.start((asked) => {
    const { method, path } = asked;
    if (method !== 'DELETE') return undefined;
    if (ours.has(path)) deployment.harmed.push(path);
    if (deployment.answer(asked).status !== 204) return { status: 404 };
    if (ours.size > 0) return { status: 204 };
    ours.add(path);
    deployment.items.set(path, { id: Number(path.split('/')[2]), name: 'Ours' });
    return { status: 503 };
  });
  const report = await verifyWrites(url, toDocument(collection('/pets')));
  expect(ours.size).toBe(1);
  expect([deployment.harmed, report.residue.map(({ id }) => `/pets/${id}`)]).toEqual([
    [],
    [...ours],
  ]);
});

it('deletes what creates made that were answered with a redirect to it', async () => {
  const deployment = new Deployment('/pets');
  const url = await deployment.start((asked) => {
    if (asked.method === 'GET' && asked.path === '/pets') return { status: 200, body: [] };
    const { status, body } = deployment.answer(asked);
    if (asked.method !== 'POST' || status !== 201) return { status, body };
    return { status: 303, headers: { Location: `/pets/${(body as Item).id}` } };
  });
  const report = await verifyWrites(url, toDocument(collection('/pets')));
  expect(deployment.asked.some(({ method }) => method === 'DELETE')).toBe(true);
  expect([deployment.left(), report.residue]).toEqual([[], []]);
});

it('takes no item of a create for that of a refused one that refers to the same', async () => {
  const kinds = schemaOf('[{ id!: any, name! }](minItems=1)');
  const deployment = new Deployment('/kinds', '/pets');
  const url = await deployment.start();
  const spec = toDocument({
    ...collection('/kinds'),
    ...collection('/pets', { kinds }, { required: ['name', 'kinds'] }),
  });
  const report = await verifyWrites(url, spec);
  const bodies = deployment.asked.filter(
    ({ method, path }) => `${method} ${path}` === 'POST /pets',
  );
  expect(bodies.some(({ sent = {} }) => sent.kinds && sent.name === undefined)).toBe(true);
  expect([deployment.left(), report.residue]).toEqual([[], []]);
});
