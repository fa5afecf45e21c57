import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findFreePort } from '../../../support/free-port.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplicas } from '../../../support/replicas.ts';
import { runMock, serveMock } from '../../../support/run-mock.ts';
import { forLocalhost } from '../../../support/tls.ts';
import { projectFile } from '../../../support/twin.ts';

const headers = { Authorization: 'Bearer demo-free', 'Content-Type': 'application/json' };

/** The address of a twin that runs as a process of its own. */
async function startProcess(store: string) {
  const { stdout, child } = await serveMock(['--store', store, '--disable-banner']);
  const [origin = ''] = /http:\/\/[^/\s]+/.exec(stdout) ?? [];
  return { origin, child };
}

describeWithRedis('replicas as processes', () => {
  it('share a quota to the call, and go on where one is killed', async () => {
    const server = await startRedis();
    const processes = await Promise.all([1, 2, 3].map(() => startProcess(server.url)));
    const [first] = processes;
    const clock = { action: 'freeze', instant: '2030-01-01T10:00:00Z' };
    const body = JSON.stringify(clock);
    await fetch(`${first?.origin}/__admin/clock`, { method: 'PUT', headers, body });
    const answers = await Promise.all(
      Array.from({ length: 150 }, async (_, at) => {
        const response = await fetch(`${processes[at % 3]?.origin}/v1/pets`, { headers });
        await response.text();
        return response.status;
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(60);
    first?.child.kill('SIGKILL');
    const made = await fetch(`${processes[1]?.origin}/v1/pets`, {
      method: 'POST',
      headers: { ...headers, Authorization: 'Bearer demo-pro' },
      body: '{"name":"Rex","categoryId":1}',
    });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: number };
    const found = await fetch(`${processes[2]?.origin}/v1/pets/${id}`, {
      headers: { Authorization: 'Bearer demo-pro' },
    });
    expect(found.status).toBe(200);
  });

  it('say in one line that the store cannot be reached, without the password', async () => {
    const { code, stdout, stderr } = await runMock([
      '--store',
      'redis://qa:hunter2@127.0.0.1:1/0',
      '--port',
      '0',
    ]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('redis://127.0.0.1:1/0 cannot be reached (ECONNREFUSED)');
    expect(stderr).not.toContain('hunter2');
  });

  it('say in one line how to install the client where it is missing', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (name !== '@redis/client') return next(name, context);
        throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
      } });`;
    const { code, stderr } = await runMock(['--store', 'redis://127.0.0.1/0'], {
      nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
    });
    expect(code).toBe(2);
    expect(stderr.trim()).toBe(
      'petstore-twin: A store in Redis needs the package @redis/client. Install it with: npm install @redis/client',
    );
  });

  it('need no more rights than the docs name', async () => {
    const server = await startRedis();
    const docs = readFileSync(projectFile('docs/stores.md'), 'utf8');
    const [, rights = ''] = /ACL SETUSER twin on >PASSWORD (.*?)`/.exec(docs) ?? [];
    server.command('ACL', 'SETUSER', 'twin', 'on', '>hunter2', ...rights.split(' '));
    const store = `redis://twin:hunter2@127.0.0.1:${server.port}/0`;
    const [one, two] = (await startReplicas(2, { store })) as [Replica, Replica];
    await one.create('Rex', 'qa');
    await two.admin('POST', 'faults', { every: 100, status: 500 }, 'qa');
    await one.admin('PUT', 'snapshots/a', undefined, 'qa');
    await two.create('Rex', 'qa');
    expect((await one.admin('POST', 'snapshots/a/restore', undefined, 'qa')).status).toBe(200);
    expect((await two.admin('POST', 'reset', undefined, 'qa')).status).toBe(200);
    expect((await one.admin('DELETE', 'sandboxes/qa')).status).toBe(204);
    expect((await one.admin('GET', 'requests')).status).toBe(200);
    expect((await two.admin('GET', 'health')).status).toBe(200);
  });

  it('speak TLS to a server whose authority Node knows', async () => {
    const port = await findFreePort();
    await startRedis([
      ...['--tls-port', String(port), '--tls-auth-clients', 'no'],
      ...['--tls-cert-file', forLocalhost.tlsCert, '--tls-key-file', forLocalhost.tlsKey],
    ]);
    const store = `rediss://localhost:${port}/0`;
    const refused = await runMock(['--store', store]);
    expect(refused.stderr.trim()).toBe(
      `petstore-twin: The store at ${store} has a certificate that is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT); NODE_EXTRA_CA_CERTS can name a file with its authority.`,
    );
    const { stdout } = await serveMock(['--store', store, '--disable-banner'], {
      env: { NODE_EXTRA_CA_CERTS: forLocalhost.tlsCert },
    });
    expect(stdout).toContain('http://');
  });

  it('show their store in the banner, without its password', async () => {
    const server = await startRedis(['--requirepass', 'hunter2']);
    const { stdout } = await serveMock(['--store', `redis://:hunter2@127.0.0.1:${server.port}/0`]);
    expect(stdout).toContain(`127.0.0.1:${server.port}`);
    expect(stdout).not.toContain('hunter2');
  });
});
