import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { Deployment } from '../../support/shared-deployment.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const schemas = {
  Item: '{ readonly id: int, readonly uuid, name! }',
  Job: '{ id!, status }',
};
const toSpec = (hasList: boolean, changed = '200 Item', removed = '204') =>
  documentOf(
    `
    ${hasList ? 'GET /items -> [Item]' : ''}
    POST /items Item! -> 201 Item, 400
    GET /items/{id} -> Item, 404
    PATCH /items/{id} Item! -> ${changed}, 404
    DELETE /items/{id} -> ${removed}, 404
    `,
    schemas,
  );

type Stored = { id: number; uuid: string; name: string };
type Show = (one: Stored, how: { method: string; reads: number }) => unknown;

/**
 * Starts a deployment with items of somebody else, 1001 to 1500, which shows its own as `show` says,
 * and gives it with the ids that are deleted or changed there.
 */
async function start(show: Show) {
  const items = new Map<number, Stored>();
  const harmed: number[] = [];
  let reads = 0;
  for (let id = 1001; id <= 1500; id++) items.set(id, { id, uuid: `u${id}`, name: `Ours ${id}` });
  let next = 1;
  const url = await startServer(({ method, path, segments, sent }) => {
    const id = Number(segments[1]);
    const found = items.get(id);
    if (path === '/items' && method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { id: next, uuid: `u${next}`, name: sent.name };
      items.set(next++, made);
      return { status: 201, body: made };
    }
    if (path === '/items')
      return {
        status: 200,
        body: [...items.values()]
          .slice(0, 20)
          .map((one) => (one.id > 1000 ? one : show(one, { method, reads }))),
      };
    if (!found) return { status: 404 };
    if (method !== 'GET' && id > 1000) harmed.push(id);
    if (method === 'DELETE') {
      items.delete(id);
      return { status: 204 };
    }
    if (method === 'PATCH') Object.assign(found, sent);
    else reads += 1;
    return { status: 200, body: id > 1000 ? found : show(found, { method, reads }) };
  });
  return { url, harmed };
}

const later = (one: Stored, id = one.id + 1000) => ({ ...one, id });

it.each<[string, Show]>([
  ['in each read', (one) => later(one)],
  ['in an envelope', (one) => ({ data: later(one) })],
  ['from its third read on', (one, { reads }) => (reads > 2 ? later(one) : one)],
  ['in the answer to a change', (one, { method }) => (method === 'PATCH' ? later(one) : one)],
  ['beside the one of its path', (one) => ({ ...one, uuid: `u${one.id + 1000}` })],
])('leaves an item alone that is shown with another id %s, and reports that', async (_, show) => {
  for (const hasList of [true, false]) {
    const { url, harmed } = await start(show);
    const report = await verifyWrites(url, toSpec(hasList));
    expect(harmed).toEqual([]);
    expect(report.findings.map(({ check, verdict }) => `${check} ${verdict}`)).toContain(
      'read-back drift',
    );
    const { leftAlone = [] } = report;
    expect(leftAlone.map(({ reason }) => reason).join()).toContain('shows the id');
    expect(leftAlone.length).toBeLessThan(4);
  }
});

it.each<[string, Show]>([
  ['in an envelope with an id of its own', (one) => ({ meta: { id: 77 }, data: one })],
  ['as they are', (one) => one],
])('blames no deployment that shows its items %s', async (_, show) => {
  const { url } = await start(show);
  const report = await verifyWrites(url, toSpec(true));
  expect(report.findings.map(({ actual }) => actual).join()).not.toContain('left alone');
  expect([report.leftAlone ?? [], report.residue]).toEqual([[], []]);
});

it('takes a job that a change or a deletion is answered with for no item', async () => {
  const deployment = new Deployment();
  const url = await deployment.start((asked) => {
    const { id } = deployment.items.get(asked.path) ?? {};
    if (id === undefined || !['PATCH', 'DELETE'].includes(asked.method)) return undefined;
    deployment.answer(asked);
    return { status: 202, body: { id: `job-${id}`, status: 'queued' } };
  });
  const report = await verifyWrites(url, toSpec(true, '202 Job', '202 Job'));
  expect(report.findings.filter(({ check }) => check === 'read-back')).toEqual([]);
  expect([deployment.left(), report.leftAlone ?? [], report.residue]).toEqual([[], [], []]);
});

