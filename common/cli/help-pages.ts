import { print } from '../look/print.ts';
import { DocumentError } from './usage-error.ts';

type Rows = readonly (readonly [message: RegExp, page: string])[];

/** Errors about a document, whatever the command, by their messages. */
const ofDocuments: Rows = [
  [/overlay/i, 'docs/documents.md#overlays'],
  [/\$ref|refers to|allow-refs/, 'docs/documents.md#references-to-other-files'],
  [/as pins/, 'docs/calibrate.md#the-file'],
  [/./, 'docs/documents.md'],
];

/** Errors of the commands that call deployments. */
const ofTargets: Rows = [
  [/--key|TARGET_KEYS|needs? a key|A key /, 'docs/verify.md#credentials'],
  [/--fuzz/, 'docs/fuzzing.md'],
];

/** The pages of each command: by the messages of its errors, and last that of all others. */
export const pagesOfCommands: Readonly<Record<string, Rows>> = {
  init: [[/./, 'docs/init.md']],
  mock: [
    [/--tls|PEM|certificate/, 'docs/server.md#https'],
    [/--webhook/, 'docs/webhooks.md'],
    [/--forward/, 'docs/forward.md'],
    [/--behaviours/, 'docs/behaviours.md'],
    [/--keys|--plans/, 'docs/limits.md#your-own-keys-and-plans'],
    [/--data|--items/, 'docs/data.md#your-own-items'],
    [/--pins/, 'docs/calibrate.md#the-file'],
    [/was used with other items|--reset-store/, 'docs/stores.md#another-document-or-other-items'],
    [/--store|Redis|SQLite/, 'docs/stores.md'],
    [/--allow-refs/, 'docs/documents.md#references-to-other-files'],
    [/--overlay/, 'docs/documents.md#overlays'],
    [/--host/, 'docs/server.md#other-machines'],
    [/\bAPIs?\b|"apis"|--spec (?:gives|is given)/, 'docs/many-apis.md'],
    [/./, 'docs/options.md'],
  ],
  mcp: [[/./, 'docs/mcp.md']],
  explain: [[/./, 'docs/other-documents.md']],
  verify: [...ofTargets, [/./, 'docs/verify.md#options']],
  proxy: [...ofTargets, [/./, 'docs/proxy.md#options']],
  judge: [...ofTargets, [/./, 'docs/recordings.md']],
  calibrate: [...ofTargets, [/./, 'docs/calibrate.md#recording-a-profile']],
  docs: [[/./, 'docs/reference.md']],
  types: [[/./, 'docs/library.md#types-and-files']],
  data: [[/./, 'docs/data.md#items-of-a-deployment']],
  learn: [...ofTargets, [/./, 'docs/learn.md']],
  fidelity: [[/./, 'docs/learn.md#fidelity']],
  dredd: [[/./, 'docs/verify.md#dredd']],
};

/** Returns the page of the docs that helps with an error of a command. */
export function pageOf(command: string, error: Error): string | undefined {
  const rows = error instanceof DocumentError ? ofDocuments : pagesOfCommands[command];
  return rows?.find(([message]) => message.test(error.message))?.[1];
}

/** Tells a person at a terminal which page of the docs helps with an error of a command. */
export function showPage(command: string, error: Error): void {
  const page = process.stderr.isTTY ? pageOf(command, error) : undefined;
  if (page !== undefined) print(`More: ${page}\n`, process.stderr);
}
