import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checks } from '../../contracts/checks/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { projectFile } from '../support/twin.ts';
import { isIn, rooms } from './rooms.ts';
import { parseSource, rules, type SourceFile } from './rules.ts';

const root = projectFile('.');
const files = globSync('**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules', 'dist', '**/*.d.ts'],
}).map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));

/** A file that imports others, some of them for their types only. */
function file(
  path: string,
  imports: string[] = [],
  more: Partial<SourceFile> & { types?: string[] } = {},
): SourceFile {
  const { types = [], ...fields } = more;
  const all = [
    ...imports.map((to) => ({ path: to, typeOnly: false })),
    ...types.map((to) => ({ path: to, typeOnly: true })),
  ];
  return { path, lines: 10, imports: all, reexports: false, ...fields };
}

const breaches: [rule: string, ...breaches: SourceFile[][]][] = [
  [
    'the mock uses nothing of the contracts',
    [file('mock/http/server.ts', ['contracts/base-url.ts'])],
    [file('mock/app.ts', [], { types: ['contracts/checks/index.ts'] })],
  ],
  [
    'what both programs stand on knows nothing above it',
    [file('openapi/content.ts', ['reference/reference.ts'])],
    [file('openapi/compile.ts', ['contracts/checks/index.ts'])],
    [file('common/json.ts', [], { types: ['openapi/compile.ts'] })],
  ],
  [
    'others see what was compiled, and not how',
    [file('mock/call/steps.ts', ['openapi/content.ts'])],
    [file('contracts/checks/filter.ts', [], { types: ['openapi/schema.ts'] })],
  ],
  [
    'the contracts use no mock, no fixtures and no tests',
    [file('contracts/run/http/target.ts', ['mock/answers/errors.ts'])],
    [file('contracts/main.ts', [], { types: ['tests/support/twin.ts'] })],
  ],
  [
    'fixtures are data, and use nothing',
    [file('fixtures/named-items.ts', ['openapi/compile.ts'])],
    [file('fixtures/named-items.ts', [], { types: ['mock/log.ts'] })],
  ],
  [
    'nothing published imports the package, and the package nothing that is not published',
    [file('mock/twin.ts', ['package/verify.ts'])],
    [file('contracts/command/run-command.ts', [], { types: ['package/types.d.ts'] })],
  ],
  [
    'a file of package/imports loads its one module, and only if Node is new enough',
    [file('package/imports/twin.ts', ['package/twin.ts'])],
    [file('package/imports/twin.ts', [], { types: ['package/verify.ts'] })],
  ],
  ['the mock uses no tests and no tools', [file('mock/twin.ts', ['tests/support/twin.ts'])]],
  [
    'only open-store.ts chooses a store',
    [file('mock/twin.ts', ['mock/state/store-of-tables.ts'])],
    [file('mock/behaviours/list.ts', [], { types: ['mock/state/store-of-tables.ts'] })],
  ],
  [
    'limits and state know nothing of each other',
    [file('mock/limits/limiter.ts', [], { types: ['mock/state/store.ts'] })],
  ],
  [
    'settings are read above the app',
    [file('mock/http/cors.ts', [], { types: ['mock/settings/config.ts'] })],
  ],
  [
    'code for browsers is loaded by pages, and loads no other code',
    [file('mock/extras/console/browser/main.ts', ['mock/log.ts'])],
    [file('mock/curl/shell.ts', ['mock/log.ts'])],
    [file('mock/app.ts', ['mock/extras/console/browser/main.ts'])],
  ],
  [
    'imports go down, never up',
    [file('mock/limits/limiter.ts', [], { types: ['mock/answers/answer.ts'] })],
    [file('mock/state/store.ts', ['mock/behaviours/list.ts'])],
    [file('mock/http/server.ts', ['mock/extras/forced/preferences.ts'])],
    [file('mock/extras/pages/browser/try-it.ts', ['mock/extras/console/browser/shown.ts'])],
    [file('mock/something.ts')],
    [file('common/json.ts', ['common/cli/read-options.ts'])],
    [file('contracts/something.ts')],
  ],
  [
    'reports see events, never the runner',
    [file('contracts/report/json.ts', [], { types: ['contracts/run/stages.ts'] })],
    [file('contracts/report/json.ts', ['contracts/transcript/exchange.ts'])],
  ],
  [
    'the replay by Dredd shares what both programs do, and nothing else',
    [file('contracts/dredd/replay.ts', ['contracts/checks/index.ts'])],
    [file('contracts/verify/verify.ts', ['contracts/dredd/replay.ts'])],
  ],
  [
    'nothing goes in a circle',
    [
      file('mock/a.ts', ['mock/b.ts']),
      file('mock/b.ts', [], { types: ['mock/c.ts'] }),
      file('mock/c.ts', ['mock/a.ts']),
    ],
    [file('tests/a.ts', ['tests/a.ts'])],
  ],
  [
    'an index.ts is a registry, no barrel',
    [file('contracts/checks/index.ts', [], { reexports: true })],
  ],
  [
    'a file has at most 400 lines, and one of tests or rows 500',
    [file('mock/app.ts', [], { lines: 401 })],
    [file('tests/admin.test.ts', [], { lines: 501 })],
  ],
  [
    'folders go two below the top level at most, not counting `extras`',
    [file('tools/lab/broken/list/short.ts')],
  ],
];

