import { spawnSync } from 'node:child_process';
import { findRedis, howToGetRedis } from './redis-command.ts';

// The tests of the Redis store need a server: one that is there, or Debian's where this runs as root.
if (!findRedis() && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
  console.error('Installing redis-server for the tests of the Redis store ...');
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', 'redis-server'], { stdio: 'ignore' });
  // Tests start servers of their own; the one that Debian starts would only take a port.
  spawnSync('service', ['redis-server', 'stop'], { stdio: 'ignore' });
}
if (!findRedis()) console.error(`${howToGetRedis} Without it they are skipped.`);
