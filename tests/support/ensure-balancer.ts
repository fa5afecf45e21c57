import { spawnSync } from 'node:child_process';
import { findBalancer, howToGetBalancer } from './balancer-command.ts';

// The tests of the balancer need HAProxy: one that is there, or Debian's where this runs as root.
const canInstall = () =>
  process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
if (!findBalancer() && canInstall()) {
  console.error('Installing HAProxy for the tests of the balancer ...');
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', 'haproxy'], { stdio: 'ignore' });
  // Tests start balancers of their own.
  spawnSync('service', ['haproxy', 'stop'], { stdio: 'ignore' });
}
if (!findBalancer()) console.error(`${howToGetBalancer} Without it they are skipped.`);
