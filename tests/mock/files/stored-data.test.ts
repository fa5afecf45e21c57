import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { bearer, openTestTwin, projectFile, type TestTwin } from '../../support/twin.ts';
import { editFile } from '../../support/watching.ts';

const orders = async ({ api }: TestTwin) =>
  (await createSend(api, bearer('demo-free'))('GET', '/store/orders')).json;

it('holds changes of data in a file, goes back to the data, and takes no other', async () => {
  const folder = makeFolder();
  const data = join(folder, 'data.yaml');
  await copyFile(projectFile('examples/data.yaml'), data);
  const open = (settings = {}) =>
    openTestTwin({ data, store: `sqlite:${join(folder, 'twin.db')}`, ...settings });
  const first = await open();
  const begun = await orders(first);
  const { send } = adminOf(first);
  await send('POST', 'data/store%2Forders', { note: 'new' });
  await send('DELETE', 'data/store%2Forders/1');
  await send('PUT', 'sandboxes/generated', { pets: 5 });
  await first.close();
  await editFile(data, (text) => `${text}# a comment\n`);
  const second = await open();
  try {
    expect(await orders(second)).toEqual([begun[1], { id: 3, note: 'new' }]);
    expect((await adminOf(second).ask('sandboxes/generated')).items).toMatchObject({ pets: 5 });
    await adminOf(second).ask('reset', 'POST');
    expect(await orders(second)).toEqual(begun);
  } finally {
    await second.close();
  }
  await editFile(data, (text) => text.replace('placed,', 'sent,'));
  await expect(open()).rejects.toThrow(
    /holds the state of a mock with other --data\. Start as that one, or discard the state with --reset-store\.$/,
  );
  const anew = await open({ resetStore: true });
  expect(await orders(anew)).toMatchObject([{ status: 'sent' }, begun[1]]);
  await anew.close();
});
