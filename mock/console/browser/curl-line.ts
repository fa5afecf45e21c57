import { toShellWord } from '../../curl/shell.ts';
import { stringifyExact } from '../../json/exact-integers.ts';
import type { Admin, Operation } from '../../pages/browser/admin.ts';

/** The line for a shell that does what a call of the admin does; the token stays a variable. */
export function toCurlLine(
  { method, path, body, text, file, mediaType }: Operation,
  admin: Pick<Admin, 'hasToken'>,
  { base, trust }: { base: string; trust: readonly string[] },
): string {
  const given = text ?? (body === undefined ? undefined : stringifyExact(body));
  const content = file === undefined ? given : `@${file}`;
  const isImplied = method === (content === undefined ? 'GET' : 'POST');
  return [
    'curl',
    ...trust,
    ...(isImplied ? [] : ['-X', method]),
    ...(admin.hasToken() ? ['-H', '"Authorization: Bearer $TOKEN"'] : []),
    ...(content === undefined ? [] : ['--json', toShellWord(content)]),
    ...(mediaType === undefined ? [] : ['-H', toShellWord(`Content-Type: ${mediaType}`)]),
    toShellWord(new URL(path, base).href),
  ].join(' ');
}
