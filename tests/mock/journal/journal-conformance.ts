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
type Model = { last: number; journals: Record<string, { entries: PlainEntry[]; dropped: number }> };

const beginPlain = (): Model['journals'][string] => ({ entries: [], dropped: 0 });

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
      held.shift();
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
  const journal = used.journal;
  if (todo.act === 'clear') await journal.clear();
  else if (todo.act === 'reset') await used.change(() => used.reset());
  else if (todo.act === 'record') {
    const exchange = new Exchange(journals.nextId(), todo.sandbox, Date.now(), 0);
    Object.assign(exchange, { method: 'GET', target: '/v1/pets', status: todo.status });
    journal.record(exchange);
    await journal.refresh?.();
  }
}

/** Returns what a journal shows, read in parts of two from each id on. */
function viewOf(journal: Journal, ids: readonly number[]) {
  return {
    ids: journal.ids(),
    newest: journal.ids({ limit: 2 }),
    missing: journal.ids({ status: 404 }),
    count: journal.count(),
    latest: journal.get('latest')?.id,
    entries: ids.map((id) => journal.get(id)?.status),
    parts: ids.map((after) => journal.read(after, {}, 2, ({ id }) => id)),
    retained: { length: journal.retained.size, dropped: journal.retained.dropped },
  };
}

function viewOfPlain(
  { journals }: Model,
  { name, ids }: { name: string; ids: readonly number[] },
): ReturnType<typeof viewOf> {
  const { entries: held, dropped } = journals[name] ?? beginPlain();
  const newestFirst = held.map(({ id }) => id).toReversed();
  const partAfter = (after: number) =>
    held
      .filter(({ id }) => id > after)
      .slice(0, 2)
      .map(({ id }) => id);
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
                const journal = sandboxes.get(name).journal;
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
}
