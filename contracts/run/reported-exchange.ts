import { credentialHeaders } from './credential.ts';
import type { ReportedExchange } from './events.ts';
import type { Exchange } from './exchange.ts';

const longestBody = 2000;

/** An exchange as reports show it, keys filtered. */
export function toReported(
  { case: one, request, response, failure }: Exchange,
  baseUrl: string,
  secrets: readonly string[],
): ReportedExchange {
  const filtered = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '$KEY'), text);
  return {
    case: one.id,
    request: {
      method: request.method,
      url: filtered(baseUrl + request.path),
      headers: { ...request.headers, ...shownCredential(one.credential) },
      ...(request.body !== undefined && { body: filtered(String(request.body)) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers.map(([name, value]): [string, string] => [name, filtered(value)]),
        body: cut(filtered(response.text)),
      },
    }),
    ...(failure && { failure: failure.message }),
  };
}

/** A line for a POSIX shell that sends the request again; the key comes from `$KEY`. */
export function toCurl({ request: { method, url, headers, body } }: ReportedExchange): string {
  const parts = ['curl', '-i'];
  if (method === 'HEAD') parts.push('-I');
  else if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push('-X', method);
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body !== undefined) parts.push('--data-binary', quoted(body));
  return [...parts, quoted(url)].join(' ');
}

function shownCredential(form: Exchange['case']['credential']): Record<string, string> {
  const headers = credentialHeaders(form, '$KEY');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  if (form === 'truncated') return { Authorization: 'Bearer ${KEY%?}' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  if (form === 'altered') return { Authorization: 'Bearer ${KEY%?}x' };
  if (form === 'other-case') return { Authorization: 'Bearer $(echo "$KEY" | tr a-zA-Z A-Za-z)' };
  return form === 'basic' ? { Authorization: 'Basic $(printf %s: "$KEY" | base64)' } : headers;
}

/** Single quotes, but double where the shell is to fill something in. */
function quoted(text: string): string {
  if (!text.includes('$KEY') && !text.includes('${KEY') && !text.includes('$(')) return `'${text.replaceAll("'", "'\\''")}'`;
  return `"${text.replace(/[\\`]/g, '\\$&').replace(/(?<!\([^)]*)"(?![^(]*\))/g, '\\"')}"`;
}

function cut(text: string): string {
  return text.length > longestBody ? `${text.slice(0, longestBody)}... (${text.length} characters)` : text;
}
