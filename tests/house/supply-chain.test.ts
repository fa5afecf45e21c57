import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { productionPackages } from '../support/consumer.ts';
import { projectFile } from '../support/twin.ts';

type Entry = { integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean };

const lock = JSON.parse(readFileSync(projectFile('package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

it('locks each package by its hash, and names no server that it is taken from', () => {
  // The hash of a tarball covers the packages that it bundles.
  const installed = Object.entries(lock.packages).filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
  );
  expect(installed.length).toBeGreaterThan(500);
  const isLocked = ({ integrity = '', resolved }: Entry) =>
    integrity.startsWith('sha512-') && resolved === undefined;
  expect(installed.filter(([, entry]) => !isLocked(entry)).map(([path]) => path)).toEqual([]);
});

it('brings users at most 81 packages, each under a licence that asks for no more than its notice', () => {
  const packages = Object.entries(productionPackages(packageJson.dependencies));
  // A checkout has some of them twice, in folders of others.
  const names = packages.map(
    ([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`,
  );
  expect(new Set(names).size + 1).toBeLessThanOrEqual(81);
  const others = packages.filter(
    ([, { license = '' }]) => !['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause'].includes(license),
  );
  expect(others).toEqual([]);
});

it('runs scripts that the shells of all systems take', () => {
  const words = Object.values(packageJson.scripts).flatMap((script) => script.split(' '));
  // Windows has cmd: `&&` joins commands there too, and nothing else of a POSIX shell holds.
  expect(words.filter((word) => !/^(?:&&|[\w@:./-]+|--[\w-]+=\d+)$/.test(word))).toEqual([]);
  const programs = Object.values(packageJson.scripts).flatMap((script) =>
    script.split(' && ').map((command) => command.split(' ')[0]),
  );
  const ofPackages = ['biome', 'dclint', 'dockerfile-utils', 'knip', 'publint', 'redocly', 'tsc'];
  const others = programs.filter((name = '') => !['node', 'npm', ...ofPackages].includes(name));
  expect(others).toEqual([]);
});
