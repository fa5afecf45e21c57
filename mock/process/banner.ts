import { styleText } from 'node:util';
import type { ApiDocument, Operation, Parameter } from '../../contracts/description/document.ts';
import { toShellWord } from '../curl/shell.ts';
import { describeStateless, findUnchecked } from '../documented/answer-source.ts';
import { toPlainLine as plain } from '../log.ts';
import type { Config } from '../settings/settings.ts';
import type { Twin } from '../twin.ts';

/**
 * What a person sees at the start: address, keys and plans, seed, and a `curl` line for each
 * operation.
 */
export function toBanner(
  { origin, document, keys, demoKeys, loopback, curlTrust }: Twin,
  { seed, pets, rateLimits, adminToken }: Config,
): string {
  const base = `${reachable(origin)}${document.basePath}`;
  const title = plain(`${document.title} ${document.version}`);
  const trust = curlTrust(base);
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
  const dim = (text: string) => styleText('dim', text, { stream: process.stdout });
  const label = (text: string) => `  ${dim(text.padEnd(7))}`;
  const asksForKeys = document.operations.some(({ secured }) => secured);
  const keyLines = asksForKeys
    ? toKeyLines(keys)
    : ['none needed: no operation requires a bearer token'];
  const [stateless, unchecked] = [describeStateless(document), findUnchecked(document)];
  const idWidth = Math.max(...document.operations.map(({ id }) => plain(id).length));
  const admin =
    adminToken === undefined && !loopback
      ? 'off; set --admin-token to use it beyond loopback'
      : `${reachable(origin)}/__admin`;
  return [
    `${bold('petstore-twin')} ${dim('serves')} ${title}`,
    '',
    `  ${styleText(['bold', 'cyan'], plain(base), { stream: process.stdout })}`,
    '',
    ...keyLines.map((line, index) => `${label(index === 0 ? 'Keys' : '')}${plain(line)}`),
    `${label('Limits')}${asksForKeys ? rateLimits : 'none: only calls with a key are limited'}`,
    ...(unchecked.length === 0
      ? []
      : [`${label('Auth')}not checked: ${plain(unchecked.join(', '))}`]),
    `${label('Data')}${plain(toDataLine(document, { seed, pets }))}${stateless === '' ? '' : `; stateless: ${plain(stateless)}`}`,
    `${label('Admin')}${admin}`,
    '',
    ...document.operations.map((operation) => {
      const key = demoKeys ? (keys[0]?.key ?? '') : '$KEY';
      return `${label('')}${dim(plain(operation.id).padEnd(idWidth))}  ${toCurl(operation, { base, key, trust })}`;
    }),
    '',
  ].join('\n');
}

function toKeyLines(keys: Twin['keys']): string[] {
  const shown = keys.slice(0, 10);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, plan }) => {
    const figures = `${plan.perMinute.toLocaleString('en')}/min, ${plan.perDay.toLocaleString('en')}/day`;
    return `${name.padEnd(width)}  ${plan.name}: ${figures}`;
  });
  return keys.length > shown.length ? [...lines, `and ${keys.length - shown.length} more`] : lines;
}

function toDataLine(
  { resources }: ApiDocument,
  { seed, pets }: Pick<Config, 'seed' | 'pets'>,
): string {
  const count = pets.toLocaleString('en');
  const names = resources.map(({ name }) => name);
  if (names.length === 0) return 'none: the document has no collection that the twin can store';
  return `seed ${seed}, ${count} ${names.length === 1 ? names[0] : `each of ${names.join(', ')}`}`;
}

/**
 * A ready-to-paste line that calls an operation with its first examples, and with nothing that it
 * does not need.
 */
function toCurl(
  { method, path, parameters, body, secured }: Operation,
  { base, key, trust }: { base: string; key: string; trust: readonly string[] },
): string {
  const exampleOf = (parameter?: Parameter) =>
    encodeURIComponent(String(Object.values(parameter?.examples ?? {})[0] ?? 1));
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name) =>
    exampleOf(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)),
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${exampleOf(parameter)}`);
  const example = Object.values(body?.examples ?? {})[0];
  const parts = ['curl', ...trust];
  if (method !== 'GET' && !body) parts.push('-X', method);
  if (secured)
    parts.push(
      '-H',
      key.startsWith('$')
        ? `"Authorization: Bearer ${key}"`
        : toShellWord(`Authorization: Bearer ${key}`),
    );
  if (body)
    parts.push(
      ...(method === 'POST' ? [] : ['-X', method]),
      '--json',
      toShellWord(JSON.stringify(example ?? {})),
    );
  return [
    ...parts,
    toShellWord(`${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`),
  ].join(' ');
}

function reachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
