import type { Operation } from '../../contracts/description/document.ts';
import type { ExampleCall } from './example-calls.ts';
import { toShellWord } from './shell.ts';

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
  { target, body }: ExampleCall,
  { base, key, trust }: CurlOptions,
): string {
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const header = `Authorization: Bearer ${key}`;
  return [
    'curl',
    ...trust,
    ...(isImplied ? [] : ['-X', method]),
    ...(secured ? ['-H', key.startsWith('$') ? `"${header}"` : toShellWord(header)] : []),
    ...(body === undefined ? [] : ['--json', toShellWord(body)]),
    toShellWord(base + target),
  ].join(' ');
}
