import type { Case, CredentialForm } from '../cases/case.ts';
import type { ReportedExchange } from '../report/events.ts';
import { type Credential, toCredential, withQuery } from '../run/keys/credential.ts';
import type { Exchange } from '../transcript/exchange.ts';

const maxBody = 2000;

/**
 * An exchange as reports show it. Keys that a target echoed may still be in it; `redactReport`
 * removes them.
 */
export function toReported(
  { case: testCase, request, response, failure }: Exchange,
  baseUrl: string,
): ReportedExchange {
  const isShown = request.keyName !== undefined && !showsKey(request.headers);
  const shown = isShown ? shownCredential(testCase) : { headers: {}, query: [] };
  return {
    case: testCase.id,
    request: {
      method: request.method,
      url: baseUrl + withQuery(request.sentAs ?? request.path, shown.query),
      headers: { ...request.headers, ...shown.headers },
      ...(request.body !== undefined && { body: toShown(request.body) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers.map(([name, value]): [string, string] => [name, value]),
        body: cut(response.text),
      },
    }),
    ...(failure && { failure: failure.message }),
  };
}

/** A body that is no text, as reports show it. */
const asBytes = /^data:;base64,([\w+/=]*)$/;

function toShown(body: string | Uint8Array): string {
  const text = Buffer.from(body).toString();
  const isText = typeof body === 'string' || Buffer.from(text).equals(body);
  return isText ? text : `data:;base64,${Buffer.from(body).toString('base64')}`;
}

/** A line for a POSIX shell that sends the request again; the key comes from `$KEY`. */
export function toCurl({ request: { method, url, headers, body } }: ReportedExchange): string {
  const [, bytes] = asBytes.exec(body ?? '') ?? [];
  const parts =
    bytes === undefined ? ['curl', '-i'] : [`echo ${bytes} | base64 -d |`, 'curl', '-i'];
  if (method === 'HEAD') parts.push('-I');
  else if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push('-X', method);
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body !== undefined) {
    if (Object.keys(headers).every((name) => name.toLowerCase() !== 'content-type'))
      parts.push('-H', "'Content-Type:'");
    parts.push(...(bytes === undefined ? ['--data-raw', quoted(body)] : ['--data-binary', '@-']));
  }
  return [...parts, quoted(url)].join(' ');
}

/** Shell expressions for a key that is sent in another form. */
const shellForms: Partial<Record<CredentialForm, string>> = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  truncated: 'Bearer ${KEY%?}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  altered: 'Bearer ${KEY%?}x',
  'other-case': 'Bearer $(echo "$KEY" | tr a-zA-Z A-Za-z)',
  basic: 'Basic $(printf %s: "$KEY" | base64)',
};

/** Whether a header of its own name already shows where the key was sent. */
function showsKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name !== 'Authorization' && value === '$KEY',
  );
}

function shownCredential({ credential, parametersOf, operation = parametersOf }: Case): Credential {
  const { [credential]: shown } = shellForms;
  if (shown !== undefined) return { headers: { Authorization: shown }, query: [] };
  const { headers, query } = toCredential(
    credential,
    { name: '', secret: '$KEY' },
    { operation, secrets: [] },
  );
  const isBasic = credential !== 'unknown' && headers.Authorization?.startsWith('Basic ');
  return {
    headers: { ...headers, ...(isBasic && { Authorization: basicForm }) },
    query: query.map((pair) => pair.replaceAll('%24KEY', '$KEY')),
  };
}

/** Basic credentials with the key as the password. */
const basicForm = 'Basic $(printf key:%s "$KEY" | base64)';

/**
 * A shell word in which only the key is expanded, because bodies contain values that a target sent.
 */
function quoted(text: string): string {
  if (
    [...Object.values(shellForms), basicForm].some((form) => text === `Authorization: ${form}`) ||
    /^[^"\\`$!\p{C}]*\$KEY[^"\\`$!\p{C}\w]*$/u.test(text)
  )
    return `"${text}"`;
  const pieces = text.split('$KEY').map((piece) => (piece === '' ? '' : literal(piece)));
  return pieces.join('"$KEY"') || "''";
}

/** Text that the shell takes literally, on one line. */
function literal(text: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const bytes = (char: string) =>
    [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => short[char] ?? bytes(char))}'`;
}

function cut(text: string): string {
  return text.length > maxBody ? `${text.slice(0, maxBody)}... (${text.length} characters)` : text;
}
