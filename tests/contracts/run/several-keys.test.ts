import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { foundIn, keptBy, verifyWrites } from '../../support/verify-writes.ts';

const flags = documentOf(
  `
  list: GET /flags -> [Flag]
  add: POST /flags Flag! -> 201 Flag, 400, 409
  read: GET /flags/{project:text}/{key:text} -> Flag, 404
  remove: DELETE /flags/{project:text}/{key:text} -> 204, 404
  `,
  { Flag: '{ project!, key!, title! }' },
);

type Flag = Record<'project' | 'key' | 'title', string>;

/** Verifies flags that a project and a key name together; the list may show one twice. */
async function verifyFlags({ isTwice = false } = {}) {
  const stored = new Map<string, Flag>();
  const add = (flag: Flag) => stored.set(`${flag.project}/${flag.key}`, flag);
  for (const project of ['shop', 'site']) add({ project, key: 'dark', title: `Dark ${project}` });
  const url = await startServer(({ method, segments: [, ...names], sent }) => {
    const id = names.map(decodeURIComponent).join('/');
    if (method === 'POST') {
      const { project, key, title } = sent ?? {};
      const isValid = [project, key, title].every((one) => typeof one === 'string' && one !== '');
      if (!isValid) return { status: 400 };
      if (stored.has(`${project}/${key}`)) return { status: 409 };
      add({ project, key, title } as Flag);
      return { status: 201, body: { project, key, title } };
    }
    const all = [...stored.values()];
    if (id === '') return { status: 200, body: isTwice ? [...all, ...all.slice(0, 1)] : all };
    if (!stored.has(id)) return { status: 404 };
    if (method !== 'DELETE') return { status: 200, body: stored.get(id) };
    stored.delete(id);
    return { status: 204 };
  });
  const report = await verifyWrites(url, flags, { skip: ['described-status'] });
  return { report, left: [...stored.keys()] };
}

it('takes items of one key and two projects for two, and deletes all that it made', async () => {
  const { report, left } = await verifyFlags();
  expect(foundIn(report).filter(([, verdict]) => verdict === 'drift')).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining(['unique-ids', 'listed-when-created']));
  expect([left, report.residue]).toEqual([['shop/dark', 'site/dark'], []]);
});

it('finds an item of two keys that a list shows twice', async () => {
  const { report } = await verifyFlags({ isTwice: true });
  expect(foundIn(report)).toContainEqual(['unique-ids', 'drift', 'list lists the same item twice']);
});
