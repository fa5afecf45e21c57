import { posix } from 'node:path';
import { isIn, rooms } from './rooms.ts';

/** A file of the project: its path, how many lines it has, and what it imports. */
export type SourceFile = { path: string; lines: number; imports: Import[]; reexports: boolean };

/** An import of another file of the project; `typeOnly` is gone at run time. */
export type Import = { path: string; typeOnly: boolean };

/** A rule of the house: what breaks it, a line each. */
export type Rule = (files: readonly SourceFile[]) => string[];

/**
 * Reads the imports of a TypeScript file: static, dynamic, re-exports and `import('...')` types.
 */
export function parseSource(path: string, text: string): SourceFile {
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm),
  ].map(([, type, target = '']) => ({ target, typeOnly: type !== undefined }));
  const dynamic = [...text.matchAll(/(typeof\s+)?\bimport\(\s*'([^']+)'/g)].map(
    ([, type, target = '']) => ({ target, typeOnly: type !== undefined }),
  );
  const imports = [...statements, ...dynamic]
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target, typeOnly }) => ({ path: posix.join(posix.dirname(path), target), typeOnly }));
  return {
    path,
    lines: text.split('\n').length - 1,
    imports,
    reexports: /^export\s[^'"=]*?\sfrom\s+'/m.test(text),
  };
}

function isForBrowsers(path: string): boolean {
  return path.includes('/browser/');
}

/** Modules that Node and browsers both run, as they need nothing of either. */
const forBoth = [
  'common/look/amounts.ts',
  'common/look/visible.ts',
  'common/json.ts',
  'common/json-pointer.ts',
  'common/property-path.ts',
  'mock/journal/explain-reason.ts',
  'mock/limits/windows.ts',
  ...['place-key', 'shell', 'to-curl'].map((name) => `mock/curl/${name}.ts`),
];

function runsInBrowsers(path: string): boolean {
  return isForBrowsers(path) || forBoth.includes(path);
}

type Arrow = { from: string; to: string; typeOnly: boolean };

/** Forbids the imports for which `reasonAgainst` gives a reason. */
function forbid(reasonAgainst: (arrow: Arrow) => string | false | undefined): Rule {
  return (files) =>
    files.flatMap(({ path: from, imports }) =>
      imports.flatMap(({ path: to, typeOnly }) => {
        const reason = reasonAgainst({ from, to, typeOnly });
        return reason ? [`${from} imports ${to}: ${reason}`] : [];
      }),
    );
}

const staysBelow: Rule = (files) =>
  Object.entries(rooms).flatMap(([top, rows]) => {
    const storeys = rows.flatMap((row) => row.storeys);
    // A folder in another one's, such as an extra's, may have a storey of its own.
    const placeOf = (path: string) =>
      storeys
        .flat()
        .reduce((best, one) => (isIn(path, one) && one.length > best.length ? one : best), '');
    const storeyOf = (path: string) =>
      storeys.findIndex((places) => places.includes(placeOf(path)));
    const own = files.filter(({ path }) => isIn(path, top));
    const homeless = own.filter(({ path }) => storeyOf(path) === -1);
    const climbs = forbid(
      ({ from, to }) => isIn(to, top) && storeyOf(to) < storeyOf(from) && 'it is above',
    );
    return [...homeless.map(({ path }) => `${path} is in no room`), ...climbs(own)];
  });

/** Every import cycle, types included, each once. */
const noCycles: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path))
      cycles.push(`${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}: a cycle`);
    if (trail.includes(path) || done.has(path)) return;
    for (const { path: next } of byPath.get(path)?.imports ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
};

/** Names what both programs stand on, from the top down: none of it judges an answer. */
const foundations = ['reference', 'openapi', 'common'];

