import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { toCurl } from '../../../contracts/judging/reported-exchange.ts';
import type { ReportedExchange } from '../../../contracts/report/events.ts';

const url = 'http://127.0.0.1:8080/v1/pets';

type Request = ReportedExchange['request'];

/** Returns what a shell passes to curl for a request. */
function argumentsOf(request: Partial<Request>): string[] {
  const line = toCurl({
    case: 'a case',
    request: { method: 'POST', url, headers: {}, ...request },
  });
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const script = `curl() { printf '%s\\0' "$@"; }; KEY='top secret'; ${line}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

it('passes the key, and all else to the letter', () => {
  const headers = { Authorization: 'Bearer $KEY', 'Content-Type': 'application/json' };
  expect(argumentsOf({ method: 'GET', url: `${url}?limit=1`, headers })).toEqual([
    ...[
      '-i',
      '-H',
      'Authorization: Bearer top secret',
      '-H',
      'Content-Type: application/json',
      `${url}?limit=1`,
    ],
  ]);
});

it.each([
  '{"name":"O\'Malley"}',
  '{"name":"$(touch /tmp/harm) `id` $HOME $PATH \\\\ \\" !"}',
  '{"name":"犬🐕"}',
  'line\nbreak\ttab\r',
  '\u0001\u001b[31m\u202e\u{e0001}',
  '-',
  '@file',
])('passes the body %j to the letter, and lets the shell do nothing with it', (body) => {
  const headers = { 'Content-Type': 'application/json' };
  expect(argumentsOf({ body, headers })).toContain(body);
});

it('fills in the key, and nothing else, where it stands beside text of the target', () => {
  expect(argumentsOf({ url: `${url}?api_key=$KEY&q=$(id)\`id\`"'` })).toContain(
    `${url}?api_key=top secret&q=$(id)\`id\`"'`,
  );
});

it.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  ['Bearer ${KEY%?}', 'Bearer top secre'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
  ['Bearer ${KEY%?}x', 'Bearer top secrex'],
  ['Bearer $(echo "$KEY" | tr a-zA-Z A-Za-z)', 'Bearer TOP SECRET'],
  ['Basic $(printf %s: "$KEY" | base64)', `Basic ${Buffer.from('top secret:').toString('base64')}`],
  ['', ''],
])('sends the credential %j', (Authorization, sent) => {
  expect(argumentsOf({ headers: { Authorization } })).toContain(
    sent === '' ? 'Authorization;' : `Authorization: ${sent}`,
  );
});

it('sends no media type that the request had not', () => {
  expect(argumentsOf({ body: '{}' })).toEqual([
    '-i',
    '-H',
    'Content-Type:',
    '--data-raw',
    '{}',
    url,
  ]);
});
