import { posix } from 'node:path';

/** A file of the project: its path, how many lines it has, and what it imports. */
export type SourceFile = { path: string; lines: number; imports: Import[]; reexports: boolean };

/** An import of another file of the project; `typeOnly` is gone at run time. */
export type Import = { path: string; typeOnly: boolean };

/** A rule of the house: what breaks it, a line each. */
export type Rule = (files: readonly SourceFile[]) => string[];

/** Reads the imports of a TypeScript file: static, dynamic, re-exports and `import('...')` types. */
export function parseSource(path: string, text: string): SourceFile {
  const statements = [...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)].map(
    ([, type, target = '']) => ({ target, typeOnly: type !== undefined }),
  );
  const dynamic = [...text.matchAll(/(typeof\s+)?\bimport\(\s*'([^']+)'/g)].map(([, type, target = '']) => ({
    target,
    typeOnly: type !== undefined,
  }));
  const imports = [...statements, ...dynamic]
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target, typeOnly }) => ({ path: posix.join(posix.dirname(path), target), typeOnly }));
  return { path, lines: text.split('\n').length - 1, imports, reexports: /^export\s[^'"=]*?\sfrom\s+'/m.test(text) };
}

type Arrow = { from: string; to: string; typeOnly: boolean };

/** Forbids the imports that `breaks` tells, with the reason that it gives. */
function forbid(breaks: (arrow: Arrow) => string | false | undefined): Rule {
  return (files) =>
    files.flatMap(({ path: from, imports }) =>
      imports.flatMap(({ path: to, typeOnly }) => {
        const reason = breaks({ from, to, typeOnly });
        return reason ? [`${from} imports ${to}: ${reason}`] : [];
      }),
    );
}

const isIn = (path: string, ...places: string[]) => places.some((place) => path === place || path.startsWith(`${place}/`));

/** The rooms of the house, each above those that it may use; those of one line may use each other. A file goes before its folder. */
const storeys: Record<string, string[][]> = {
  mock: [
    ['mock/main.ts'],
    ['mock/serve.ts', 'mock/banner.ts'],
    ['mock/twin.ts'],
    ['mock/follow-files.ts'],
    ['mock/read-identity.ts', 'mock/read-served.ts', 'mock/describe-change.ts', 'mock/watch-files.ts'],
    ['mock/app.ts'],
    ['mock/routes.ts'],
    ['mock/seeds.ts'],
    ['mock/config.ts', 'mock/http', 'mock/behaviours', 'mock/forced', 'mock/admin'],
    ['mock/sandboxes'],
    ['mock/limits', 'mock/state', 'mock/faults', 'mock/journal'],
    [
      'mock/byte-text.ts',
      'mock/clock.ts',
      'mock/curl-trust.ts',
      'mock/errors.ts',
      'mock/flag-values.ts',
      'mock/log.ts',
      'mock/nearest-name.ts',
      'mock/shell.ts',
      'mock/version.ts',
    ],
  ],
  contracts: [
    ['contracts/main.ts'],
    ['contracts/exit-on-crash.ts'],
    ['contracts/command.ts'],
    [
      'contracts/verify.ts',
      'contracts/verify-target.ts',
      'contracts/options.ts',
      'contracts/baseline.ts',
      'contracts/twin-process.ts',
    ],
    ['contracts/judge-response.ts'],
    [
      'contracts/run',
      'contracts/report',
      'contracts/causes.ts',
      'contracts/compare.ts',
      'contracts/judge.ts',
      'contracts/judged-in-part.ts',
      'contracts/silences.ts',
    ],
    ['contracts/cases', 'contracts/checks', 'contracts/transcript', 'contracts/stated.ts'],
    ['contracts/document.ts', 'contracts/operation.ts', 'contracts/resources.ts', 'contracts/schema.ts', 'contracts/security.ts'],
  ],
};

function storeyOf(path: string, lines: string[][]): number {
  const own = lines.findIndex((places) => places.includes(path));
  return own === -1 ? lines.findIndex((places) => isIn(path, ...places)) : own;
}

