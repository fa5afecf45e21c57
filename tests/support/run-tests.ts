import { spawnSync } from 'node:child_process';
import { findBalancer, howToGetBalancer } from './balancer-command.ts';
import { findBrowser } from './browser.ts';
import { supportOf } from './needed-tools.ts';
import { findRedis, howToGetRedis } from './redis-command.ts';
import { projectFile } from './twin.ts';

/** A program that tests start: those that import `module`. */
type Tool = {
  name: string;
  module: string;
  find: () => unknown;
  debianPackage: string;
  /** The service that Debian starts with it; tests start servers of their own. */
  service?: string;
  howToGet: string;
  isRequired?: boolean;
};

const tools: readonly Tool[] = [
  {
    name: 'Chromium',
    module: 'browser.ts',
    find: findBrowser,
    debianPackage: 'chromium-headless-shell',
    howToGet: 'The browser tests need a Chromium. Run: npx playwright install chromium',
    isRequired: true,
  },
  {
    name: 'HAProxy',
    module: 'balancer-command.ts',
    find: findBalancer,
    debianPackage: 'haproxy',
    service: 'haproxy',
    howToGet: `${howToGetBalancer} Without it they are skipped.`,
  },
  {
    name: 'redis-server',
    module: 'redis-command.ts',
    find: findRedis,
    debianPackage: 'redis-server',
    service: 'redis-server',
    howToGet: `${howToGetRedis} Without it they are skipped.`,
  },
];

const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status;

// As root on Debian, what the chosen tests need and is not there is installed.
const isWhole = process.argv.includes('--all');
const args = process.argv.slice(2).filter((arg) => arg !== '--all');
const needed = supportOf(args.filter((arg) => !arg.startsWith('-')));
for (const tool of tools) {
  if (!needed.has(tool.module) || tool.find()) continue;
  if (process.getuid?.() === 0 && run('apt-get', '--version') === 0) {
    console.error(`Installing Debian's ${tool.debianPackage} for tests that need ${tool.name} ...`);
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', tool.debianPackage);
    if (tool.service) run('service', tool.service, 'stop');
  }
  if (tool.find()) continue;
  console.error(tool.howToGet);
  if (tool.isRequired) process.exit(2);
}
const vitest = projectFile('node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...(isWhole && { TESTS: 'all' }) },
});
process.exit(status ?? 1);