/** The rules of the house, by what they say. */
export const rules: Record<string, Rule> = {
  'the mock uses nothing of the contracts': forbid(
    ({ from, to }) =>
      isIn(from, 'mock') && isIn(to, 'contracts') && 'a mistake in one must not hide in the other',
  ),
  'what both programs stand on knows nothing above it': forbid(({ from, to }) => {
    const below = foundations.findIndex((place) => isIn(from, place));
    return (
      below !== -1 && !isIn(to, ...foundations.slice(below), 'package.json') && 'it stands below'
    );
  }),
  'others see what was compiled, and not how': forbid(
    ({ from, to }) =>
      isIn(to, 'openapi') &&
      !isIn(from, 'openapi', 'tests') &&
      !isIn(to, 'openapi/index.ts', 'openapi/model', 'openapi/values') &&
      'ask the compiled document',
  ),
  'the contracts use no mock, no fixtures and no tests': forbid(
    ({ from, to }) =>
      isIn(from, 'contracts') &&
      isIn(to, 'mock', 'fixtures', 'tests', 'tools') &&
      'they speak HTTP',
  ),
  'fixtures are data, and use nothing': forbid(
    ({ from, to }) => isIn(from, 'fixtures') && !isIn(to, 'fixtures') && 'they are data',
  ),
  'nothing published imports the package, and the package nothing that is not published': forbid(
    ({ from, to }) =>
      (isIn(from, 'package') &&
        !isIn(to, 'package', 'contracts', 'mock', 'fixtures', ...foundations) &&
        'it is not published') ||
      (isIn(from, 'contracts', 'mock', 'fixtures', ...foundations) &&
        isIn(to, 'package') &&
        'the package is above'),
  ),
  'a file of package/imports loads its one module, and only if Node is new enough': forbid(
    ({ from, to, typeOnly }) =>
      isIn(from, 'package/imports') &&
      to !== 'package/node-version.ts' &&
      !(to === from.replace('/imports/', '/') && typeOnly) &&
      'load it by loadModule',
  ),
  'the mock uses no tests and no tools': forbid(
    ({ from, to }) => isIn(from, 'mock') && isIn(to, 'tests', 'tools') && 'these use the mock',
  ),
  'only open-store.ts chooses a store': forbid(
    ({ from, to }) =>
      isIn(from, 'mock') &&
      from !== 'mock/open-store.ts' &&
      from !== 'mock/sandboxes/mirrored-sandbox.ts' &&
      !isIn(from, 'mock/state', 'mock/extras/sqlite', 'mock/extras/redis') &&
      (/^mock\/state\/(.+-store|store-of-tables)\.ts$/.test(to) ||
        isIn(to, 'mock/extras/sqlite', 'mock/extras/redis')) &&
      'use the port',
  ),
  'limits and state know nothing of each other': forbid(
    ({ from, to }) =>
      ((isIn(from, 'mock/limits') && isIn(to, 'mock/state')) ||
        (isIn(from, 'mock/state') && isIn(to, 'mock/limits'))) &&
      'neither needs the other',
  ),
  'settings are read above the app': forbid(
    ({ from, to }) =>
      isIn(to, 'mock/settings') &&
      !isIn(from, 'mock/settings', 'mock/files', 'mock/listener.ts', 'mock/twin.ts') &&
      !isIn(from, 'mock/apis', 'mock/process', 'mock/init') &&
      isIn(from, 'mock') &&
      'pass values in',
  ),
  'code for browsers is loaded by pages, and loads no other code': forbid(
    ({ from, to, typeOnly }) =>
      (runsInBrowsers(from) && !runsInBrowsers(to) && !typeOnly && 'a browser cannot load it') ||
      (isForBrowsers(to) && !isForBrowsers(from) && !isIn(from, 'tests') && 'it runs in browsers'),
  ),
  'imports go down, never up': staysBelow,
  'reports see events, never the runner': forbid(
    ({ from, to }) =>
      isIn(from, 'contracts/report') &&
      isIn(to, 'contracts/run', 'contracts/transcript') &&
      'use events.ts',
  ),
  'the replay by Dredd shares what both programs do, and nothing else': forbid(
    ({ from, to }) =>
      ((isIn(from, 'contracts/dredd') &&
        !isIn(to, 'contracts/dredd', 'contracts/base-url.ts', ...foundations)) ||
        (isIn(to, 'contracts/dredd') &&
          isIn(from, 'contracts') &&
          !isIn(from, 'contracts/dredd'))) &&
      'it is an opinion of its own',
  ),
  'nothing goes in a circle': noCycles,
  'an index.ts is a registry, no barrel': (files) =>
    files
      .filter(
        ({ path, reexports }) =>
          /(^|\/)index\.ts$/.test(path) && path !== 'openapi/index.ts' && reexports,
      )
      .map(({ path }) => `${path} re-exports`),
  'a file has at most 400 lines, and one of tests or rows 500': (files) =>
    files
      .filter(({ path, lines }) => lines > (isIn(path, 'tests', 'tools') ? 500 : 400))
      .map(({ path, lines }) => `${path} has ${lines} lines`),
  'folders go two below the top level at most, not counting `extras`': (files) =>
    files
      .filter(({ path }) => path.replace('mock/extras/', 'mock/').split('/').length > 4)
      .map(({ path }) => `${path} is too deep`),
};
