import { styleText } from 'node:util';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { keyPlacesOf } from '../../contracts/description/key-places.ts';
import { describePinned } from '../../contracts/description/pinned.ts';
import { toVisible as plain } from '../../contracts/look/visible.ts';
import { toCurl } from '../curl/to-curl.ts';
import { createToExampleCall } from '../documented/example-calls.ts';
import type { LimitMode } from '../limits/limiter.ts';
import { withoutCredentials } from '../redact.ts';
import { type Access, describeAccess, describeTokens } from '../security/describe-access.ts';
import type { PreparedServed } from '../served.ts';
import type { Config } from '../settings/settings.ts';
import type { Twin } from '../twin.ts';
import { toDataLines } from './data-lines.ts';

/**
 * What the mock prints at the start: address, keys and plans, seed, and a `curl` line for each
 * operation. `explain` is the command that explains a document.
 */
export async function toBanner(
  { origin, app, document, keys, demoKeys, loopback, curlTrust }: Twin,
  config: Config,
  { explain = 'npm run explain --' } = {},
): Promise<string> {
  const { rateLimits, store, adminToken } = config;
  const base = `${reachable(origin)}${document.basePath}`;
  const { title: name, version, written } = document;
  const corrected = written.overlays ? `, corrected by ${written.overlays.join(', ')}` : '';
  const title = plain(`${name} ${version}${corrected}`);
  const trust = curlTrust(base);
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
  const dim = (text: string) => styleText('dim', text, { stream: process.stdout });
  const label = (text: string) => `  ${dim(text.padEnd(7))}`;
  const access = describeAccess(document);
  const client = demoKeys ? keys[0]?.name : undefined;
  const isOfOthers = app.served.limits !== 'plans';
  const keyLines = access.asksForKeys
    ? toKeyLines(keys, app.served)
    : ['none needed: no operation requires credentials'];
  const dataLines = await toDataLines({ app, document }, { ...config, explain });
  const shown = document.operations.slice(0, maxOperations);
  const more = document.operations.length - shown.length;
  const idWidth = Math.max(0, ...shown.map(({ id }) => plain(id).length));
  const hasAdmin = adminToken !== undefined || loopback;
  const admin = hasAdmin
    ? `${reachable(origin)}/__admin`
    : 'off; set --admin-token to use it beyond loopback';
  const toExampleCall = createToExampleCall(document, {
    store: app.store,
    compileSchema: app.served.compileSchema,
    writeXml: app.served.writeXml,
  });
  const key = demoKeys ? (keys[0]?.key ?? '') : '$KEY';
  const toLine = async (operation: Operation) => {
    const call = await toExampleCall(operation);
    const shown = call
      ? toCurl({ ...operation, keyPlaces: keyPlacesOf(operation) }, call, { base, key, trust })
      : noExample;
    return `${label('')}${dim(plain(operation.id).padEnd(idWidth))}  ${shown}`;
  };
  return [
    `${bold('petstore-twin')} ${dim('serves')} ${title}`,
    '',
    `  ${styleText(['bold', 'cyan'], plain(base), { stream: process.stdout })}`,
    '',
    ...keyLines.map((line, index) => `${label(index === 0 ? 'Keys' : '')}${plain(line)}`),
    `${label('Limits')}${access.asksForKeys || isOfOthers ? toLimitsLine(app.served, rateLimits) : withoutKeys}`,
    ...toAuthLines(access).map(
      (line, index) => `${label(index === 0 ? 'Auth' : '')}${plain(line)}`,
    ),
    ...(access.oauth ? describeTokens(access.oauth, { root: reachable(origin), client }) : []).map(
      ({ name, text }) => `${label(name)}${plain(text)}`,
    ),
    ...dataLines.map(([name, line]) => `${label(name)}${plain(line)}`),
    ...(document.pinned ? [`${label('Pinned')}${plain(describePinned(document))}`] : []),
    ...(store === 'memory' ? [] : [`${label('Store')}${plain(withoutCredentials(store))}`]),
    `${label('Admin')}${admin}`,
    ...toPageLines(document, { origin: reachable(origin), hasAdmin }).map(
      (line, index) => `${label(index === 0 ? 'Pages' : '')}${line}`,
    ),
    '',
    ...(await Promise.all(shown.map(toLine))),
    ...(more > 0 ? [`${label('')}and ${more.toLocaleString('en')} more operations`] : []),
    '',
  ].join('\n');
}

/** Each has to be made an example call of. */
const maxOperations = 40;

const noExample = '(no example: no query or body could be generated that the mock accepts)';

const withoutKeys = 'none: only calls with a key are limited; headers show the free plan';

/** What each mode does; every response has the headers. */
const limitsIn: Readonly<Record<LimitMode, string>> = {
  enforce: 'enforce',
  observe: 'observe: counted in the headers, nothing is refused',
  off: 'off: nothing is counted or refused; headers show unused windows',
};

function toLimitsLine(
  { limits, document, initialState }: PreparedServed,
  mode: LimitMode = 'enforce',
): string {
  const { rateLimits } = initialState.settings;
  if (limits === 'plans' || rateLimits === mode) return limitsIn[mode];
  if (limits === 'none') return 'none: the document describes none; --plans sets some';
  const names = document.limits?.headers.map(({ name }) => name).join(', ');
  return `observe: the document names no figure, so ${names} only count`;
}

function toKeyLines(
  keys: Twin['keys'],
  { limits, document, initialState }: PreparedServed,
): string[] {
  const areUnlimited = limits !== 'plans' && initialState.settings.rateLimits === 'off';
  const isSameForAll = limits === 'documented' && document.limits?.perMinute !== undefined;
  const shown = keys.slice(0, 10);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, plan }) => {
    if (areUnlimited) return name;
    if (isSameForAll) return `${name.padEnd(width)}  ${plan.perMinute.toLocaleString('en')}/min`;
    const figures = `${plan.perMinute.toLocaleString('en')}/min, ${plan.perDay.toLocaleString('en')}/day`;
    return `${name.padEnd(width)}  ${plan.name}: ${figures}`;
  });
  return keys.length > shown.length ? [...lines, `and ${keys.length - shown.length} more`] : lines;
}

/** How keys are sent, where that is not as bearer tokens alone. */
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

/** The pages for browsers, on two lines; an operation at `/` comes before the start page. */
function toPageLines(
  { basePath, operations }: ApiDocument,
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

function reachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