const staysBelow: Rule = (files) =>
  Object.entries(storeys).flatMap(([top, lines]) => {
    const own = files.filter(({ path }) => isIn(path, top));
    const homeless = own.filter(({ path }) => storeyOf(path, lines) === -1 && !isIn(path, 'contracts/dredd'));
    const climbs = forbid(({ from, to }) => isIn(to, top) && storeyOf(to, lines) < storeyOf(from, lines) && 'it is above');
    return [...homeless.map(({ path }) => `${path} has no storey`), ...climbs(own)];
  });

/** Every import cycle, types included, each once. */
const noCycles: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) cycles.push(`${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}: a cycle`);
    if (trail.includes(path) || done.has(path)) return;
    for (const { path: next } of byPath.get(path)?.imports ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
};

/** The rules of the house, by what they say. */
export const rules: Record<string, Rule> = {
  'the mock knows nothing of the contracts but document.ts': forbid(
    ({ from, to }) =>
      isIn(from, 'mock') && isIn(to, 'contracts') && to !== 'contracts/document.ts' && 'only document.ts is shared',
  ),
  'the contracts know no mock, no fixtures and no tests': forbid(
    ({ from, to }) => isIn(from, 'contracts') && isIn(to, 'mock', 'fixtures', 'tests') && 'it speaks HTTP to them',
  ),
  'fixtures know the types of document.ts alone': forbid(
    ({ from, to, typeOnly }) =>
      isIn(from, 'fixtures') && !isIn(to, 'fixtures') && !(to === 'contracts/document.ts' && typeOnly) && 'they are data',
  ),
  'the package is made of the rest, and nothing of the package': forbid(
    ({ from, to }) =>
      (isIn(from, 'package') && !isIn(to, 'package', 'contracts', 'mock', 'fixtures') && 'it is not published') ||
      (isIn(from, 'contracts', 'mock', 'fixtures') && isIn(to, 'package') && 'the package is above'),
  ),
  'the mock knows no tests': forbid(({ from, to }) => isIn(from, 'mock') && isIn(to, 'tests') && 'tests know the mock'),
  'only app.ts picks a store': forbid(
    ({ from, to }) => isIn(from, 'mock') && from !== 'mock/app.ts' && /^mock\/state\/.+-store\.ts$/.test(to) && 'use the port',
  ),
  'limits and state are strangers': forbid(
    ({ from, to }) =>
      ((isIn(from, 'mock/limits') && isIn(to, 'mock/state')) || (isIn(from, 'mock/state') && isIn(to, 'mock/limits'))) &&
      'neither needs the other',
  ),
  'settings are read above the app': forbid(
    ({ from, to }) =>
      to === 'mock/config.ts' &&
      isIn(from, 'mock/http', 'mock/behaviours', 'mock/admin', 'mock/app.ts', 'mock/routes.ts') &&
      'pass it in',
  ),
  'imports go down, never up': staysBelow,
  'reports see events, never the runner': forbid(
    ({ from, to }) => isIn(from, 'contracts/report') && isIn(to, 'contracts/run', 'contracts/transcript') && 'use events.ts',
  ),
  'the replay by Dredd shares document.ts alone': forbid(
    ({ from, to }) =>
      ((isIn(from, 'contracts/dredd') && !isIn(to, 'contracts/dredd', 'contracts/document.ts')) ||
        (isIn(to, 'contracts/dredd') && isIn(from, 'contracts') && !isIn(from, 'contracts/dredd'))) &&
      'it is an opinion of its own',
  ),
  'nothing goes in a circle': noCycles,
  'an index.ts is a registry, no barrel': (files) =>
    files.filter(({ path, reexports }) => /(^|\/)index\.ts$/.test(path) && reexports).map(({ path }) => `${path} re-exports`),
  'a file has at most 400 lines': (files) =>
    files.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path} has ${lines} lines`),
  'folders go two below the top level at most': (files) =>
    files.filter(({ path }) => path.split('/').length > 4).map(({ path }) => `${path} is too deep`),
};
