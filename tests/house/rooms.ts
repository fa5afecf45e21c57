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
      'what npm publishes: the command, and a module for each import',
      'package/bin.ts package/imports',
      'package/suite.ts package/twin.ts package/playwright.ts package/verify.ts package/vitest.ts package/msw.ts',
      'package/to-twin.ts',
      'package/admin-client.ts package/control.ts package/data.ts package/domains.ts package/webhooks.ts package/types.d.ts',
      'package/name-settings.ts',
      'package/node-version.ts',
    ),
  ],
  mock: [
    row(
      'the process and its server: settings, files and their changes; what is made of a document',
      'mock/start.js mock/main.ts mock/process mock/explain',
      'mock/twin.ts',
      'mock/files',
      'mock/settings',
    ),
    row(
      'chooses the store; which extras there are, and what each adds; which part answers which path',
      'mock/app.ts',
      'mock/extras mock/routes.ts mock/open-store.ts',
      'mock/extra.ts',
      'mock/served.ts',
    ),
    row(
      'what the core can do without: a folder each, beside the file that plugs them in',
      'mock/extras/console mock/extras/snapshots',
      'mock/extras/domains mock/extras/oauth mock/extras/webhooks mock/extras/tasks',
      'mock/extras/pages mock/extras/forced mock/extras/lenient mock/extras/behaviours',
      'mock/extras/admin mock/extras/pins',
      'mock/extras/schemes mock/extras/cluster mock/extras/uploads mock/extras/forward',
    ),
    row(
      'the steps of a call, and the phases at which extras intercept it; HTTP: the server, bodies, parameters, answers',
      'mock/call',
      'mock/http',
    ),
    row(
      'what an operation does: by its kind, as the document describes it',
      'mock/behaviours',
      'mock/documented',
    ),
    row(
      'stores that outlive the process; items, ids and seeds; sandboxes and snapshots',
      'mock/extras/sqlite mock/extras/redis',
      'mock/items',
      'mock/sandboxes',
    ),
    row(
      'requests as curl; what was answered and why; the table of errors',
      'mock/curl',
      'mock/journal',
      'mock/answers',
    ),
    row(
      'plans, windows and bans; custom domains; faults and delays; tasks; the store',
      'mock/limits',
      'mock/domains',
      'mock/faults',
      'mock/tasks',
      'mock/state',
    ),
    row(
      'exact JSON and validation; the clock, the log',
      'mock/json',
      'mock/clock.ts mock/log.ts mock/redact.ts',
    ),
  ],
  contracts: [
    row(
      'the commands `verify`, `calibrate`, `dredd`, `docs`, `types`, `proxy`, `judge` and `data`',
      'contracts/main.ts contracts/command contracts/calibrate contracts/dredd contracts/docs contracts/types contracts/proxy contracts/judge contracts/data',
    ),
    row(
      'a whole run, and the traffic of others and its recordings; verdicts, causes, comparison, silences; one file per format of report',
      'contracts/har',
      'contracts/traffic',
      'contracts/verify',
      'contracts/judging',
      'contracts/silences',
      'contracts/report',
    ),
    row(
      'sends the cases within a budget; one file per clause, judged from what was recorded; what a check is, and what of a document it applies to',
      'contracts/run',
      'contracts/checks',
      'contracts/clauses',
    ),
    row(
      'how counters, windows and resets are read from answers; what was sent and came back; which requests are made; what a document states; base URLs',
      'contracts/limits',
      'contracts/transcript',
      'contracts/cases',
      'contracts/document contracts/base-url.ts',
    ),
  ],
  reference: [row('pages that describe a document', 'reference')],
  openapi: [
    row(
      'makes values of schemas; compiles an OpenAPI document, of which others see `index.ts` and `model/`',
      'openapi/index.ts',
      'openapi/values',
      'openapi',
    ),
  ],
  common: [
    row(
      'what is a secret, and how it is hidden; command lines of both programs; what all pages share and all programs print with; exact JSON; what an interface in prose states beside OpenAPI',
      'common/prose',
      'common/cli',
      'common/secrets common/look',
      'common',
    ),
  ],
  fixtures: [row('keys, plans and named animals', 'fixtures')],
  tests: [row('the tests, in folders as the code is', 'tests')],
  tools: [
    row(
      'the build, the bench, the lab: deliberately broken deployments that test the suite',
      'tools',
    ),
  ],
};

/** Whether a path is one of these places, or below one of them. */
export function isIn(path: string, ...places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