it('reads every file of the house', () => {
  const paths = files.map(({ path }) => path);
  for (const path of [
    'mock/twin.ts',
    'openapi/compile.ts',
    'openapi/values/generate.ts',
    'tests/support/twin.ts',
  ])
    expect(paths).toContain(path);
  const unknown = files.flatMap(({ path, imports }) =>
    imports
      .filter((one) => /(?<!\.d)\.ts$/.test(one.path) && !paths.includes(one.path))
      .map((one) => `${path} imports ${one.path}`),
  );
  expect(unknown).toEqual([]);
});

it('reads each form of an import', () => {
  const text = [
    "import 'HERE/a.ts';",
    "import b, { type B } from 'HERE/../b.ts';",
    "import {\n  c,\n} from 'HERE/c.ts';",
    "import type { D } from 'HERE/d.ts';",
    "export { e } from 'HERE/e.ts';",
    "export type { F } from 'HERE/f.ts';",
    "const g = await import('HERE/g.ts');",
    "type H = typeof import('HERE/h.ts');",
    "import { readFile } from 'node:fs/promises';",
    `export const text = "from 'HERE/nowhere.ts'";\n`,
  ]
    .join('\n')
    .replaceAll('HERE', '.');
  const { imports, reexports, lines } = parseSource('mock/http/x.ts', text);
  expect(imports.map(({ path, typeOnly }) => `${path}${typeOnly ? ' (type)' : ''}`)).toEqual([
    'mock/http/a.ts',
    'mock/b.ts',
    'mock/http/c.ts',
    'mock/http/d.ts (type)',
    'mock/http/e.ts',
    'mock/http/f.ts (type)',
    'mock/http/g.ts',
    'mock/http/h.ts (type)',
  ]);
  expect({ reexports, lines }).toEqual({ reexports: true, lines: 12 });
  expect(
    parseSource('a.ts', "import { b } from './b.ts';\nexport const c = [b];\n").reexports,
  ).toBe(false);
});

it('gives whole documents to those alone who hand them to a library, or print them', () => {
  const readers = files.filter(({ path }) => {
    const isOutside = !isIn(path, 'openapi', 'tests', 'tools', 'reference');
    return isOutside && /\basOpenApi\b/.test(readFileSync(join(root, path), 'utf8'));
  });
  expect(readers.map(({ path }) => path).toSorted()).toEqual([
    'contracts/dredd/replay.ts',
    'contracts/dredd/scenarios.ts',
    'contracts/types/command.ts',
    'mock/documented/answer-with-prism.ts',
    'mock/extras/cluster/discovery.ts',
    'mock/extras/domains/project.ts',
    'mock/extras/mcp/describe-operation.ts',
    'mock/extras/mcp/server.ts',
    'mock/extras/mcp/suite-tools.ts',
    'mock/files/read-served.ts',
    'mock/json/validator.ts',
  ]);
});

it.each(Object.keys(rules))('holds that %s', (name) => {
  expect(rules[name]?.(files)).toEqual([]);
});

it('has a breach of each rule', () => {
  expect(breaches.map(([name]) => name)).toEqual(Object.keys(rules));
});

it.each(breaches.flatMap(([name, ...cases]) => cases.map((graph) => [name, graph] as const)))(
  'finds a breach of: %s',
  (name, graph) => {
    expect(rules[name]?.(graph)).toHaveLength(1);
  },
);

const architecture = readFileSync(projectFile('ARCHITECTURE.md'), 'utf8');

it('keeps ARCHITECTURE.md under 60 lines', () => {
  expect(architecture.trimEnd().split('\n').length).toBeLessThan(60);
});

it('lists in ARCHITECTURE.md the rooms that the rules hold, in their order', () => {
  const listed = [...architecture.matchAll(/^\| (`.+`) \| (.+) \|$/gm)].map(([, places, holds]) => [
    places,
    holds,
  ]);
  const expected = Object.entries(rooms).flatMap(([top, rows]) =>
    rows.map(({ storeys, holds }) => {
      const places = rows.length === 1 ? [top] : storeys.flat();
      return [places.map((place) => `\`${toShown(place)}\``).join(', '), holds];
    }),
  );
  expect(listed).toEqual(expected);
});

it('names in ARCHITECTURE.md no file and no check that does not exist', () => {
  const named = [...architecture.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|json|yaml|md))`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);

  const [, finder = ''] = architecture.split('| checks |');
  const ids = [...finder.matchAll(/^\|.*\|.*\|(.*)\|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, id]) => id),
  );
  expect(ids.length).toBeGreaterThan(12);
  expect(ids.filter((id) => !checks.some((check) => check.id === id))).toEqual([]);
});

it('has a file in each place of a room', () => {
  const places = Object.values(rooms).flatMap((rows) =>
    rows.flatMap(({ storeys }) => storeys.flat()),
  );
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
});

it('has a file of package/imports for each import that package.json names, and no other', () => {
  const targets = Object.values(packageJson.exports).flatMap((target) =>
    // The handlers of MSW run in browsers too, which have no version of Node.
    typeof target !== 'string' && 'default' in target && !target.default.endsWith('/msw.js')
      ? [target]
      : [],
  );
  const loaded = targets.map((target) =>
    target.default.replace('./dist/', '').replace(/\.js$/, '.ts'),
  );
  const typed = targets.map(({ types }) => types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts'));
  expect(typed).toEqual(loaded.map((path) => path.replace('/imports/', '/')));
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => isIn(path, 'package/imports')).toSorted()).toEqual(
    loaded.toSorted(),
  );
});

/** A folder is shown with a slash at its end. */
function toShown(place: string): string {
  return /\.[jt]s$/.test(place) ? place : `${place}/`;
}
