import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { foundIn, keptBy, verifyWrites } from '../../support/verify-writes.ts';

const flags = documentOf(
  `
  Flag: { name, title!, on: bool }
  list: GET /flags -> Flags
  add: POST /flags Flag! -> 201 Flag, 400
  read: GET /flags/{name:text} -> Flag, 404
  remove: DELETE /flags/{name:text} -> 204, 404
  `,
  {
    Flags: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Flag' } },
  },
);

/** Verifies flags that a list shows by their names, where these show them, too, or do not. */
async function verifyFlags({ showsNames = true, isListed = (name: string) => name !== '' } = {}) {
  const stored = new Map<string, object>([['dark', { title: 'Dark mode', on: false }]]);
  const reads: string[] = [];
  const url = await startServer(({ method, segments, sent }) => {
    const [, name] = segments;
    const show = (one: string) => ({ ...(showsNames && { name: one }), ...stored.get(one) });
    if (method === 'POST') {
      const { title, on = false } = sent ?? {};
      if (typeof title !== 'string' || typeof on !== 'boolean') return { status: 400 };
      const made = String(sent?.name ?? `flag-${stored.size}-${title.length}`);
      stored.set(made, { title, on });
      return { status: 201, body: { name: made, title, on } };
    }
    if (name === undefined) {
      const names = [...stored.keys()].filter(isListed);
      return { status: 200, body: Object.fromEntries(names.map((one) => [one, show(one)])) };
    }
    if (!stored.has(name)) return { status: 404 };
    if (method === 'GET') reads.push(name);
    if (method === 'GET') return { status: 200, body: show(name) };
    stored.delete(name);
    return { status: 204 };
  });
  const report = await verifyWrites(url, flags, { skip: ['described-status'] });
  return { report, reads, left: [...stored.keys()] };
}

it.each([true, false])('reads what a list shows by name, also in each item: %s', async (shows) => {
  const { report, reads, left } = await verifyFlags({ showsNames: shows });
  expect(foundIn(report).filter(([, verdict]) => verdict === 'drift')).toEqual([]);
  expect(reads).toContain('dark');
  expect(keptBy(report)).toEqual(expect.arrayContaining(['listed-when-created', 'unique-ids']));
  expect(left).toEqual(['dark']);
});

it('finds what such a list does not show', async () => {
  const { report } = await verifyFlags({ isListed: (name) => name === 'dark' });
  expect(foundIn(report)).toContainEqual([
    'listed-when-created',
    'drift',
    'a created item is missing from the list',
  ]);
});
