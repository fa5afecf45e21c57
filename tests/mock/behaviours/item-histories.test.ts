import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { openTestTwin, projectFile } from '../../support/twin.ts';

const spec = projectFile('tests/support/tickets.yaml');
const twin = await openTestTwin({ spec, pets: 3, rateLimits: 'off', journalEntries: 0 });
afterAll(() => twin.close());

type Ticket = { id: number; title: string; state: string; openedAt: string; contact?: object };

/** What the collection should hold: items in order, and the number of the next one. */
type Model = { items: Ticket[]; next: number };

const id = fc.integer({ min: 1, max: 9 });
const contact = fc.record({ phone: fc.constantFrom('1', '2') }, { requiredKeys: [] });
const fields = fc.record(
  {
    title: fc.constantFrom('Door', 'Ünal', ''),
    state: fc.constantFrom('open', 'closed'),
    openedAt: fc.constant('1999-12-31T00:00:00Z'),
    pin: fc.constant('1234'),
  },
  { requiredKeys: ['title', 'state', 'pin'] },
);
const patch = fc.record(
  {
    title: fc.constantFrom('Gate', '', null),
    state: fc.constantFrom('open', 'closed'),
    contact: fc.oneof(contact, fc.constant({ name: 'Ann' })),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  fc.record({ act: fc.constant('create' as const), fields }),
  fc.record({ act: fc.constant('replace' as const), id, fields }),
  fc.record({ act: fc.constant('update' as const), id, patch }),
  fc.record({ act: fc.constant('delete' as const), id }),
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let sandboxes = 0;

it('holds what a plain list would, whatever is created, replaced, updated and deleted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const run = await startRun(`${twin.origin}/sandboxes/h${++sandboxes}/desk`);
      for (const one of steps) await run(one);
      await fetch(`${twin.origin}/__admin/sandboxes/h${sandboxes}`, { method: 'DELETE' });
    }),
    { numRuns: 40 },
  );
}, 60_000);

async function startRun(api: string): Promise<(step: Step) => Promise<void>> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(api + path, {
      method,
      ...(body && {
        body: JSON.stringify(body),
        headers: {
          'Content-Type': `application/${method === 'PATCH' ? 'merge-patch+' : ''}json`,
        },
      }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const items: Ticket[] = (await call('GET', '/tickets')).json;
  const model: Model = { items, next: items.length + 1 };
  return async (one) => {
    const expected = expectAfter(model, one);
    const { status, json } =
      one.act === 'create'
        ? await call('POST', '/tickets', one.fields)
        : one.act === 'delete'
          ? await call('DELETE', `/tickets/${one.id}`)
          : one.act === 'replace'
            ? await call('PUT', `/tickets/${one.id}`, one.fields)
            : await call('PATCH', `/tickets/${one.id}`, one.patch);
    expect([one, status]).toEqual([one, expected.status]);
    if (expected.item) {
      const { item } = expected;
      // Dates and tokens are the twin's own; it may not change them later.
      expect(json).toEqual({
        ...item,
        openedAt: item.openedAt || expect.any(String),
        ...(item.contact && { contact: { token: expect.any(String), ...item.contact } }),
      });
      Object.assign(item, json);
    }
    expect((await call('GET', '/tickets')).json).toEqual(model.items);
    for (const n of [1, 5, 9]) {
      const found = model.items.find((ticket) => ticket.id === n);
      expect((await call('GET', `/tickets/${n}`)).status).toBe(found ? 200 : 404);
    }
  };
}

/** Changes the model as a step should change the twin, and gives what should be answered. */
function expectAfter(model: Model, one: Step): { status: number; item?: Ticket } {
  const at = 'id' in one ? model.items.findIndex((ticket) => ticket.id === one.id) : -1;
  const before = model.items[at];
  if (one.act === 'delete') {
    if (before) model.items.splice(at, 1);
    return { status: before ? 204 : 404 };
  }
  if (one.act === 'update') {
    const { title, state, contact: changed } = one.patch;
    if (!before) return { status: 404 };
    const hasName = Object.keys(before.contact ?? {}).includes('name');
    const isNamed = changed === undefined || hasName || 'name' in changed;
    if (title === '' || title === null || !isNamed) return { status: 422 };
    if (title) before.title = title;
    if (state) before.state = state;
    if (changed) before.contact = { ...before.contact, ...changed };
    return { status: 200, item: before };
  }
  const { title, state } = one.fields;
  if (title === '') return { status: one.act === 'create' ? 422 : 400 };
  if (one.act === 'replace' && before) {
    before.title = title;
    before.state = state;
    delete before.contact;
    return { status: 200, item: before };
  }
  const item = { id: one.act === 'create' ? model.next : one.id, title, state, openedAt: '' };
  model.items.push(item);
  model.next = Math.max(model.next, item.id + 1);
  return { status: 201, item };
}
