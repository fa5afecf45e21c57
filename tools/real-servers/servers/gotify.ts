import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCall, type Item } from '../call.ts';
import { installFromGo } from '../install.ts';
import type { RealServer } from '../real-server.ts';
import { dumpSqlite } from '../sqlite.ts';
import truth from '../truth/gotify.json' with { type: 'json' };

const version = '2.9.1';
const password = 'lab-Admin-1';

const basic = (name: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** A Gotify server with SQLite, and users, applications, clients and messages of several people. */
export const gotify: RealServer = {
  name: 'gotify',
  version,
  basePath: '',
  ready: '/health',
  headers: basic('admin'),
  flags: ['--key', `basicAuth=admin:${password}`],
  settle: 500,
  install: (folder) =>
    installFromGo(folder, {
      module: `github.com/gotify/server/v2@v${version}`,
      main: '.',
      document: 'docs/spec.json',
      pages: ['ui/build/index.html', 'ui/build/manifest.json'],
    }),
  start({ installed, data, port }) {
    const env = {
      GOTIFY_SERVER_LISTENADDR: '127.0.0.1',
      GOTIFY_SERVER_PORT: String(port),
      GOTIFY_DATABASE_DIALECT: 'sqlite3',
      GOTIFY_DATABASE_CONNECTION: join(data, 'gotify.db'),
      GOTIFY_DEFAULTUSER_NAME: 'admin',
      GOTIFY_DEFAULTUSER_PASS: password,
      GOTIFY_PASSSTRENGTH: '4',
      GOTIFY_UPLOADEDIMAGESDIR: join(data, 'images'),
      GOTIFY_PLUGINSDIR: join(data, 'plugins'),
    };
    return [{ command: join(installed, 'program'), args: [], env }];
  },
  async seed(call, { origin }) {
    for (const [name, admin] of Object.entries({ anna: true, dan: false, eve: false }))
      await call('POST', '/user', { name, pass: password, admin });
    for (const name of ['admin', 'anna', 'dan']) {
      const own = createCall(origin, basic(name));
      for (const device of ['Phone', 'Browser'])
        await own('POST', '/client', { name: `${device} of ${name}` });
      for (const [source, defaultPriority] of Object.entries({ Backup: 5, Monitoring: 8 })) {
        const { token } = await own<{ token: string }>('POST', '/application', {
          name: `${source} of ${name}`,
          description: `Tells ${name} of the ${source.toLowerCase()}`,
          defaultPriority,
        });
        const send = createCall(origin, { 'x-gotify-key': token });
        for (let number = 1; number <= 4; number += 1)
          await send('POST', '/message', { title: source, message: `Message ${number}` });
      }
    }
  },
  dump: async (_, { data }) =>
    dumpSqlite(join(data, 'gotify.db'), [], ['clients.last_used', 'applications.last_used']),
  document: async (_, { installed }) => readFileSync(join(installed, 'document'), 'utf8'),
  async use(call) {
    for (let number = 1; number <= 4; number += 1) {
      for (const path of ['/application', '/client']) {
        const { id } = await call('POST', path, { name: `Of client ${number}` });
        await call('PUT', `${path}/${id}`, { name: `Changed ${number}` });
        await call('GET', path);
        if (number < 4) await call('DELETE', `${path}/${id}`);
      }
      const person = { name: `client-${number}`, admin: false };
      const { id } = await call('POST', '/user', { ...person, pass: password });
      await call('GET', `/user/${id}`);
      if (number < 4) await call('DELETE', `/user/${id}`);
    }
    for (const path of ['/message', '/plugin', '/current/user', '/health', '/version'])
      await call('GET', path);
  },
  isSideEffect: () => false,
  shape: {
    idOf: (body) => (body as Item).id,
    required: 'name',
    deleted: 200,
    refuses: true,
    describes404: /\/(user|application|plugin)\/\d/,
  },
  truth: truth as RealServer['truth'],
};
