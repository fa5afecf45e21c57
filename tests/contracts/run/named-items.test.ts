import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { foundIn, resultOf, verifyWrites } from '../../support/verify-writes.ts';

const lines = (made: string) => `
  Setting: { name!, value!, note }
  list: GET /settings -> [Setting]
  read: GET /settings/{name:text} -> Setting, 404
  put: PUT /settings/{name:text} {value!, note}! -> Setting, ${made}400
  remove: DELETE /settings/{name:text} -> 204, 404`;

type Habits = {
  /** The responses to a PUT besides, as the document describes them. */
  made?: string;
  /** Whether a read shows what nobody has made. */
  showsAny?: boolean;
  isDeleted?: boolean;
  isReplaced?: boolean;
};

/** Verifies settings that a PUT makes by their names, and tells what became of those of others. */
async function verifySettings({
  made = '201 Setting, ',
  showsAny = false,
  isDeleted = true,
  isReplaced = true,
}: Habits) {
  const stored = new Map<string, object>([['theme', { value: 'dark', note: 'ours' }]]);
  const puts: string[] = [];
  const url = await startServer(({ method, segments: [, name], sent }) => {
    const show = (one: string) => ({ name: one, ...stored.get(one) });
    if (name === undefined) return { status: 200, body: [...stored.keys()].map(show) };
    if (method === 'PUT') {
      const isNew = !stored.has(name);
      puts.push(name);
      if (typeof sent?.value !== 'string') return { status: 400 };
      if (isNew || isReplaced) stored.set(name, sent);
      return { status: isNew ? 201 : 200, body: show(name) };
    }
    if (!stored.has(name) && showsAny) return { status: 200, body: { name, value: '' } };
    if (!stored.has(name)) return { status: 404 };
    if (method === 'GET') return { status: 200, body: show(name) };
    if (isDeleted) stored.delete(name);
    return { status: 204 };
  });
  const report = await verifyWrites(url, documentOf(lines(made)), { skip: ['described-status'] });
  const found = foundIn(report).filter(([, verdict]) => verdict === 'drift');
  const [others, ...left] = stored.values();
  expect(others).toEqual({ value: 'dark', note: 'ours' });
  expect(report.residue).toHaveLength(left.length);
  const verdicts = ['replaced', 'deleted'].map((id) => resultOf(report, id)?.verdict);
  return { found: found.map(([, , message]) => message), verdicts, puts: new Set(puts).size };
}

it('makes, replaces and deletes what a PUT makes by a new name', async () => {
  const { found, verdicts, puts } = await verifySettings({});
  expect([found, verdicts, puts]).toEqual([[], ['kept', 'kept'], 1]);
});

it.each<[Habits, string]>([
  [{ isDeleted: false }, 'read answers 200 for an item that remove deleted'],
  [{ isReplaced: false }, 'put answers 200, but "value" is as it was'],
])('finds what is wrong with such items: %j', async (habits, message) => {
  expect((await verifySettings(habits)).found).toEqual([message]);
});

it.each<Habits>([{ made: '' }, { showsAny: true }])('makes nothing by name: %j', async (habits) => {
  expect((await verifySettings(habits)).puts).toBe(0);
});
