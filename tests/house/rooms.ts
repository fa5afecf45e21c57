/** A row of ARCHITECTURE.md: what it holds, and its storeys, each as files and folders. */
export type Row = { holds: string; storeys: readonly (readonly string[])[] };

const row = (holds: string, ...storeys: string[]): Row => ({
  holds,
  storeys: storeys.map((places) => places.split(' ')),
});

/**
 * The rooms of each program, from the top down: what a storey holds may import from the storeys
 * below it, and from none above. A row of one storey is a room; a row of several, rooms that
 * belong together.
 */
export const rooms: Record<string, readonly Row[]> = {
  package: [
    row(
      'the npm package: the command, and a module for each import',
      'package/bin.ts package/imports',
      'package/suite.ts package/twin.ts package/playwright.ts package/verify.ts package/vitest.ts package/msw.ts',
      'package/connect.ts',
      'package/to-twin.ts',
      'package/admin-client.ts package/control.ts package/data.ts package/domains.ts package/webhooks.ts package/types.d.ts',
      'package/name-settings.ts',
      'package/node-version.ts',
    ),
  ],
  mock: [
    row(
      'the process: settings, watched files, the server, several APIs, MCP over standard input, `init`',
      'mock/start.js mock/main.ts mock/process mock/init',
      'mock/apis',
      'mock/twin.ts',
      'mock/listener.ts',
      'mock/files',
      'mock/settings',
    ),
    row(
      'assembles the app: the store, the extras, the routes',
      'mock/app.ts',
      'mock/extras mock/routes.ts mock/open-store.ts',
      'mock/extra.ts',
      'mock/served.ts',
    ),
    row(
      'the extras, optional parts with a folder each; `explain`',
      'mock/extras/mcp mock/extras/console mock/extras/snapshots mock/extras/metrics',
      'mock/explain',
      'mock/extras/domains mock/extras/oauth mock/extras/webhooks mock/extras/tasks',
      'mock/extras/pages mock/extras/forced mock/extras/lenient mock/extras/behaviours',
      'mock/extras/admin mock/extras/pins',
      'mock/extras/schemes mock/extras/cluster mock/extras/uploads mock/extras/forward mock/extras/rules',
      'mock/extras/unchecked',
    ),
    row(
      'the steps of a call, with the phases for extras; the HTTP server, bodies, parameters, answers',
      'mock/call',
      'mock/http',
    ),
    row(
      'the behaviour of each kind of operation; responses from the document',
      'mock/behaviours',
      'mock/documented',
    ),
    row(
      'persistent stores; items, ids and seeds; sandboxes and snapshots',
      'mock/extras/sqlite mock/extras/redis',
      'mock/items',
      'mock/sandboxes',
    ),
    row(
      'curl lines; the journal of requests and reasons; the table of errors',
      'mock/curl',
      'mock/journal',
      'mock/answers',
    ),
    row(
      'plans, windows and bans; custom domains; faults and delays; tasks; the in-memory store',
      'mock/limits',
      'mock/domains',
      'mock/faults',
      'mock/tasks',
      'mock/state',
    ),
    row(
      'exact JSON and validation; the clock; the log',
      'mock/json',
      'mock/clock.ts mock/log.ts mock/redact.ts',
    ),
  ],
  contracts: [
    row(
      'the commands `verify`, `calibrate`, `dredd`, `docs`, `types`, `proxy`, `judge`, `data`, `fidelity` and `learn`',
      'contracts/main.ts contracts/command contracts/calibrate contracts/dredd contracts/docs contracts/types contracts/proxy contracts/judge contracts/data contracts/fidelity contracts/learn',
    ),
    row(
      'recordings and traffic; a whole run; verdicts and causes; unspecified behaviour; a file for each report format',
      'contracts/har',
      'contracts/traffic',
      'contracts/verify',
      'contracts/judging',
      'contracts/silences',
      'contracts/report',
    ),
    row(
      'fuzzes; sends the cases; a file for each check; the type of checks and what they need',
      'contracts/fuzz',
      'contracts/run',
      'contracts/checks',
      'contracts/clauses',
    ),
    row(
      'reads rate limits from responses; exchanges; the planned requests; facts of the document; base URLs',
      'contracts/limits',
      'contracts/transcript',
      'contracts/cases',
      'contracts/document contracts/base-url.ts',
    ),
  ],
  reference: [row('the HTML reference of a document', 'reference')],
  openapi: [
    row(
      'compiles an OpenAPI document and generates values; other rooms import `index.ts` and `model/`',
      'openapi/index.ts',
      'openapi/values',
      'openapi',
    ),
  ],
  common: [
    row(
      'the `x-` extensions of an interface in prose; command lines; secrets; the look of pages and terminals',
      'common/prose',
      'common/cli',
      'common/secrets common/look',
      'common',
    ),
  ],
  fixtures: [row('keys, plans and named animals', 'fixtures')],
  tests: [row('the tests, in the same folders as the code', 'tests')],
  tools: [row('the build, the benchmark, and the lab of mutants that tests the suite', 'tools')],
};

/** Whether a path is one of these places, or below one of them. */
export function isIn(path: string, ...places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
