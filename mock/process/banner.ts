import { setImmediate } from 'node:timers/promises';
import { styleText } from 'node:util';
import { builtInDocument } from '../../common/built-in-document.ts';
import { toVisible as plain } from '../../common/look/visible.ts';
import { describePinned } from '../../common/prose/pinned.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { toShellWord } from '../curl/shell.ts';
import { toCurl } from '../curl/to-curl.ts';
import { answerSourceOf, describeStateless } from '../documented/answer-source.ts';
import { createToExampleCall } from '../documented/example-calls.ts';
import type { OwnBehaviours } from '../extras/behaviours/read-behaviours.ts';
import { type Access, describeAccess, describeTokens } from '../extras/schemes/challenges.ts';
import { toTolerance } from '../http/tolerance.ts';
import type { GivenData } from '../items/given-items.ts';
import type { LimitMode } from '../limits/limiter.ts';
import { describeFigures } from '../limits/windows.ts';
import { noAdmin, reachable } from '../listener.ts';
import { withoutCredentials } from '../redact.ts';
import type { SandboxSettings } from '../sandboxes/sandbox-options.ts';
import type { PreparedFiles } from '../served.ts';
import type { Config } from '../settings/settings.ts';
import type { Twin } from '../twin.ts';

/**
 * Returns the mock's startup text: address, keys and plans, seed, and a `curl` line for each
 * operation. `explain` is the command that explains a document.
 */
export async function toBanner(
  { origin, app, document, keys, demoKeys, loopback, curlTrust, authorityFile }: Twin,
  config: Config,
  { explain = 'npm run explain --' } = {},
): Promise<string> {
  const root = reachable(origin);
  const base = `${root}${document.basePath}`;
  const { title: name, version, written } = document;
  const corrected = written.overlays ? `, corrected by ${written.overlays.join(', ')}` : '';
  const access = describeAccess(document);
  const isOfOthers = app.served.limits !== 'plans';
  const counts = access.asksForKeys || isOfOthers;
  const dataLines = toDataLines({ app, document }, { ...config, explain });
  const hasAdmin = config.adminToken !== undefined || loopback;
  const client = demoKeys ? keys[0]?.name : undefined;
  const tokens = access.oauth ? describeTokens(access.oauth, { root, client }) : [];
  const key = demoKeys ? (keys[0]?.key ?? '') : '$KEY';
  return [
    `${bold('petstore-twin')} ${dim('serves')} ${plain(`${name} ${version}${corrected}`)}`,
    '',
    `  ${styleText(['bold', 'cyan'], plain(base), { stream: process.stdout })}`,
    '',
    ...labelled('Keys', (access.asksForKeys ? toKeyLines(keys, app.served) : noKeys).map(plain)),
    ...labelled('Limits', [counts ? toLimitsLine(app.served, config.rateLimits) : withoutKeys]),
    ...labelled('Auth', toAuthLines(access).map(plain)),
    ...tokens.map(({ name, text }) => `${label(name)}${plain(text)}`),
    ...dataLines.map(([name, line]) => `${label(name)}${plain(line)}`),
    ...labelled('Profile', document.pinned ? [plain(describePinned(document))] : []),
    ...labelled('Mode', toModeLines(config)),
    ...labelled('Passed', toForwardLines(config)),
    ...labelled('Code', app.served.behaviours ? [plain(toCodeLine(app.served.behaviours))] : []),
    ...labelled(
      'Store',
      config.store === 'memory' ? [] : [plain(withoutCredentials(config.store))],
    ),
    ...labelled('Trust', authorityFile === undefined ? [] : [plain(toTrustLine(authorityFile))]),
    ...labelled('Admin', [hasAdmin ? `${root}/__admin` : noAdmin]),
    ...labelled('Pages', toPageLines(document, { origin: root, hasAdmin })),
    '',
    ...(await toOperationLines(document, app, { base, key, trust: curlTrust(base) })),
    '',
  ].join('\n');
}

/** Returns the settings that make Node, curl and clients of OpenSSL trust the authority. */
function toTrustLine(file: string): string {
  const word = toShellWord(file);
  return `NODE_EXTRA_CA_CERTS=${word}, curl --cacert ${word}, SSL_CERT_FILE=${word}`;
}

