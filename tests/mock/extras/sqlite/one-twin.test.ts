import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runMock, serveMock } from '../../../support/run-mock.ts';
import { makeFolder } from '../../../support/watching.ts';
import { withJson } from '../../../support/with-json.ts';

it('refuses a second twin in one line, and closes its file when it is stopped', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'twin.db');
  const args = ['--disable-banner', '--store', `sqlite:${file}`];
  const { child, stdout } = await serveMock(args);
  const create = await fetch(
    `${stdout.trim()}/pets`,
    withJson('POST', { name: 'Rex', categoryId: 1 }, { Authorization: 'Bearer demo-free' }),
  );
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
  const found = await fetch(`${again.stdout.trim()}/pets/121`, {
    headers: { Authorization: 'Bearer demo-free' },
  });
  expect(await found.text()).toBe('{"id":121,"name":"Rex","categoryId":1}');
  const missing = join(folder, 'none');
  expect(await runMock(['--store', `sqlite:${join(missing, 'a.db')}`])).toEqual({
    code: 2,
    stdout: '',
    stderr: `petstore-twin: --store: the folder ${missing} does not exist. Create it, or choose another file.\n`,
  });
});
