import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTwins } from '../../../package/twin.ts';
import { findFreePort } from '../../support/free-port.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { connectStdio } from '../../support/mcp-client.ts';
import { bearer, projectFile, startTwin } from '../../support/twin.ts';

const run = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const command = [projectFile('package/bin.ts'), 'mcp', ...args];
    const child = execFile(process.execPath, command, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end();
  });

it('starts a mock on a free port, says where, and ends with its input', async () => {
  let said = '';
  const { ask, client } = await connectStdio(['--items', '3'], (text) => (said += text));
  const [, url = ''] = /at (http:\S+)/.exec(await ask('describe_api')) ?? [];
  expect(said).toBe(`petstore-twin mcp: speaks for ${new URL(url).origin}\n`);
  const list = () => fetch(`${url}/pets`, { headers: bearer('demo-free') });
  expect(await (await list()).json()).toHaveLength(3);
  expect(await ask('why', { all: true })).toContain('200: listPets listed stored items');
  await client.close();
  await expect(list()).rejects.toThrow();
});

it('keeps standard output for messages, whatever behaviours print', async () => {
  const file = join(makeFolder(), 'behaviours.mjs');
  writeFileSync(
    file,
    "console.log('loaded');\nexport default { listPets: ({ next }) => { console.log('called'); return next(); } };\n",
  );
  let said = '';
  const { ask } = await connectStdio(['--behaviours', file], (text) => (said += text));
  expect(await ask('call_operation', { operation: 'listPets' })).toContain('Status: 200');
  expect(said).toContain('loaded\n');
  expect(said).toContain('called\n');
});

it('speaks for a mock that runs, and for a sandbox of it', async () => {
  const { origin } = await startTwin({ adminToken: 's3cret' });
  const token = ['--admin-token', 's3cret'];
  const { ask } = await connectStdio(['--url', `${origin}/v1`, ...token]);
  const created = { operation: 'createPet', body: { name: 'Rex', categoryId: 1 } };
  expect(await ask('call_operation', created)).toContain('Reason: 201: createPet stored');
  expect(await ask('data', { action: 'list', collection: 'pets' })).toContain('121 items');
  expect(await ask('describe_api', { operation: 'getPet' })).toContain('Example: call_operation');
  const other = await connectStdio([`--url=${origin}/sandboxes/ci`, ...token]);
  expect(await other.ask('describe_api')).toContain(`at ${origin}/sandboxes/ci/v1`);
  const nobody = await connectStdio(['--url', `http://127.0.0.1:${await findFreePort()}`]);
  expect(await nobody.refused('describe_api')).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+ cannot be called: connect ECONNREFUSED/,
  );
});

it('speaks for one of several APIs of a mock that runs', async () => {
  const apis = { users: projectFile('examples/many/users.yaml') };
  await using twins = await createTwins({ apis });
  for (const place of ['/users', '/users/sandboxes/ci']) {
    const root = twins.origin + place;
    const { ask } = await connectStdio(['--url', `${root}/v1`]);
    expect(await ask('describe_api')).toContain(`Users 1.0 at ${root}/v1\n`);
  }
  const { refused } = await connectStdio(['--url', twins.origin]);
  expect(await refused('describe_api')).toContain(`below its name, as in ${twins.origin}/NAME.`);
});

it('ends without a word where its client is gone', async () => {
  const child = spawn(process.execPath, [projectFile('package/bin.ts'), 'mcp']);
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit');
  child.stdout.destroy();
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  expect(await ended).toEqual([0, null]);
  expect(said).toMatch(/^petstore-twin mcp: speaks for \S+\n$/);
});

it('shows its help, and refuses what it cannot use', async () => {
  const help = await run('--help');
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toContain('petstore-twin mcp --url URL');
  expect(await run('--url', 'here')).toEqual({
    code: 2,
    out: '',
    err: 'petstore-twin mcp: --url must be a URL such as http://127.0.0.1:4010, but is "here".\n',
  });
  expect((await run('--url', 'http://127.0.0.1:9', '--spec', 'a.yaml')).err).toContain("'--spec'");
  expect((await run('--spec', 'none.yaml')).err).toContain('none.yaml');
  expect(await run('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d/) });
});
