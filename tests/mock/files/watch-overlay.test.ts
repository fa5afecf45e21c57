import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startWatching, statusOf, waitForLine } from '../../support/watching.ts';

const overlay = (path: string) =>
  JSON.stringify({
    overlay: '1.0.0',
    info: { title: 'Corrections', version: '1' },
    actions: [{ target: `$.paths['${path}']`, remove: true }],
  });

it('serves a document as an overlay corrects it, and follows the overlay', async () => {
  const { twin, edit, file } = await startWatching(async (file) => {
    await writeFile(file('o.json'), overlay('/store/orders'));
    return { overlay: file('o.json') };
  });
  expect([await statusOf(twin, '/pets/1'), await statusOf(twin, '/store/orders')]).toEqual([
    200, 404,
  ]);
  const start = await (await fetch(twin.origin, { headers: { Accept: 'text/html' } })).text();
  expect(start).toContain('corrected by <code><bdi>o.json</bdi></code>');
  await edit('o.json', () => overlay('/pets/{petId}'));
  await waitForLine(twin, 'Reloaded the document.');
  expect([await statusOf(twin, '/pets/1'), await statusOf(twin, '/store/orders')]).toEqual([
    404, 200,
  ]);
  await edit('o.json', () => overlay('/nowhere'));
  await waitForLine(twin, `${file('o.json')}#/actions/0: $.paths['/nowhere'] selects nothing`);
  expect(await statusOf(twin, '/pets/1')).toBe(404);
});