it('takes UUIDs that differ in case for the same', async () => {
  const spec = documentOf(`
    GET /items -> [Item]
    POST /items Item! -> 201 Item, 400
    GET /items/{id:uuid} -> Item, 404
    DELETE /items/{id:uuid} -> 204, 404
    Item: { id, readonly uuid, name! }
  `);
  const deployment = new Deployment();
  const url = await deployment.start((asked) => {
    const { method, path, sent } = asked;
    if (method !== 'POST') return deployment.answer({ ...asked, path: path.toLowerCase() });
    if (typeof sent?.name !== 'string') return { status: 400 };
    const made = deployment.add(path, { name: sent.name }, crypto.randomUUID());
    return { status: 201, body: { ...made, id: String(made.id).toUpperCase() } };
  });
  const report = await verifyWrites(url, spec);
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([deployment.left(), report.residue]).toEqual([[], []]);
});

const pets = documentOf(`
  GET /pets -> [Pet]
  POST /pets { name! }! -> 201 { id!: int }, 400
  GET /pets/{petId} -> Pet, 404
  DELETE /pets/{petId} -> 204, 404
  Pet: { id!: int, name! }
`);

it('deletes no item of others that quotes its own, where creates are answered with other ids', async () => {
  const names = new Map([1, 2, 3].map((id) => [id, `Tom ${id}`]));
  let last = 1000;
  let jobs = 0;
  const url = await startServer(({ method, segments: [, id], sent = {} }) => {
    if (id === undefined && method === 'POST') {
      if (typeof sent.name !== 'string') return { status: 400, body: {} };
      names.set(++last, sent.name);
      return { status: 201, body: { id: ++jobs } };
    }
    // Lists show the first item alone.
    if (id === undefined) return { status: 200, body: [{ id: 0, name: 'Zoe' }] };
    const name = names.get(Number(id));
    if (name === undefined) return { status: 404, body: {} };
    if (method === 'DELETE') names.delete(Number(id));
    if (method === 'DELETE') return { status: 204 };
    return { status: 200, body: { id: Number(id), name, newest: { name: names.get(last) } } };
  });
  await verifyWrites(url, pets);
  expect([...names.values()].slice(0, 3)).toEqual(['Tom 1', 'Tom 2', 'Tom 3']);
});

it('renames no item whose id is made of its name', async () => {
  const shops = new Map([['blue-door', { slug: 'blue-door', name: 'Blue Door', about: 'Ours' }]]);
  const url = await startServer(({ method, segments: [, slug = ''], sent }) => {
    if (slug === '' && method !== 'POST') return { status: 200, body: [...shops.values()] };
    if (slug !== '' && !shops.has(slug)) return { status: 404 };
    if (method === 'DELETE') shops.delete(slug);
    if (method === 'DELETE') return { status: 204 };
    if (method !== 'POST' && method !== 'PUT') return { status: 200, body: shops.get(slug) };
    const { name, about = '' } = sent ?? {};
    const named = String(name)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-');
    const isValid = typeof name === 'string' && typeof about === 'string' && /[a-z0-9]/.test(named);
    if (!isValid) return { status: 400 };
    if (named !== slug && shops.has(named)) return { status: 409 };
    shops.delete(slug);
    shops.set(named, { slug: named, name, about });
    return { status: slug === '' ? 201 : 200, body: shops.get(named) };
  });
  const spec = documentOf(`
    GET /shops -> [Shop]
    POST /shops Shop! -> 201 Shop, 400, 409
    GET /shops/{slug:text} -> Shop, 404
    PUT /shops/{slug:text} Shop! -> Shop, 400, 404, 409
    DELETE /shops/{slug:text} -> 204, 404
    Shop: { readonly slug, name!, about }
  `);
  const report = await verifyWrites(url, spec);
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([[...shops.keys()], report.residue]).toEqual([['blue-door'], []]);
});
