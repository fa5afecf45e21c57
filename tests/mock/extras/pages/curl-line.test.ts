import { expect, it } from 'vitest';
import { toCurlLine } from '../../../../mock/extras/pages/browser/admin.ts';

const base = 'http://127.0.0.1:4010/sandboxes/a/__admin/console#limits';

it.each([
  [
    'no body',
    { method: 'GET', path: 'clock' },
    'curl http://127.0.0.1:4010/sandboxes/a/__admin/clock',
  ],
  [
    'a large integer',
    { method: 'POST', path: 'limits/demo-free', body: { ban: 9223372036854775807n } },
    `curl --json '{"ban":9223372036854775807}' http://127.0.0.1:4010/sandboxes/a/__admin/limits/demo-free`,
  ],
  [
    'a quote',
    { method: 'PUT', path: 'x', text: `{"a":"it's"}` },
    `curl -X PUT --json '{"a":"it'\\''s"}' http://127.0.0.1:4010/sandboxes/a/__admin/x`,
  ],
  [
    'a file',
    { method: 'PUT', path: 'x', text: '{}', file: 'a b.json' },
    `curl -X PUT --json '@a b.json' http://127.0.0.1:4010/sandboxes/a/__admin/x`,
  ],
] as const)('shows the line of a call with %s', (_, operation, line) => {
  expect(toCurlLine(operation, { hasToken: () => false }, { base, trust: [] })).toBe(line);
});

it('names the certificate that the twin put into the page', () => {
  const trust = ['--cacert', '/tmp/cert.pem'];
  const line = toCurlLine(
    { method: 'GET', path: 'clock' },
    { hasToken: () => true },
    { base: 'https://localhost:4010/__admin/console', trust },
  );
  expect(line).toBe(
    'curl --cacert /tmp/cert.pem -H "Authorization: Bearer $TOKEN" https://localhost:4010/__admin/clock',
  );
});
