import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Exchange } from '../../../mock/journal/exchange.ts';
import type { Journal } from '../../../mock/journal/journal.ts';
import { openProcess, type Process, type TestStore } from '../sandboxes/open-process.ts';

const entries = 4;

type Action =
  | { act: 'record'; sandbox: string; status: number; process: number }
  | { act: 'clear' | 'reset' | 'delete'; sandbox: string; process: number };

const sandbox = fc.constantFrom('default', 'default', 'a');
const process = fc.nat({ max: 7 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('record' as const),
      sandbox,
      status: fc.constantFrom(200, 404),
      process,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('clear' as const, 'reset' as const, 'delete' as const),
      sandbox,
      process,
    }),
  },
);

type PlainEntry = { id: number; status: number };

/** The journals of a twin as plain lists, and the last id that was given. */
type Model = {
  last: number;
  journals: Record<string, { entries: PlainEntry[]; dropped: number; lastDropped: number }>;
};

const beginPlain = (): Model['journals'][string] => ({ entries: [], dropped: 0, lastDropped: 0 });

function performPlain(model: Model, todo: Action): void {
  if (todo.act === 'delete' && todo.sandbox === 'default') return;
  const journal = todo.act === 'record' ? model.journals[todo.sandbox] : undefined;
  if (todo.act !== 'record') model.journals[todo.sandbox] = beginPlain();
  else {
    const { entries: held } = journal ?? (model.journals[todo.sandbox] = beginPlain());
    held.push({ id: (model.last += 1), status: todo.status });
    const changed = model.journals[todo.sandbox] as Model['journals'][string];
    if (held.length > entries) {
      changed.dropped += 1;
      changed.lastDropped = (held.shift() as PlainEntry).id;
    }
  }
}

async function perform({ sandboxes, journals }: Process, todo: Action): Promise<void> {
  if (todo.act === 'delete') {
    if (todo.sandbox !== 'default') await sandboxes.delete(todo.sandbox);
    return;
  }
  const used = sandboxes.get(todo.sandbox);
  await used.refresh?.();
  const journal = used.journal();
  if (todo.act === 'clear') await journal.clear();
  else if (todo.act === 'reset') await used.change(() => used.reset());
  else if (todo.act === 'record') {
    const exchange = new Exchange(journals.nextId(), todo.sandbox, Date.now(), 0);
    Object.assign(exchange, { method: 'GET', target: '/v1/pets', status: todo.status });
    journal.record(exchange);
    await journal.refresh?.();
  }
}

/** What a journal shows, read in parts of two from each id on. */
function viewOf(journal: Journal, ids: readonly number[]) {
  return {
    ids: journal.ids(),
    newest: journal.ids({ limit: 2 }),
    missing: journal.ids({ status: 404 }),
    count: journal.count(),
    latest: journal.get('latest')?.id,
    entries: ids.map((id) => journal.get(id)?.status),
    parts: ids.map((after) => journal.read(after, {}, 2, ({ id }) => id)),
    retained: { length: journal.retained.length, dropped: journal.retained.dropped },
    newestId: journal.newestId(),
  };
}

function viewOfPlain(
  { last, journals }: Model,
  { name, ids }: { name: string; ids: readonly number[] },
): ReturnType<typeof viewOf> {
  const { entries: held, dropped, lastDropped } = journals[name] ?? beginPlain();
  const newestFirst = held.map(({ id }) => id).toReversed();
  const partAfter = (after: number) => {
    const found = held.filter(({ id }) => id > after).slice(0, 2);
    return {
      entries: found.map(({ id }) => id),
      last: Math.max(found.at(-1)?.id ?? after, lastDropped),
      missed: after < lastDropped,
    };
  };
  return {
    ids: newestFirst,
    newest: newestFirst.slice(0, 2),
    missing: held
      .filter(({ status }) => status === 404)
      .map(({ id }) => id)
      .toReversed(),
    count: held.length,
    latest: held.at(-1)?.id,
    entries: ids.map((id) => held.find((one) => one.id === id)?.status),
    parts: ids.map(partAfter),
    retained: { length: held.length, dropped },
    newestId: last,
  };
}

/** The tests that the journals of every backend pass: what is recorded is as in plain lists. */
export function testJournal(
  backend: string,
  createStore: () => Promise<TestStore>,
  { processes: count = 1, runs = 200 } = {},
): void {
  const openAll = (store: TestStore) =>
    Promise.all(
      Array.from({ length: count }, () => openProcess(store, { journalEntries: entries })),
    );

  it(`${backend} shows requests as plain lists of the last ones would`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40, size: 'max' }), async (actions) => {
        const store = await createStore();
        const processes = await openAll(store);
        const model: Model = { last: 0, journals: {} };
        try {
          for (const [at, todo] of actions.entries()) {
            performPlain(model, todo);
            await perform(processes[todo.process % count] as Process, todo);
            // Some processes have not looked for long.
            if (at % 5 !== 4 && at + 1 < actions.length) continue;
            const ids = Array.from({ length: model.last + 2 }, (_, index) => index);
            for (const { sandboxes } of processes)
              for (const name of ['default', 'a']) {
                const journal = sandboxes.get(name).journal();
                await journal.refresh?.();
                expect([todo, name, viewOf(journal, ids)]).toEqual([
                  todo,
                  name,
                  viewOfPlain(model, { name, ids }),
                ]);
              }
          }
        } finally {
          await Promise.all(processes.map((each) => each.close()));
          await store.remove();
        }
      }),
      { numRuns: runs },
    );
  }, 120_000);

  it(`${backend} tells who follows a journal of each request, and of its end`, async () => {
    const store = await createStore();
    const processes = await openAll(store);
    const follower = (processes.at(-1) as Process).sandboxes.get('a').journal();
    let [after, isClosed] = [0, false];
    const seen: number[] = [];
    const unsubscribe = follower.subscribe({
      onRecord() {
        const { entries: found, last } = follower.read(after, {}, 10, ({ id }) => id);
        seen.push(...found);
        after = last;
      },
      onRestart() {},
      onClose: () => (isClosed = true),
    });
    const record = { act: 'record' as const, sandbox: 'a', status: 200, process: 0 };
    for (let call = 0; call < 8; call++) {
      await perform(processes[call % count] as Process, record);
      await expect.poll(() => seen.length).toBe(call + 1);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await Promise.all(processes.map((each) => each.close()));
    expect(isClosed).toBe(true);
    unsubscribe();
    await store.remove();
  });
}
