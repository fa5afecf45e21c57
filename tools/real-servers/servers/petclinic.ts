import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '../call.ts';
import { run } from '../processes.ts';
import type { Dump, RealServer } from '../real-server.ts';
import truth from '../truth/petclinic.json' with { type: 'json' };

const version = '4.0.2';
const base = '/petclinic/api';

/** Lets a second process read the database while the server runs. */
const database = (data: string) => `jdbc:h2:file:${data}/petclinic;AUTO_SERVER=TRUE`;

/** The REST version of Spring Petclinic with the data it brings; what is deleted takes its parts with it. */
export const petclinic: RealServer = {
  name: 'petclinic',
  version,
  isGiven: true,
  basePath: base,
  ready: `${base}/pettypes`,
  headers: {},
  flags: ['--timeout', '15000'],
  settle: 500,
  async install(folder, given) {
    const unpacked = join(folder, 'unpacked');
    const args = ['-m', 'zipfile', '-e', given, unpacked];
    await run({ command: 'python3', args }, join(folder, 'install.log'));
    copyFileSync(given, join(folder, 'program.jar'));
    copyFileSync(join(unpacked, 'BOOT-INF/classes/openapi.yml'), join(folder, 'document'));
    rmSync(unpacked, { recursive: true });
  },
  start({ installed, data, port }) {
    const settings = {
      'server.address': '127.0.0.1',
      'server.port': port,
      'spring.datasource.url': database(data),
    };
    const args = [
      '-XX:TieredStopAtLevel=1',
      '-Dh2.bindAddress=127.0.0.1',
      '-jar',
      join(installed, 'program.jar'),
    ];
    args.push(...Object.entries(settings).map(([name, value]) => `--${name}=${value}`));
    return [{ command: 'java', args }];
  },
  // The server begins with owners, pets, visits, vets, specialties and types.
  seed: async () => {},
  async dump(_, { installed, data }) {
    const script = join(data, 'dump.sql');
    const reader = 'org.springframework.boot.loader.launch.PropertiesLauncher';
    const jar = [
      '-XX:TieredStopAtLevel=1',
      '-Dloader.main=org.h2.tools.Script',
      '-cp',
      join(installed, 'program.jar'),
    ];
    const args = [...jar, reader, '-url', database(data), '-user', 'sa', '-script', script];
    await run({ command: 'java', args }, join(data, 'dump.log'));
    return toDump(readFileSync(script, 'utf8'));
  },
  document: async (_, { installed }) => readFileSync(join(installed, 'document'), 'utf8'),
  async use(rawCall) {
    const call: typeof rawCall = (method, path, body) => rawCall(method, base + path, body);
    const owner = {
      firstName: 'Anna',
      address: '1 Main St.',
      city: 'Madison',
      telephone: '6085551023',
    };
    for (let number = 1; number <= 4; number += 1) {
      const { id } = await call('POST', '/owners', { ...owner, lastName: 'Client' });
      await call('GET', `/owners/${id}`);
      await call('PUT', `/owners/${id}`, { ...owner, lastName: 'Changed' });
      const type = await call('POST', '/pettypes', { name: `client ${number}` });
      await call('GET', `/pettypes/${type.id}`);
      const body = { name: 'Tom', birthDate: '2020-02-03', type };
      const pet = await call('POST', `/owners/${id}/pets`, body);
      await call('POST', `/owners/${id}/pets/${pet.id}/visits`, {
        date: '2026-01-02',
        description: 'checkup',
      });
      await call('GET', `/owners/${id}/pets/${pet.id}`);
      if (number < 4) await call('DELETE', `/owners/${id}`);
      // The type of the pet goes with its owner.
    }
    for (const path of ['/owners', '/pets', '/visits', '/vets', '/specialties'])
      await call('GET', path);
  },
  isSideEffect: () => false,
  shape: {
    idOf: (body) => (body as Item).id,
    required: 'name',
    deleted: 204,
    updated: 204,
    refuses: true,
    describes404: /\/\d+$/,
  },
  truth: truth as RealServer['truth'],
};

/** Reads the rows of a script of H2 by table and id, which is the first value; links of two have none. */
function toDump(script: string): Dump {
  const inserts = script.matchAll(/^INSERT INTO "PUBLIC"\."(\w+)".* VALUES\n([\s\S]*?\);) *$/gm);
  const toRows = (table: string, rows: string) =>
    Array.from(rows.matchAll(/^\((.*)\)[,;]/gm), ([, row = '']) => [
      table === 'VET_SPECIALTIES' ? row : (row.split(',')[0] ?? ''),
      row,
    ]);
  const dump: Dump = {};
  // Many rows of a table are written by several statements.
  for (const [, table = '', rows = ''] of inserts)
    dump[table] = { ...dump[table], ...Object.fromEntries(toRows(table, rows)) };
  return dump;
}
