import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Item } from '../call.ts';
import { run } from '../processes.ts';
import type { RealServer } from '../real-server.ts';
import { dumpSqlite } from '../sqlite.ts';
import truth from '../truth/directus.json' with { type: 'json' };

const version = '11.17.4';
const token = 'lab-token-1';

/** Gives the `data` of answers, in which Directus wraps all that it gives. */
const unwrapped = (call: Call) => async (method: string, path: string, body?: unknown) =>
  (await call<{ data: Item } | undefined>(method, path, body))?.data as Item;

const ownColumns = ['directus_users.last_access', 'directus_users.last_page'];

/** Directus with SQLite, collections of its own, users of several roles, and flows. */
export const directus: RealServer = {
  name: 'directus',
  version,
  onDemand: true,
  basePath: '',
  ready: '/server/ping',
  headers: { authorization: `Bearer ${token}` },
  flags: ['--key', `Auth=Bearer ${token}`],
  settle: 2000,
  async install(folder) {
    const log = join(folder, 'install.log');
    // This isolated-vm brings its binaries, and sqlite3 is compiled: others fetch theirs from GitHub.
    const dependencies = { directus: version, sqlite3: '5.1.7' };
    const project = { private: true, dependencies, overrides: { 'isolated-vm': '6.2.0' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
    const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
    await run({ command: 'npm', args: ['install', ...flags] }, log, folder);
    const env = {
      npm_config_build_from_source: 'true',
      ...(existsSync('/usr/include/node') && { npm_config_nodedir: '/usr' }),
    };
    await run({ command: 'npm', args: ['rebuild', 'sqlite3'], env }, log, folder);
  },
  start({ installed, data, port, origin }) {
    for (const folder of ['uploads', 'extensions', 'templates']) mkdirSync(join(data, folder));
    writeFileSync(join(data, 'package.json'), '{}');
    const env = {
      NODE_ENV: 'production',
      HOME: data,
      CONFIG_PATH: join(data, 'none.env'),
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: origin,
      DB_CLIENT: 'sqlite3',
      DB_FILENAME: join(data, 'data.db'),
      STORAGE_LOCATIONS: 'local',
      STORAGE_LOCAL_DRIVER: 'local',
      STORAGE_LOCAL_ROOT: join(data, 'uploads'),
      EXTENSIONS_PATH: join(data, 'extensions'),
      EMAIL_TEMPLATES_PATH: join(data, 'templates'),
      TEMP_PATH: data,
      KEY: '6c2f6c9e-5a3e-4d0c-9a3c-0d7b1f1d2a11',
      SECRET: 'lab-secret-lab-secret-lab-secret',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'lab-Admin-1',
      ADMIN_TOKEN: token,
      TELEMETRY: 'false',
      MARKETPLACE_REGISTRY: 'http://127.0.0.1:9',
      EMAIL_VERIFY_SETUP: 'false',
      EMAIL_TRANSPORT: 'smtp',
      EMAIL_SMTP_HOST: '127.0.0.1',
      EMAIL_SMTP_PORT: '9',
      CACHE_ENABLED: 'false',
      RATE_LIMITER_ENABLED: 'false',
      WEBSOCKETS_ENABLED: 'false',
      SERVE_APP: 'false',
      LOG_LEVEL: 'warn',
    };
    // The command of the package directus asks the registry for updates first; this one does not.
    const file = join(installed, 'node_modules/@directus/api/dist/cli/run.js');
    return ['bootstrap', 'start'].map((step) => ({
      command: process.execPath,
      args: ['--no-node-snapshot', file, step],
      env,
    }));
  },
  async seed(rawCall) {
    const call = unwrapped(rawCall);
    const post = (path: string, body: unknown) => call('POST', path, body);
    const schema = { is_primary_key: true, has_auto_increment: true };
    const id = { field: 'id', type: 'integer', meta: { readonly: true }, schema };
    const field = (name: string, type: string) => ({ field: name, type, schema: {}, meta: {} });
    const fields = [id, field('title', 'string'), field('body', 'text'), field('rating', 'float')];
    await post('/collections', { collection: 'articles', schema: {}, fields });
    const site = [id, field('headline', 'string')];
    await post('/collections', {
      collection: 'site',
      meta: { singleton: true },
      schema: {},
      fields: site,
    });
    for (let number = 1; number <= 12; number += 1)
      await post('/items/articles', {
        title: `Article ${number}`,
        body: 'Text',
        rating: number / 2,
      });
    await call('PATCH', '/items/site', { headline: 'The Shop' });
    const folder = await post('/folders', { name: 'Invoices' });
    for (const name of ['invoice-1.txt', 'invoice-2.txt']) {
      const form = new FormData();
      form.append('title', name);
      form.append('folder', folder.id);
      form.append('file', new Blob(['Total: 11 EUR\n'], { type: 'text/plain' }), name);
      await post('/files', form);
    }
    const role = await post('/roles', { name: 'Editor' });
    const policy = await post('/policies', { name: 'Editors', roles: [{ role: role.id }] });
    await post('/permissions', { policy: policy.id, collection: 'articles', action: 'read' });
    for (const [name, status] of [
      ['anna', 'active'],
      ['dan', 'suspended'],
      ['eve', 'invited'],
    ])
      await post('/users', {
        first_name: name,
        email: `${name}@example.com`,
        role: role.id,
        status,
      });
    const options = { type: 'action', scope: ['items.create'], collections: ['site'] };
    const flow = await post('/flows', { name: 'Log', status: 'active', trigger: 'event', options });
    const place = { position_x: 1, position_y: 1 };
    await post('/operations', { flow: flow.id, name: 'Log', key: 'log', type: 'log', ...place });
    await post('/presets', { bookmark: 'Drafts', collection: 'articles' });
    await post('/comments', { collection: 'articles', item: '1', comment: 'Please check' });
    // Wrong passwords suspend a user after ten tries by default.
    await call('PATCH', '/settings', { auth_login_attempts: 1000 });
    await sleep(1500);
  },
  async dump(_, { data }) {
    const own = ['directus_activity', 'directus_sessions', 'directus_migrations'];
    return dumpSqlite(join(data, 'data.db'), own, ownColumns);
  },
  // The document is made from the collections, so it is that of the seeded server.
  document: async (call) => JSON.stringify(await call('GET', '/server/specs/oas')),
  async use(rawCall) {
    const call = unwrapped(rawCall);
    for (let number = 1; number <= 4; number += 1) {
      for (const [path, body, change] of [
        ['/items/articles', { title: `Client ${number}` }, { title: 'Changed' }],
        ['/folders', { name: `Client ${number}` }, { name: `Changed ${number}` }],
      ] as const) {
        const { id } = await call('POST', path, body);
        await call('PATCH', `${path}/${id}`, change);
        await call('GET', `${path}/${id}`);
        if (number < 4) await call('DELETE', `${path}/${id}`);
      }
    }
    for (const kind of ['users', 'roles', 'files', 'flows', 'presets'])
      await call('GET', `/${kind}`);
  },
  // Each change of an item is a revision more.
  isSideEffect: (kind) => kind === 'directus_revisions',
  shape: {
    idOf: (body) => (body as { data?: Item }).data?.id,
    deleted: 204,
    updated: 200,
    refuses: false,
  },
  truth: truth as RealServer['truth'],
};
