import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toEntry } from '../../../mock/journal/entry.ts';
import { type Exchange, maxBody, sizeOf, toRetainedBody } from '../../../mock/journal/exchange.ts';
import type { Filter } from '../../../mock/journal/journal.ts';
import { createJournals } from '../../../mock/journal/journals.ts';
import { noBytes, toByteText } from '../../../mock/json/exact-json.ts';
import { Budget } from '../../../mock/state/budget.ts';

/** An exchange as the twin records one. */
function toExchange(id: number, more: Partial<Exchange> = {}): Exchange {
  return {
    id,
    api: undefined,
    sandbox: 'default',
    at: id * 1000,
    clockOffset: 0,
    microseconds: 1234,
    method: 'GET',
    target: `/v1/pets?id=${id}`,
    httpVersion: '1.1',
    prefix: '',
    secure: false,
    rawHeaders: ['Host', 'localhost', 'Authorization', 'Bearer top-secret-key'],
    body: undefined,
    wholeBody: undefined,
    operation: 'listPets',
    key: 'mine',
    reason: { step: 'behaviour', kind: 'list' },
    status: 200,
    fields: ['Content-Type', 'application/json'],
    content: toByteText('{}'),
    wholeContent: undefined,
    size: 0,
    ...more,
  };
}

const idsOf = (entries: readonly { id: number }[]) => entries.map(({ id }) => id);

