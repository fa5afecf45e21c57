import type { Operation } from '../../contracts/description/document.ts';
import { toShellWord } from './shell.ts';

/** What a call of an operation sends: path with query below the base path, headers, body. */
export type Call = {
  target: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

export type CurlOptions = {
  /** Origin and base path. */
  base: string;
  /** A key, or a variable of the shell such as `$KEY`. */
  key: string;
  /** What makes curl trust the certificate. */
  trust: readonly string[];
};

/** A ready-to-paste line that calls an operation. */
export function toCurl(
  { method, secured }: Pick<Operation, 'method' | 'secured'>,
  { target, headers = {}, body }: Call,
  { base, key, trust }: CurlOptions,
): string {
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const header = `Authorization: Bearer ${key}`;
  return [
    'curl',
    ...trust,
    ...(isImplied ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]),
    ...(secured ? ['-H', key.startsWith('$') ? `"${header}"` : toShellWord(header)] : []),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', toShellWord(`${name}: ${value}`)]),
    ...(body === undefined ? [] : toBodyWords(body)),
    toShellWord(base + target),
  ].join(' ');
}

/** A body that begins with an at sign is a file's name for all options of curl but one. */
function toBodyWords(body: string): string[] {
  return body.startsWith('@')
    ? ['-H', "'Content-Type: application/json'", '--data-raw', toShellWord(body)]
    : ['--json', toShellWord(body)];
}
