import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { isWithin } from '../../../contracts/transcript/recognize.ts';
import { compile, type Schema } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { judgeTraffic } from '../../support/traffic.ts';

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
