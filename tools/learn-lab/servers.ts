import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureInstalled, installFromPyPi } from '../real-servers/install.ts';
import { run, start, stop } from '../real-servers/processes.ts';
import type { Command, RealServer } from '../real-servers/real-server.ts';
import { directus as directusServer } from '../real-servers/servers/directus.ts';
import { gotify as gotifyServer } from '../real-servers/servers/gotify.ts';
import { directus as directusLab } from '../sdks/labs/directus.ts';
import { gitea as giteaLab } from '../sdks/labs/gitea.ts';
import { runTool } from '../sdks/run-tool.ts';
import { runChroma } from './labs/chroma.ts';
import { runGotify } from './labs/gotify.ts';
import { runKinto } from './labs/kinto.ts';
import type { StartedServer, Subject } from './subject.ts';

type Place = Parameters<Subject['start']>[0];

/** Installs a server, and starts it with the keys that it needs. */
async function startReal(
  server: Pick<RealServer, 'name' | 'version' | 'install' | 'start' | 'ready'>,
  { installs, data, port }: Place,
  env: Command['env'] = {},
): Promise<StartedServer & { installed: string }> {
  const installed = await ensureInstalled(server as RealServer, installs);
  const origin = `http://127.0.0.1:${port}`;
  const log = join(data, 'server.log');
  const commands = server.start({ installed, data, port, origin });
  const last = commands.pop();
  if (!last) throw new Error(`${server.name} has no command.`);
  const withEnv = (command: Command) => ({ ...command, env: { ...command.env, ...env } });
  for (const command of commands) await run(withEnv(command), log, data);
  const child = start(withEnv(last), log, data);
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(origin + server.ready).catch(() => undefined);
    if (response?.ok) break;
    if (child.exitCode !== null || tries === 600)
      throw new Error(`${server.name} does not start:\n${readFileSync(log, 'utf8').slice(-1000)}`);
    await sleep(200);
  }
  return { origin, key: '', installed, stop: () => stop(child) };
}

const giteaVersion = 'v1.27.3';

/** Gitea with SQLite: a program, and the folders that it reads. */
const giteaServer: Parameters<typeof startReal>[0] = {
  name: 'gitea',
  version: giteaVersion,
  ready: '/api/v1/version',
  async install(folder) {
    const env = { GOMODCACHE: join(folder, 'modules'), GOFLAGS: '-modcacherw -buildvcs=false' };
    const args = ['mod', 'download', '-json', `code.gitea.io/gitea@${giteaVersion}`];
    const { Dir: source } = JSON.parse(runTool(folder, 'go', args, env));
    const tags = ['-tags', 'sqlite sqlite_unlock_notify', '-ldflags', '-s -w'];
    const build = ['build', ...tags, '-o', join(folder, 'program'), '.'];
    await run({ command: 'go', args: build, env }, join(folder, 'install.log'), source);
    for (const name of ['options', 'templates'])
      cpSync(join(source, name), join(folder, name), { recursive: true });
  },
  start({ installed, data, port, origin }) {
    for (const name of ['options', 'templates'])
      cpSync(join(installed, name), join(data, name), { recursive: true });
    const file = join(data, 'app.ini');
    writeFileSync(
      file,
      `I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
RUN_MODE = prod
RUN_USER = ${process.env.USER ?? 'root'}
WORK_PATH = ${data}
[database]
DB_TYPE = sqlite3
PATH = ${join(data, 'gitea.db')}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${origin}/
DISABLE_SSH = true
OFFLINE_MODE = true
[security]
INSTALL_LOCK = true
SECRET_KEY = lab-secret-lab-secret
[service]
DISABLE_REGISTRATION = true
[repository]
ROOT = ${join(data, 'repos')}
`,
    );
    const command = join(installed, 'program');
    const user = ['--admin', '--username', 'lab', '--password', giteaPassword];
    return [
      ['migrate'],
      ['admin', 'user', 'create', ...user, '--email', 'lab@example.com'],
      ['web'],
    ].map((args) => ({ command, args: ['--config', file, ...args], env: { USER: 'root' } }));
  },
};

const giteaPassword = 'lab-Admin-1';

