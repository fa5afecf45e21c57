import { spawnSync } from 'node:child_process';

/** How to get what the tests of the store in Redis need. */
export const howToGetRedis =
  'The tests of the Redis store need redis-server 7.0 or later, or valkey-server: apt-get install redis-server.';

/** The command of the server, where there is one. */
export function findRedis(): string | undefined {
  return ['redis-server', 'valkey-server'].find(
    (command) => spawnSync(command, ['--version']).status === 0,
  );
}
