import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findFreePort } from '../../../support/free-port.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplicas } from '../../../support/replicas.ts';
import { runMock, serveMock } from '../../../support/run-mock.ts';
import { forLocalhost } from '../../../support/tls.ts';
import { projectFile } from '../../../support/twin.ts';

describeWithRedis('replicas as processes', () => {
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
});
