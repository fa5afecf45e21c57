import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../mock/faults/random.ts';
import { createControlClient } from '../../../support/killed-control-client.ts';
import { createItemClient } from '../../../support/killed-item-client.ts';
import { createRegistryClient } from '../../../support/killed-registry-client.ts';
import { actUntilGone, createCall } from '../../../support/killed-twin.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { serveMock } from '../../../support/run-mock.ts';
import { isWhole } from '../../../support/sample.ts';

/** How often the twin is killed, `KILLS=100` for a longer run; and a seed, for another one. */
const { KILLS = isWhole ? '5' : '1', KILL_SEED = '1' } = process.env;

test('a twin that is killed again and again goes on with all that it acknowledged', {
  timeout: 20_000 + Number(KILLS) * 20_000,
}, async () => {
  const folder = makeFolder();
  const file = join(folder, 'twin.db');
  const random = createRandom(Number(KILL_SEED));
  const keys = join(folder, 'keys.json');
  const names = Array.from({ length: 6 }, (_, index) => `key${index}`);
  const plans = { plan: 'free', perMinute: 1e9, perDay: 1e9 };
  writeFileSync(
    keys,
    JSON.stringify({ keys: names.map((name) => ({ key: `secret-${name}`, name, ...plans })) }),
  );
  const given = [new Set<string>(), new Set<string>()];
  const clients = [
    ...names.slice(0, 5).map((name, number) =>
      createItemClient({
        key: `secret-${name}`,
        name,
        number,
        prefix: number < 3 ? '' : '/sandboxes/other',
        random,
        given: given[number < 3 ? 0 : 1] as Set<string>,
      }),
    ),
    createControlClient({ sandbox: 'control', key: 'secret-key5', name: 'key5', random }),
    createRegistryClient(),
  ];
  const start = async () => {
    const { stdout, child } = await serveMock([
      ...['--disable-banner', '--log-level', 'error'],
      ...['--keys', keys, '--store', `sqlite:${file}`],
    ]);
    return { child, call: createCall(new URL(stdout.trim()).origin) };
  };
  let steps = 0;
  for (let kill = 0; kill < Number(KILLS); kill++) {
    const { child, call } = await start();
    for (const client of clients) await client.check(call);
    // At a random step, and at any instant of it.
    const last = steps + Math.ceil(random() * 80);
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const acting = actUntilGone(clients, call, () => {
      if ((steps += 1) >= last) resolve();
    });
    await Promise.race([reached, acting]);
    await wait(random() * 20);
    child.kill('SIGKILL');
    if (child.signalCode === null) await once(child, 'exit');
    await acting;
    expect(integrityOf(file, folder)).toBe('ok');
  }
  const { call } = await start();
  for (const client of clients) await client.check(call);
  if (process.env.KILLS) console.log(`${KILLS} kills, ${steps} steps`);
});

/** Returns what SQLite finds of a copy, so that the file stays as the kill left it. */
function integrityOf(file: string, folder: string): unknown {
  const copy = join(folder, 'copy.db');
  for (const suffix of ['', '-wal']) {
    rmSync(copy + suffix, { force: true });
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  }
  const database = new DatabaseSync(copy);
  const { integrity_check: found } = database.prepare('PRAGMA integrity_check').get() ?? {};
  database.close();
  return found;
}
