import { spawnSync } from 'node:child_process';

/** How to get what the tests of the store in Redis need. */
export const howToGetRedis =
  'The tests of the Redis store need redis-server 7.0 or later, or valkey-server: apt-get install redis-server, or give the path of a server in REDIS_SERVER.';

/** The command of the server, where there is one; REDIS_SERVER may name another than is installed. */
export function findRedis(): string | undefined {
  const { REDIS_SERVER: given } = process.env;
  if (given && !isServer(given)) throw new Error(`REDIS_SERVER is no Redis server: ${given}`);
  return given || ['redis-server', 'valkey-server'].find(isServer);
}

function isServer(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}
