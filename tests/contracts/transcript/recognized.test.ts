import fc from 'fast-check';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { readBack } from '../../../contracts/checks/read-back.ts';
import { successStatus } from '../../../contracts/checks/success-status.ts';
import { uniqueIds } from '../../../contracts/checks/unique-ids.ts';
import { compare } from '../../../contracts/judging/compare.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { withSlashes } from '../../../contracts/run/item-paths.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { isWithin } from '../../../contracts/transcript/recognize.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import { compile, type Operation, type Schema } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { pathParameter, toDocument } from '../../support/serve-document.ts';
import { judgeTraffic } from '../../support/traffic.ts';
import { rowOf } from '../../support/verify-deployment.ts';

const document = await compile(builtInDocument);

it.each<[schema: Schema, fits: string[], excluded: string[], unknown: string[]]>([
  [{ type: 'integer', minimum: 1, maximum: 9 }, ['1', '9'], ['0', '10', '1.5', 'x', '01', ''], []],
  [{ type: 'number', minimum: 0 }, ['1.5', '0'], ['-1', 'x'], []],
  [{ type: 'boolean' }, ['true', 'false'], ['yes', '1', 'TRUE'], []],
  [{ type: 'string' }, ['a b', '7'], [], ['']],
  [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c', ''], []],
  [{ type: 'string', maxLength: 2, pattern: '^[A-Z]+$' }, ['AB'], ['ABC', 'ab'], []],
  [{ type: 'string', pattern: '(' }, [], [], ['a']],
  [{ type: 'string', format: 'date' }, ['2024-02-03'], ['never', '2024-13-03'], []],
  [{ type: 'array', items: { type: 'integer' } }, ['1'], ['x'], ['1,2']],
  [{ anyOf: [{ type: 'integer' }] }, [], [], ['1', 'x']],
  [{}, ['x'], [], []],
])('knows which values of %j the interface means', (schema, fits, excluded, unknown) => {
  const of = (values: string[]) =>
    values.map((value) => [value, isWithin(document, schema, value)]);
  expect(of(fits)).toEqual(fits.map((value) => [value, true]));
  expect(of(excluded)).toEqual(excluded.map((value) => [value, false]));
  expect(of(unknown)).toEqual(unknown.map((value) => [value, undefined]));
});

it('holds no deployment to calls with parameters that their schemas exclude', async () => {
  const other = compile(
    documentOf(`
      search: GET /search?page:int -> object
      getReport: GET /reports/{id} -> object
    `),
  );
  const baseUrl = 'http://shop.test';
  const findingsOn = async (path: string) => {
    const recorded = {
      request: { method: 'GET', url: baseUrl + path, headers: [] },
      response: { status: 400, headers: [], body: { bytes: Buffer.from('') } },
      ...{ sentAt: 1000.5, endedAt: 1001.5 },
    };
    const { findings } = await judgeTraffic([recorded], { document: other, baseUrl });
    return findings.filter(({ verdict }) => verdict === 'drift').map(({ check }) => check);
  };
  for (const path of ['/search?page=x', '/search?page=1&page=2', '/search?other=1', '/reports/x'])
    expect(await findingsOn(path), path).toEqual([]);
  for (const path of ['/search?page=1', '/search', '/reports/7'])
    expect(await findingsOn(path), path).toEqual(['success-status']);
});

/** The names of a run that are not its own alone. */
const left = ['true', ''];

/** A run on a deployment on which an earlier run has left its items. */
function recordSecondRun(id: string): Promise<Transcript> {
  const row = rowOf(id);
  return recordTranscript({
    ...row,
    mutate: (truth, shop) => ({
      ...row.mutate?.(truth, shop),
      seed: (count) =>
        truth.seed(count).map((item, index) => ({ ...item, name: left[index] ?? item.name })),
    }),
  });
}

it.each(['fair-repeated-name-409', 'fair-repeated-name-400'])(
  'takes no name that an earlier run left on %s for a mistake, an answer or a difference',
  async (id) => {
    const second = await recordSecondRun(id);
    const refused = second.exchanges.filter(({ request: { body = '' } }) =>
      /"name":"(true)?"/.test(String(body)),
    );
    expect(refused.map(({ response }) => response?.status)).not.toContain(201);
    expect(judge(second, [successStatus]).findings).toEqual([]);
    expect(readSilence(second, 'empty-name')).toBeUndefined();
    const first = await recordTranscript(rowOf(id));
    expect(readSilence(first, 'empty-name')).toMatchObject({ answer: 'accepted' });
    const differences = compare(first, second, () => false);
    expect(differences.map(({ actual }) => actual)).not.toContain(id.slice(-3));
  },
);

async function judgeRow(id: string) {
  const { findings, results } = judge(await recordTranscript(rowOf(id)), [uniqueIds, readBack]);
  return {
    messages: findings.map(({ message }) => message),
    reasons: results.flatMap(({ reason }) => reason ?? []),
  };
}

it.each(['create-id-of-existing', 'create-id-reused'])(
  'says of %s that two items have one id, not that one has changed',
  async (id) => {
    const { messages, reasons } = await judgeRow(id);
    expect(messages).toContain('createPet gives a new item the id of an existing item');
    expect(messages.join('\n')).toMatch(/shows a different item under id \d+ than/);
    expect(messages.join('\n')).not.toMatch(/an item has a different/);
    expect(reasons).toEqual([]);
  },
);

const get = { responses: { 200: { description: 'Fine.' } } };
const text = { type: 'string' };
const memo = { type: 'string', example: 'memos/1' };
const at = (schema: object = text, more: object = {}) => ({
  parameters: [{ ...pathParameter('id', schema), ...more }],
  get,
});
const slashed = compile(
  toDocument({
    '/users/{id}': at(),
    '/memos/{id}': at(memo),
    '/memos/{id}/comments': at(memo),
    '/memos/{id}/comments/{comment}': {
      parameters: [
        pathParameter('id', memo),
        { ...pathParameter('comment', text), example: 'memos/1/comments/1' },
      ],
      get,
    },
    '/items/{id}': at(),
    '/projects/{id}': at({ ...text, example: 'group/name' }),
    '/{id}': at(text, { allowReserved: true }),
    '/files/{id}': at({ ...text, pattern: '^[a-z]+/.+$' }),
    '/notes/{id}': at({ ...text, pattern: '^[^/]{1,60}$' }),
  }),
);

const operationAt = (path: string): Operation => {
  const found = slashed.operations.find((one) => one.path === path);
  if (!found) throw new Error(`no operation at ${path}`);
  return found;
};

it.each([
  ['/memos/{id}', '/memos/memos%2Fa%20b?x=memos%2Fa', '/memos/a%20b?x=memos%2Fa'],
  ['/memos/{id}', '/memos/users%2F1', '/memos/users%2F1'],
  ['/memos/{id}', '/memos/memos%2F..', '/memos/memos%2F..'],
  ['/memos/{id}', '/memos/memos%2F', '/memos/memos%2F'],
  ['/memos/{id}', '/memos/%2Fmemos%2F1', '/memos/%2Fmemos%2F1'],
  ['/memos/{id}', '/memos/memos%2F%2F1', '/memos/memos%2F%2F1'],
  ['/memos/{id}', '/memos/memos', '/memos/memos'],
  ['/memos/{id}', '/memos/$KEY', '/memos/$KEY'],
  ['/memos/{id}/comments', '/memos/memos%2F1/comments', '/memos/1/comments'],
  [
    '/memos/{id}/comments/{comment}',
    '/memos/memos%2F1/comments/memos%2F1%2Fcomments%2F2',
    '/memos/1/comments/2',
  ],
  ['/items/{id}', '/items/items%2F1', '/items/items%2F1'],
  ['/projects/{id}', '/projects/projects%2F1', '/projects/projects%2F1'],
  ['/{id}', '/docs%2Fa%3Fb', '/docs/a%3Fb'],
  ['/files/{id}', '/files/files%2Fa', '/files/files/a'],
  ['/{id}', '/users%2F1', '/users%2F1'],
  ['/{id}', '/docs%2F..%2Fusers%2F1', '/docs%2F..%2Fusers%2F1'],
  ['/files/{id}', '/files/docs%2Fa', '/files/docs/a'],
  ['/notes/{id}', '/notes/docs%2Fa', '/notes/docs%2Fa'],
])('writes the ids of %s in %s as %s', (template, path, sent) => {
  expect(withSlashes({ document: slashed, exchanges: [] }, operationAt(template), path)).toBe(sent);
});

it('names with any id nothing outside of the collection', () => {
  const part = fc.constantFrom('memos', 'users', '.', '..', '', 'a', '%2F', '?', '#', '\\');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const path = `/memos/${encodeURIComponent(parts.join('/'))}`;
      const sent = withSlashes(
        { document: slashed, exchanges: [] },
        operationAt('/memos/{id}'),
        path,
      );
      const { pathname, search, hash } = new URL(sent, 'http://localhost');
      if (sent !== path) expect(pathname + search + hash).toMatch(/^\/memos\/[^/?#]+$/);
    }),
  );
});