/** Gitea, called with gitea-js by the steps of `npm run sdks`. */
const gitea: Subject = {
  name: 'gitea',
  server: `Gitea ${giteaVersion.slice(1)}`,
  sdk: giteaLab.sdk,
  packages: giteaLab.packages ?? [],
  document: { of: giteaLab },
  basePath: giteaLab.basePath,
  async start(place) {
    const started = await startReal(giteaServer, place);
    const response = await fetch(`${started.origin}/api/v1/users/lab/tokens`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`lab:${giteaPassword}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'lab', scopes: ['all'] }),
    });
    return { ...started, key: ((await response.json()) as { sha1: string }).sha1 };
  },
  run: (bench) => giteaLab.run(bench),
  words: 'lab-repo laborg orgrepo Lab I1 I2 I3 ada L T B One Hi topic'.split(' '),
};

const directusPassword = 'secret';

/** Directus, called with its SDK by the steps of `npm run sdks`. */
const directus: Subject = {
  name: 'directus',
  server: `Directus ${directusServer.version}`,
  sdk: directusLab.sdk,
  packages: directusLab.packages ?? [],
  document: { of: directusLab },
  basePath: directusLab.basePath,
  async start(place) {
    const started = await startReal(directusServer, place, { ADMIN_PASSWORD: directusPassword });
    return { ...started, key: directusServer.headers.authorization?.split(' ')[1] ?? '' };
  },
  run: (bench) => directusLab.run(bench),
  words:
    'Ada Lovelace ada Countess Editors articles Hello Nice Lab user user1 user2 user3 user4 user5'.split(
      ' ',
    ),
};

/** Gotify, called with a client that is made of its document. */
const gotify: Subject = {
  name: 'gotify',
  server: `Gotify ${gotifyServer.version}`,
  sdk: 'swagger-client@3.38.4',
  document: { installed: 'document' },
  basePath: gotifyServer.basePath,
  twinKey: `Basic ${btoa('admin:demo-enterprise')}`,
  async start(place) {
    const started = await startReal(gotifyServer, place);
    return { ...started, key: gotifyServer.headers.authorization ?? '' };
  },
  run: runGotify,
  words: 'Backup backups Watch watch News Phone Tablet anna annabel First Second Third Plain'.split(
    ' ',
  ),
};

/** Chroma, called with its client. */
const chroma: Subject = {
  name: 'chroma',
  server: 'Chroma 1.5.9',
  sdk: 'chromadb@3.5.0',
  document: { at: '/openapi.json' },
  basePath: '',
  start: (place) =>
    startReal(
      {
        ...{ name: 'chroma', version: '1.5.9', ready: '/api/v2/heartbeat' },
        install: (folder) => installFromPyPi(folder, ['chromadb==1.5.9']),
        start: ({ installed, data, port }) => {
          const args = ['run', '--path', join(data, 'db'), '--port', String(port)];
          return [{ command: join(installed, 'venv/bin/chroma'), args }];
        },
      },
      place,
    ),
  run: runChroma,
  words:
    'plans newplans drafts orders shop acme summer winter one two 111 222 First Second Other'.split(
      ' ',
    ),
};

const kintoPassword = 'lab-Admin-1';

/** Kinto with its data in memory and accounts of its own, called with its client. */
const kinto: Subject = {
  name: 'kinto',
  server: 'Kinto 26.5.0',
  sdk: 'kinto-http@5.3.0',
  // It needs these and does not say so.
  packages: ['atob@2.1.2', 'form-data@4.0.4', 'node-fetch@2.7.0'],
  document: { at: '/v1/__api__' },
  basePath: '/v1',
  async start(place) {
    const started = await startReal(
      {
        ...{ name: 'kinto', version: '26.5.0', ready: '/v1/__heartbeat__' },
        install: (folder) => installFromPyPi(folder, ['kinto==26.5.0', 'setuptools<81']),
        start({ installed, data, port }) {
          const file = join(data, 'kinto.ini');
          writeFileSync(
            file,
            `[server:main]
use = egg:waitress
host = 127.0.0.1
port = ${port}
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = lab
kinto.includes = kinto.plugins.accounts
kinto.account_create_principals = system.Everyone
multiauth.policies = account
multiauth.policy.account.use = kinto.plugins.accounts.authentication.AccountsAuthenticationPolicy
`,
          );
          const args = ['start', '--ini', file];
          return [{ command: join(installed, 'venv/bin/kinto'), args }];
        },
      },
      place,
    );
    await fetch(`${started.origin}/v1/accounts/lab`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { password: kintoPassword } }),
    });
    return { ...started, key: `Basic ${btoa(`lab:${kintoPassword}`)}` };
  },
  run: runKinto,
  words:
    'shop plants drafts writers tulip lily Lisbon Rua spring autumn Rose Black Late eve 120 340 560 780 910'.split(
      ' ',
    ),
};

export const servers: readonly Subject[] = [gitea, directus, gotify, chroma, kinto];