function toCodeLine({ operations: { size }, source }: OwnBehaviours): string {
  return `${size} ${size === 1 ? 'behaviour' : 'behaviours'} from ${source}`;
}

/** Lists the forwarded operations and their target. */
function toForwardLines({ forward, forwardOperations }: Config): string[] {
  if (forward === undefined) return [];
  return [plain(`${forwardOperations.join(', ')} to ${withoutCredentials(forward)}`)];
}

/** Tells what the mock does not check or store. */
function toModeLines(config: Config): string[] {
  const { admitsAnyone, isBaseOptional, givesExamples, isStateless } = toTolerance(config);
  const modes = [
    ...(isStateless ? ['nothing is stored'] : []),
    ...(admitsAnyone ? ['any caller is accepted'] : []),
    ...(givesExamples ? ['unknown ids get an example'] : []),
    ...(isBaseOptional ? ['paths work without the base path, too'] : []),
  ];
  return modes.length > 0 ? [modes.join('; ')] : [];
}

const noKeys = ['none needed: no operation requires credentials'];

const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
const dim = (text: string) => styleText('dim', text, { stream: process.stdout });
const label = (text: string) => `  ${dim(text.padEnd(7))}`;

/** Lines of which the first has a name before it. */
function labelled(name: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${label(index === 0 ? name : '')}${line}`);
}

/** The first operations, each with a call that works. */
async function toOperationLines(
  document: Api,
  { store, served: { writeXml, behaviours } }: Twin['app'],
  options: Parameters<typeof toCurl>[2],
): Promise<string[]> {
  const shown = document.operations.slice(0, maxOperations);
  const more = document.operations.length - shown.length;
  const idWidth = Math.max(0, ...shown.map(({ id }) => plain(id).length));
  const toExampleCall = createToExampleCall(document, { store, writeXml });
  const toLine = async (operation: Operation) => {
    const call = await toExampleCall(operation);
    const keyed = { ...operation, keyPlaces: keyPlacesOf(operation) };
    const command = call ? toCurl(keyed, call, options) : noExample;
    const isOwn = behaviours?.operations.has(`${operation.method} ${operation.path}`);
    const note = isOwn ? '  # a behaviour answers' : '';
    return `${label('')}${dim(plain(operation.id).padEnd(idWidth))}  ${command}${note}`;
  };
  const lines: string[] = [];
  for (const operation of shown) {
    lines.push(await toLine(operation));
    // Ids are those of generated items, and the first requests may be there meanwhile.
    await setImmediate();
  }
  if (more > 0) lines.push(`${label('')}and ${more.toLocaleString('en')} more operations`);
  return lines;
}

/** As many as a terminal shows with the lines above; each needs an example call, and items for its id. */
const maxOperations = 12;

const noExample = '(no example: no query or body could be generated that the mock accepts)';

const withoutKeys = 'none: only calls with a key are limited; headers show the free plan';

/** The description of each limit mode; every response has the headers. */
const limitsIn: Readonly<Record<LimitMode, string>> = {
  enforce: 'enforce',
  observe: 'observe: counted in the headers, nothing is refused',
  off: 'off: nothing is counted or refused; headers show unused windows',
};

function toLimitsLine(
  { limits, document, initialState }: PreparedFiles,
  mode: LimitMode = 'enforce',
): string {
  const { rateLimits } = initialState.settings;
  if (limits === 'plans' || rateLimits === mode) return limitsIn[mode];
  if (limits === 'none') return 'none: the document states none; --plans sets them';
  const names = document.limits?.headers.map(({ name }) => name).join(', ');
  return `observe: the document states no figure, so ${names} only count`;
}

function toKeyLines(
  keys: Twin['keys'],
  { limits, document, initialState }: PreparedFiles,
): string[] {
  const areUnlimited = limits !== 'plans' && initialState.settings.rateLimits === 'off';
  const isSameForAll = limits === 'documented' && document.limits?.perMinute !== undefined;
  const shown = keys.slice(0, 10);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, plan }) => {
    if (areUnlimited) return name;
    if (isSameForAll)
      return `${name.padEnd(width)}  ${plan.perMinute.toLocaleString('en')} a minute`;
    return `${name.padEnd(width)}  ${plan.name}: ${describeFigures(plan)}`;
  });
  return keys.length > shown.length ? [...lines, `and ${keys.length - shown.length} more`] : lines;
}

/** Returns the lines about the ways to send keys, unless bearer tokens are the only way. */
function toAuthLines({ schemes, unchecked }: Access): string[] {
  const shown = schemes.slice(0, maxSchemes);
  const more = schemes.length - shown.length;
  return [
    ...shown.map(({ name, expected }) => `${name}: ${expected}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(unchecked.length === 0 ? [] : [`not checked: ${unchecked.join(', ')}`]),
  ];
}

