import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../../mock/extras/redis/address.ts';
import { settingList, settings } from '../../../mock/settings/settings.ts';
import { readCompose } from '../../support/compose.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';

const compose = await readCompose();

/** Runs the command of the twin with names that resolve to so many addresses, and with no mock. */
async function runTwinCommand(addresses: Record<string, number>): Promise<string> {
  const folder = makeFolder();
  const programs = {
    getent: `case "$2" in ${Object.entries(addresses)
      .map(([name, count]) => `${name}) yes '10.0.0.1 STREAM' | head -n ${count};;`)
      .join(' ')} *) exit 2;; esac`,
    node: 'echo "node $* with the store $TWIN_STORE"',
  };
  for (const [name, text] of Object.entries(programs))
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const [command = '', ...args] = compose.twin.entrypoint ?? [];
  const { stdout, stderr } = spawnSync(
    command,
    [...args.map((word) => word.replaceAll('$$', '$')), '--seed', '7'],
    { env: { PATH: `${folder}${delimiter}${process.env.PATH}` }, encoding: 'utf8' },
  );
  return (stdout + stderr).trim().split('\n').at(-1) ?? '';
}

it('runs other images than its own in a version that cannot change', () => {
  for (const { image } of [compose.balancer, compose.valkey])
    expect(image).toMatch(/^[\w/]+:\d+\.\d+\.\d+-alpine@sha256:[0-9a-f]{64}$/);
});

it('gives the balancer the file of the example, and the token of the twins', async () => {
  const [file = '', place, mode] = compose.balancer.volumes?.[0]?.split(':') ?? [];
  expect([place, mode]).toEqual(['/usr/local/etc/haproxy/haproxy.cfg', 'ro']);
  const text = await readFile(projectFile(file), 'utf8');
  const presets = Object.fromEntries(
    Array.from(text.matchAll(/^ +presetenv (\S+) (\S+)$/gm), ([, name, value]) => [name, value]),
  );
  expect(presets).toEqual({
    BALANCER_BIND: `:${settings.port.default}`,
    MOCK_HOST: 'twin',
    MOCK_PORT: settings.port.default,
    RESOLVER: '127.0.0.11:53',
    ADMIN_TOKEN: compose.twin.environment?.TWIN_ADMIN_TOKEN,
  });
  // One of these would mean something else to a mock.
  const variables = settingList.map(({ variable }) => variable);
  expect(Object.keys(presets).filter((name) => variables.includes(name))).toEqual([]);
});

it('shares the state in Valkey where it runs, and refuses several twins without it', async () => {
  const command = 'node /app/mock/start.js --seed 7';
  expect(await runTwinCommand({ twin: 1 })).toBe(`${command} with the store`);
  for (const twin of [1, 3])
    expect(await runTwinCommand({ twin, valkey: 1 })).toBe(
      `${command} with the store redis://valkey:6379`,
    );
  expect(parseRedisUrl('redis://valkey:6379')).toMatchObject({ url: 'redis://valkey:6379' });
  expect(await runTwinCommand({ twin: 2 })).toMatch(/^Several twins need Valkey: docker compose /);
  expect(compose.valkey.profiles).toEqual(['scale']);
  expect(compose.twin.depends_on?.valkey).toEqual({
    condition: 'service_healthy',
    required: false,
  });
});

it('gives the containers no more than they need', () => {
  for (const service of Object.values(compose))
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: '1g',
    });
});

it('publishes the default port on loopback alone', () => {
  const defaultPort = settings.port.default;
  const { balancer, ...others } = compose;
  expect(balancer.ports).toEqual([`127.0.0.1:${defaultPort}:${defaultPort}`]);
  expect(Object.values(others).flatMap(({ ports = [] }) => ports)).toEqual([]);
});

it('gives the twin of the compose file settings that it knows, and the verification keys that it has', async () => {
  const known = settingList.map(({ variable }) => variable);
  expect(known).toEqual(expect.arrayContaining(Object.keys(compose.twin.environment ?? {})));
  const { keys } = JSON.parse(await readFile(projectFile('fixtures/keys.json'), 'utf8')) as {
    keys: { key: string; plan: string }[];
  };
  const sent = compose.verify.command?.filter((word) => word.includes('=')) ?? [];
  expect(keys.map(({ key, plan }) => `${plan}=${key}`)).toEqual(expect.arrayContaining(sent));
  expect(sent.length).toBeGreaterThan(0);
});
