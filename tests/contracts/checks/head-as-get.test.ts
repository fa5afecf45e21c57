import { expect, it } from 'vitest';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { writeJson } from '../../support/write-json.ts';

const runVerify = useVerify();
const note = { type: 'object', properties: { id: { type: 'integer' } } };
const other = { operationId: 'other', responses: { 200: jsonOf({ type: 'array' }) } };
const list = { operationId: 'list', responses: { 200: jsonOf({ type: 'array', items: note }) } };

type Answer = { status: number; body?: unknown };
type Row = [what: string, answer: (method: string, calls: number) => Answer, isWrong: boolean];

const rows: Row[] = [
  ['a GET that is 200', (method) => ({ status: method === 'HEAD' ? 405 : 200, body: [] }), true],
  ['a GET that is 404', () => ({ status: 404, body: {} }), false],
  ['a GET that is 204', () => ({ status: 204 }), false],
  ['another status', (method) => ({ status: method === 'HEAD' ? 201 : 200, body: [] }), true],
];

it.each(rows)('compares HEAD with GET of the same address: %s', async (_, answer, isWrong) => {
  let calls = 0;
  const url = await startServer(({ method, path }) =>
    path === '/notes' ? answer(method, ++calls) : { status: 200, body: [] },
  );
  const spec = await writeJson(toDocument({ '/notes': { get: list }, '/other': { get: other } }));
  const { out } = await runVerify([
    ...['--spec', spec, '--target', url, '--no-mock', '--only', 'head-as-get', '--json', '-'],
  ]);
  const { findings, clauses } = JSON.parse(out);
  const checks = findings.map(({ check }: { check: string }) => check);
  expect(checks).toEqual(isWrong ? ['head-as-get'] : []);
  expect(clauses[0].results.target.held).toBe(1);
});
