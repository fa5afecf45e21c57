import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSend } from '../../../support/create-send.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { runMock, serveMock } from '../../../support/run-mock.ts';
import { bearer } from '../../../support/twin.ts';

it('refuses a second twin in one line, and closes its file when it is stopped', async () => {
  const folder = makeFolder();
  const file = join(folder, 'twin.db');
  const args = ['--disable-banner', '--store', `sqlite:${file}`];
  const { child, stdout } = await serveMock(args);
  const send = createSend(stdout.trim(), bearer('demo-free'));
  const create = await send('POST', '/pets', { name: 'Rex', categoryId: 1 });
  expect(create.status).toBe(201);
  expect(existsSync(`${file}-wal`)).toBe(true);
  expect(await runMock(['--port', '0', ...args])).toEqual({
    code: 2,
    stdout: '',
    stderr: `petstore-twin: --store: ${file} is in use, probably by another mock. Stop that one, or choose another file.\n`,
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(`${file}-wal`)).toBe(false);
  const again = await serveMock(args);
  const found = await createSend(again.stdout.trim(), bearer('demo-free'))('GET', '/pets/121');
  expect(found.text).toBe('{"id":121,"name":"Rex","categoryId":1}');
  const missing = join(folder, 'none');
  expect(await runMock(['--store', `sqlite:${join(missing, 'a.db')}`])).toEqual({
    code: 2,
    stdout: '',
    stderr: `petstore-twin: --store: the folder ${missing} does not exist. Create it, or choose another file.\n`,
  });
});
