import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bearer, openTestTwin, projectFile, type TestTwin } from '../../support/twin.ts';
import { editFile, makeFolder } from '../../support/watching.ts';

async function orders({ api }: TestTwin): Promise<unknown[]> {
  const response = await fetch(`${api}/store/orders`, { headers: bearer('demo-free') });
  return (await response.json()) as unknown[];
}

it('holds changes of data in a file, goes back to the data, and takes no other', async () => {
  const folder = await makeFolder();
  const data = join(folder, 'data.yaml');
  await copyFile(projectFile('examples/data.yaml'), data);
  const open = (settings = {}) =>
    openTestTwin({ data, store: `sqlite:${join(folder, 'twin.db')}`, ...settings });
  const change = ({ origin }: TestTwin, path: string, method: string, body?: string) =>
    fetch(`${origin}/__admin/${path}`, {
      method,
      ...(body && { body, headers: { 'Content-Type': 'application/json' } }),
    });
  const first = await open();
  const begun = await orders(first);
  await change(first, 'data/store%2Forders', 'POST', '{"note":"new"}');
  await change(first, 'data/store%2Forders/1', 'DELETE');
  await change(first, 'sandboxes/generated', 'PUT', '{"pets":5}');
  await first.close();
  await editFile(data, (text) => `${text}# a comment\n`);
  const second = await open();
  try {
    expect(await orders(second)).toEqual([begun[1], { id: 3, note: 'new' }]);
    const { items } = (await (await change(second, 'sandboxes/generated', 'GET')).json()) as {
      items: object;
    };
    expect(items).toMatchObject({ pets: 5 });
    await change(second, 'reset', 'POST');
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
