import { expect, it } from 'vitest';
import { serveMock } from '../../support/run-mock.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { bearer } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const token = {
  security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
};

/** A document with one operation whose response has these headers. */
function documentOf(headers: object, more: object = {}) {
  const ok = { ...jsonOf({ const: 1 }), headers };
  const paths = { '/a': { get: { operationId: 'getA', responses: { 200: ok } } } };
  return toDocument(paths, { ...token, ...more });
}

const number = (example: number) => ({ schema: { type: 'integer', example } });
const init = { headers: bearer('demo-free') };

/** The statuses of calls that follow one another, and the last answer. */
async function callOften(document: object, times: number, settings = {}) {
  const { app, call } = await serveDocument(document, settings);
  app.clock.freeze(Date.UTC(2026, 0, 15, 12, 0, 20));
  const statuses: number[] = [];
  for (let at = 1; at < times; at++) statuses.push((await call('/a', init)).status);
  const last = await call('/a', init);
  const names = [...last.headers.keys()].filter((name) => /rate/.test(name));
  return { statuses: new Set([...statuses, last.status]), last, names };
}

it('limits no call to a document that describes no limits, and sends no headers of limits', async () => {
  const { statuses, names } = await callOften(documentOf({}), 70);
  expect({ statuses, names }).toEqual({ statuses: new Set([200]), names: [] });
  const { stdout } = await serveMock(['--spec', await writeJson(documentOf({}))]);
  expect(stdout).toContain('\n  Limits none: the document states none; --plans sets them\n');
  expect(stdout).toContain('\n  Keys   demo-free\n');
});

it('limits calls by the figure of a header that it describes, under the names of the document', async () => {
  const headers = {
    'X-Rate-Limit-Limit': number(3),
    'X-Rate-Limit-Remaining': number(2),
    'X-Rate-Limit-Reset': number(30),
  };
  const { statuses, last } = await callOften(documentOf(headers), 4);
  expect([...statuses]).toEqual([200, 429]);
  expect(last.headers.get('X-Rate-Limit-Limit')).toBe('3');
  expect(last.headers.get('X-Rate-Limit-Remaining')).toBe('0');
  expect(Number(last.headers.get('X-Rate-Limit-Reset'))).toBeLessThanOrEqual(60);
  expect(last.headers.get('X-RateLimit-Limit')).toBeNull();
  expect(Number(last.headers.get('Retry-After'))).toBeGreaterThan(0);
});

it('sends the headers of the standard, and only counts where no figure is described', async () => {
  const schema = { type: 'string' };
  const { statuses, last } = await callOften(
    documentOf({ RateLimit: { schema }, 'RateLimit-Policy': { schema } }),
    62,
  );
  expect(statuses).toEqual(new Set([200]));
  expect(last.headers.get('RateLimit')).toMatch(/^"minute";r=0;t=\d+$/);
  expect(last.headers.get('RateLimit-Policy')).toBe('"minute";q=60;w=60');
});

it.each([
  ['a number', 2],
  ['a limit of a minute', { limit: 2, per: 'minute' }],
  ['a limit of an hour', { limit: 120, per: 3600 }],
])('limits calls by x-rate-limit as %s', async (_, stated) => {
  const { statuses } = await callOften(documentOf({}, { 'x-rate-limit': stated }), 3);
  expect([...statuses]).toEqual([200, 429]);
});

it('limits calls by plans that are given, whatever the document says', async () => {
  const plans = await writeJson({ plans: { free: { perMinute: 2, perDay: 10 } } });
  const { statuses, last } = await callOften(documentOf({}), 3, { plans });
  expect([...statuses]).toEqual([200, 429]);
  expect(last.headers.get('X-RateLimit-Limit')).toBe('2');
});
