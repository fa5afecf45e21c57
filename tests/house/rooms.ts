/** A room: the files and folders that it is made of, and what they hold. */
export type Room = { places: readonly string[]; holds: string };

const room = (places: string, holds: string): Room => ({ places: places.split(' '), holds });

/**
 * The rooms of each program, from the top down: each may import from those below it, and from none
 * above.
 */
export const rooms: Record<string, readonly Room[]> = {
  package: [
    room('package/bin.ts package/imports', 'the command, and a file for each import'),
    room(
      'package/twin.ts package/playwright.ts package/verify.ts package/vitest.ts package/types.d.ts',
      'what each import gives, as documented',
    ),
    room('package/admin-client.ts package/control.ts', 'the admin of a twin as functions'),
    room('package/name-settings.ts', 'messages of the commands with the names of settings in code'),
    room('package/node-version.ts', 'which Node is needed, said before anything else loads'),
  ],
  mock: [
    room('mock/main.ts mock/process', 'the process: signals, exit codes, the banner'),
    room('mock/twin.ts', 'a twin that listens: the app behind a server'),
    room('mock/files', 'reads the files that are served, and follows their changes'),
    room('mock/app.ts', 'the composition root: chooses the adapters'),
    room('mock/routes.ts', 'what is answered where: API, admin, neither'),
    room('mock/served.ts', 'what the files give, prepared to be served'),
    room('mock/pages mock/console', 'the pages that browsers show, and the files that they load'),
    room('mock/admin', '`/__admin`: its description, and a handler for each operation'),
    room('mock/forced', 'answers in place of the default one: preferences, faults, magic values'),
    room('mock/http', 'the steps of a request, and sending its answer'),
    room('mock/behaviours', 'what list, create and read do, bound to operations by kind'),
    room(
      'mock/documented',
      'answers from the document alone: its examples, and content made from its schemas',
    ),
    room('mock/items', 'items as they are stored, their ids, seeds, filters'),
    room('mock/sandboxes', 'what a sandbox has of its own, the registry, snapshots'),
    room('mock/curl', 'requests as curl lines, quoted for a shell'),
    room('mock/journal', 'what was requested and answered and why, within bounds'),
    room('mock/answers', 'an answer as a value, and the table of errors'),
    room(
      'mock/settings',
      'the table of settings, read from flags, environment, config file or code',
    ),
    room('mock/limits', 'plans, windows and bans, and the decision on a call as a pure function'),
    room('mock/faults', 'which call goes wrong and how slowly, as pure seeded decisions'),
    room('mock/state', "the store's port, and one adapter a file"),
    room('mock/json', 'exact JSON text, and validation against a schema'),
    room(
      'mock/clock.ts mock/log.ts mock/redact.ts mock/version.ts',
      'one clock, one log, one filter of keys, one version',
    ),
  ],
  contracts: [
    room('contracts/main.ts contracts/command', 'the command `verify`: flags, targets, exit codes'),
    room('contracts/verify', 'a whole run, from a document to a report'),
    room(
      'contracts/judging',
      'verdicts, grouping by cause, comparison, silences, baseline, redaction',
    ),
    room('contracts/report', 'one form of report a file, made from events'),
    room('contracts/run', 'sends the cases within a budget, and records them'),
    room('contracts/checks', 'one clause a file, held against a transcript'),
    room('contracts/transcript', 'what was sent and came back, and how to read it'),
    room('contracts/cases', 'which requests are made'),
    room(
      'contracts/look',
      'what all pages share: their style, safe HTML, visible text, code for browsers',
    ),
    room('contracts/json.ts', 'exact JSON'),
    room('contracts/dredd', 'a second, independent replay by Dredd'),
    room(
      'contracts/cli',
      'what both commands share: the error of a wrong call, loopback, redaction',
    ),
    room(
      'contracts/description',
      'the reader of an OpenAPI document: operations, resources, provenance',
    ),
  ],
  fixtures: [
    room(
      'fixtures',
      'keys, assumed figures of plans and bans, named animals, and the generator of more',
    ),
  ],
  tests: [room('tests', 'the tests, in folders as the code is')],
  tools: [room('tools', 'the build, the bench, and the lab of deployments broken on purpose')],
};

/** Whether a path is one of these places, or below one of them. */
export function isIn(path: string, ...places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