it('keeps within its bounds, in order and counted right, whatever is recorded, dropped and cleared', () => {
  const change = fc.oneof(
    { weight: 20, arbitrary: fc.record({ journal: fc.nat(2), body: fc.nat(3000) }) },
    { weight: 2, arbitrary: fc.record({ clear: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ close: fc.nat(2) }) },
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 3000, max: 30_000 }),
      fc.array(change, { maxLength: 60 }),
      (entries, maxBytes, changes) => {
        const journals = createJournals({ entries, budget: new Budget(maxBytes), secrets: [] });
        const opened = [0, 1, 2].map(() => journals.open());
        const recorded: Exchange[][] = [[], [], []];
        for (const one of changes) {
          if ('journal' in one) {
            const body = toByteText('x'.repeat(one.body));
            const exchange = toExchange(journals.nextId(), { body });
            recorded[one.journal]?.push(exchange);
            opened[one.journal]?.record(exchange);
          } else if ('clear' in one) {
            opened[one.clear]?.clear();
            recorded[one.clear] = [];
          } else {
            opened[one.close]?.close();
            opened[one.close] = journals.open();
            recorded[one.close] = [];
          }
          let bytes = 0;
          for (const [at, journal] of opened.entries()) {
            const all = recorded[at] ?? [];
            const retained = all.slice(all.length - journal.retained.size);
            expect(journal.retained.size).toBeLessThanOrEqual(entries);
            expect(journal.ids()).toEqual(idsOf(retained).toReversed());
            expect(journal.count()).toBe(journal.retained.size);
            expect(journal.retained.dropped).toBe(all.length - journal.retained.size);
            expect(journal.retained.bytes).toBe(
              retained.reduce((sum, one) => sum + sizeOf(one), 0),
            );
            for (const { id } of all)
              expect(journal.get(id)?.id).toBe(
                retained.some((exchange) => exchange.id === id) ? id : undefined,
              );
            expect(journal.get('latest')?.id).toBe(retained.at(-1)?.id);
            bytes += journal.retained.bytes;
          }
          expect(journals.bytes()).toBe(bytes);
          expect(bytes).toBeLessThanOrEqual(maxBytes);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('reads on from any id', () => {
  const journals = createJournals({ entries: 5, secrets: [] });
  const journal = journals.open();
  for (let id = 1; id <= 8; id++) journal.record(toExchange(id));
  const read = (after: number, filter: Filter = {}, max = 100) =>
    idsOf(journal.read(after, filter, max, toEntry));
  expect(read(0)).toEqual([4, 5, 6, 7, 8]);
  expect(read(3)).toEqual([4, 5, 6, 7, 8]);
  expect(read(5, {}, 2)).toEqual([6, 7]);
  expect(read(5, { operation: 'other' })).toEqual([]);
  expect(read(8)).toEqual([]);
  for (let id = 9; id <= 12; id++) journal.drop();
  journal.drop();
  expect(read(3)).toEqual([]);
  expect(read(100)).toEqual([]);
});

it('gives what each filter asks for, newest first', () => {
  const journal = createJournals({ entries: 10, secrets: [] }).open();
  const none = toExchange(2, { operation: undefined, reason: { step: 'routing' }, status: 404 });
  journal.record(toExchange(1));
  journal.record(none);
  journal.record({ ...none, id: 3, reason: { step: 'options' } });
  journal.record(toExchange(4, { operation: 'createPet', key: 'other' }));
  journal.record(toExchange(5, { status: undefined }));
  const unread = { method: undefined, key: undefined, status: 400 };
  journal.record(toExchange(6, { ...unread, reason: { step: 'connection' } }));
  const cases: [Filter, number[]][] = [
    [{}, [6, 5, 4, 3, 2, 1]],
    [{ isRequest: true }, [5, 4, 3, 2, 1]],
    [{ isRequest: false }, [6]],
    [{ unmatched: true }, [2]],
    [{ unmatched: false }, [6, 5, 4, 3, 1]],
    [{ operation: 'listPets' }, [6, 5, 1]],
    [{ status: 200 }, [4, 1]],
    [{ status: 404 }, [3, 2]],
    [{ key: 'other' }, [4]],
    [{ step: 'routing' }, [2]],
    [{ since: { id: 3 } }, [6, 5, 4]],
    [{ since: { instant: 4000 } }, [6, 5, 4]],
    [{ operation: 'listPets', status: 200 }, [1]],
  ];
  for (const [filter, ids] of cases) {
    expect([filter, journal.ids(filter)]).toEqual([filter, ids]);
    expect(journal.count(filter)).toBe(ids.length);
  }
  expect(journal.ids({ limit: 2 })).toEqual([6, 5]);
  expect(journal.ids({ limit: 1, operation: 'listPets' })).toEqual([6]);
});

it.each<[string, Partial<Exchange>, number]>([
  ['the target', { target: 'x'.repeat(100) }, 200],
  ['the content of the answer', { content: toByteText('x'.repeat(100)) }, 100],
  ['the headers of the request', { rawHeaders: ['X-A', '1', 'X-B', ''] }, 2 * 7 + 4 * 32],
  ['the headers of the answer', { fields: ['Allow', 'GET'] }, 2 * 8 + 2 * 32],
  ['the body', { body: toByteText('x'.repeat(100)) }, 100],
  [
    'what is wrong with a body',
    { reason: { step: 'body', problems: [] } },
    2 * '{"step":"body","problems":[]}'.length,
  ],
])('counts the memory of %s', (_, part, bytes) => {
  const nothing = toExchange(1, { target: '', content: noBytes, rawHeaders: [], fields: [] });
  expect(sizeOf({ ...nothing, ...part }) - sizeOf(nothing)).toBe(bytes);
});

it('shows the bytes of a body as they were sent, up to the maximum that is retained', () => {
  const journal = createJournals({ entries: 1, secrets: [] }).open();
  const shown = (bytes: Buffer) => {
    journal.record(toExchange(1, { body: toRetainedBody(bytes) }));
    return journal.get('latest')?.request;
  };
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => void expect(shown(Buffer.from(text))?.body ?? '').toBe(text),
    ),
  );
  expect(shown(Buffer.alloc(maxBody + 1, 'x'))?.bytes).toBe(maxBody);
});

it('tells those who listen that it is closed, at once where it is', () => {
  const journals = createJournals({ entries: 10, secrets: [] });
  const heard: string[] = [];
  const journal = journals.open();
  const stop = journal.onClose(() => heard.push('a'));
  journal.onClose(() => heard.push('b'));
  journal.record(toExchange(1));
  stop();
  journals.close();
  journal.record(toExchange(3));
  expect(heard).toEqual(['b']);
  journal.onClose(() => heard.push('late'));
  expect(heard).toEqual(['b', 'late']);
  expect(journal.retained.size).toBe(0);
});
