import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { openTestTwin } from '../../../support/twin.ts';

const twin = await openTestTwin({ pets: 4, rateLimits: 'off' });
afterAll(() => twin.close());
const { call } = createSnapshotClient(twin);

type Pet = { id: number; name: string; categoryId: number; status?: string };

/** What a sandbox should hold: items in order, and the number of the next one. */
type Model = { items: Pet[]; next: number };

const id = fc.integer({ min: 1, max: 12 });
const fields = fc.record(
  {
    name: fc.constantFrom('Rex', 'Ünal', '🐕'),
    categoryId: fc.constantFrom(1, 2),
    status: fc.constantFrom('available', 'pending', 'sold'),
  },
  { requiredKeys: ['name', 'categoryId'] },
);
const patch = fc.record(
  {
    name: fc.constantFrom('Max', null),
    status: fc.constantFrom('available', 'sold', null),
    id: fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
);
const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('create by the API' as const), fields }),
    fc.record({ act: fc.constant('create' as const), fields, id: fc.option(id) }),
    fc.record({ act: fc.constant('put' as const), id, fields }),
    fc.record({ act: fc.constant('patch' as const), id, patch }),
    fc.record({ act: fc.constant('delete' as const), id }),
    fc.record({
      act: fc.constant('delete all' as const),
      status: fc.option(fc.constantFrom('available', 'sold')),
    }),
    fc.record({ act: fc.constant('reset' as const) }),
    fc.record({ act: fc.constant('save' as const), name: fc.constantFrom('a', 'b') }),
    fc.record({ act: fc.constant('restore' as const), name: fc.constantFrom('a', 'b') }),
    fc.record({ act: fc.constant('export and import' as const), name: fc.constantFrom('a', 'b') }),
  ),
  { minLength: 5, maxLength: 25 },
);

type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

let sandboxes = 0;

it('holds what a plain list would, whatever is created, changed, deleted, saved and restored', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const prefix = `/sandboxes/s${++sandboxes}`;
      const first: Pet[] = (await call(`${prefix}/__admin/data/pets`)).json.items;
      const run = createRun(prefix, { items: first, next: first.length + 1 });
      for (const step of all) await run(step);
    }),
    { numRuns: 40 },
  );
}, 60_000);

/** Runs each step on a sandbox and on a model of it, and compares the two. */
function createRun(prefix: string, initial: Model) {
  let model = structuredClone(initial);
  const saved = new Map<string, Model>();
  const admin = (path: string, method = 'GET', body?: unknown) =>
    call(`${prefix}/__admin/${path}`, { method, ...(body !== undefined && { body }) });
  const find = (wanted: number) => model.items.findIndex((item) => item.id === wanted);
  const toPet = (wanted: number, { name, categoryId, status }: Partial<Pet>) =>
    ({ id: wanted, name, categoryId, ...(status && { status }) }) as Pet;

  const act = async (step: Step): Promise<[status: number, expected: number]> => {
    if (step.act === 'create by the API' || (step.act === 'create' && step.id === null)) {
      const path = step.act === 'create' ? '__admin/data/pets' : 'v1/pets';
      const { status } = await call(`${prefix}/${path}`, { method: 'POST', body: step.fields });
      model.items.push(toPet(model.next++, step.fields));
      return [status, 201];
    }
    if (step.act === 'create') {
      const own = step.id as number;
      const { status } = await admin('data/pets', 'POST', { ...step.fields, id: own });
      if (find(own) !== -1) return [status, 409];
      model.items.push(toPet(own, step.fields));
      model.next = Math.max(model.next, own + 1);
      return [status, 201];
    }
    if (step.act === 'put') {
      const { status } = await admin(`data/pets/${step.id}`, 'PUT', step.fields);
      const at = find(step.id);
      model.items.splice(at === -1 ? model.items.length : at, 1, toPet(step.id, step.fields));
      model.next = Math.max(model.next, step.id + 1);
      return [status, at === -1 ? 201 : 200];
    }
    if (step.act === 'patch') {
      const { status } = await admin(`data/pets/${step.id}`, 'PATCH', step.patch);
      const at = find(step.id);
      if (at === -1) return [status, 404];
      if (step.patch.name === null || (step.patch.id ?? step.id) !== step.id) return [status, 400];
      const { status: given, name } = step.patch;
      const before = model.items[at] as Pet;
      const after = given === undefined ? before.status : (given ?? undefined);
      model.items[at] = toPet(step.id, {
        name: name ?? before.name,
        categoryId: before.categoryId,
        ...(after !== undefined && { status: after }),
      });
      return [status, 200];
    }
    if (step.act === 'delete') {
      const { status } = await admin(`data/pets/${step.id}`, 'DELETE');
      const at = find(step.id);
      if (at === -1) return [status, 404];
      model.items.splice(at, 1);
      return [status, 204];
    }
    if (step.act === 'delete all') {
      const query = step.status === null ? '' : `?status=${step.status}`;
      const { status, json } = await admin(`data/pets${query}`, 'DELETE');
      const left = model.items.filter(
        (item) => step.status !== null && item.status !== step.status,
      );
      expect(json.removed).toBe(model.items.length - left.length);
      model.items = left;
      return [status, 200];
    }
    if (step.act === 'reset') {
      model = structuredClone(initial);
      return [(await admin('reset', 'POST')).status, 200];
    }
    const isNew = !saved.has(step.name);
    if (step.act === 'save') {
      saved.set(step.name, structuredClone(model));
      return [(await admin(`snapshots/${step.name}`, 'PUT')).status, isNew ? 201 : 200];
    }
    if (step.act === 'restore') {
      model = structuredClone(saved.get(step.name) ?? model);
      const { status } = await admin(`snapshots/${step.name}/restore`, 'POST');
      return [status, isNew ? 404 : 200];
    }
    const { text, status } = await admin(`snapshots/${step.name}`);
    if (isNew) return [status, 404];
    return [(await admin(`snapshots/${step.name}`, 'PUT', text)).status, 200];
  };

  return async (step: Step) => {
    const [status, expected] = await act(step);
    expect(status, step.act).toBe(expected);
    const { items, next } = model;
    expect((await admin('data/pets')).json).toEqual({ items, meta: { total: items.length } });
    expect((await call(`${prefix}/v1/pets?limit=100&status=sold`)).json).toEqual(
      items.filter((item) => item.status === 'sold'),
    );
    const stored = await twin.app.sandboxes.get(prefix.split('/')[2] as string).store.save();
    expect(stored.pets?.next).toBe(next);
  };
}