const maxSchemes = 8;

type Line = [label: string, text: string];

/**
 * Returns lines about the initial data and the operations that keep state. For a document other
 * than the built-in one, a line names the command that explains it.
 */
function toDataLines(
  { app, document }: Pick<Twin, 'app' | 'document'>,
  { data: given, spec = '', overlay, allowRefs, explain }: Config & { explain: string },
): Line[] {
  const { operations, file } = document;
  const data = app.served.data
    ? toGivenLine(app.served.data, given ?? 'data')
    : toDataLine(document, app.served.initialState.settings);
  const stateless = describeStateless(document);
  if (file === builtInDocument)
    return [['Data', stateless === '' ? data : `${data}; fixed responses: ${stateless}`]];
  const corrected = overlay === undefined ? [] : ['--overlay', overlay];
  const allowed = allowRefs === undefined ? [] : ['--allow-refs', allowRefs];
  const words = [spec, ...corrected, ...allowed].map(toShellWord);
  const count = operations.filter((one) => answerSourceOf(one) === 'store').length;
  return [
    ['Data', data],
    [
      'State',
      `in ${count} of ${operations.length} operations; see ${[explain, ...words].join(' ')}`,
    ],
    ...(stateless === '' ? [] : [['', `fixed responses: ${stateless}`] as Line]),
  ];
}

function toDataLine(
  { resources, singletons }: Api,
  { seed, items = 0 }: Pick<SandboxSettings, 'seed' | 'items'>,
): string {
  const count = items.toLocaleString('en');
  // How many items are below others depends on these.
  const [nested = [], own = []] = [true, false].map((isNested) =>
    resources.filter(({ scope }) => (scope !== undefined) === isNested),
  );
  const names = own.slice(0, maxNamed).map(({ name }) => name);
  const more = own.length - names.length;
  const others = more > 0 ? ` and ${more.toLocaleString('en')} more` : '';
  const below =
    nested.length === 0
      ? ''
      : `, and items of ${nested.length.toLocaleString('en')} nested ${nested.length === 1 ? 'collection' : 'collections'}`;
  const single = describeSingles(singletons.map(({ path }) => path));
  if (resources.length === 0)
    return single ?? 'none: the document has no collection that the mock can store';
  return `seed ${seed}, ${count} ${names.length === 1 ? names[0] : `each of ${names.join(', ')}${others}`}${below}${single === undefined ? '' : `, and ${single}`}`;
}

function describeSingles(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length - maxNamed;
  const names = paths.slice(0, maxNamed).join(', ');
  return `the ${paths.length === 1 ? 'singleton' : 'singletons'} ${names}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

const maxNamed = 8;

function toGivenLine({ collections, isSnapshot }: GivenData, file: string): string {
  const counts = Object.entries(collections).map(
    ([name, { items }]) => `${items.length.toLocaleString('en')} ${name}`,
  );
  return `${counts.join(', ')} of ${file}${isSnapshot ? ', a snapshot, without its clock, limits and settings' : ''}`;
}

/** The pages for browsers, on two lines; an operation at `/` comes before the start page. */
function toPageLines(
  { basePath, operations }: Api,
  { origin, hasAdmin }: { origin: string; hasAdmin: boolean },
): string[] {
  const hasStart = !operations.some(
    ({ method, path }) => method === 'GET' && basePath + path === '/',
  );
  const reference = `${origin}/__docs (reference)`;
  return [
    hasStart ? `${origin} (start page), ${reference}` : reference,
    ...(hasAdmin ? [`${origin}/__admin/console (console)`] : []),
  ];
}
