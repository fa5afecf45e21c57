import { expect, it } from 'vitest';
import { idAsked } from '../../../contracts/transcript/items.ts';
import { compile } from '../../../openapi/index.ts';
import { books } from '../../support/documents.ts';
import { judgeTraffic, passed } from '../../support/traffic.ts';

const baseUrl = 'http://shop.test/v1';

/** A call that a deployment refuses. */
const refusedAt = (path: string, index = 0) =>
  passed({
    ...{ url: baseUrl + path, status: 400, sent: [['Authorization', 'Bearer k-free-1']] },
    ...{
      answer: { code: 'bad', message: 'no', status: 400 },
      sentAt: Date.UTC(2030, 0, 1) + index * 1000,
    },
  });

it('judges calls whose paths and queries are broken', async () => {
  const paths = ['//', '//pets', '/pets/%', '/pets/%zz', '/pets?limit=%', '/pets?limit=0&x=%zz'];
  const report = await judgeTraffic(paths.map(refusedAt), { baseUrl });
  expect(report.defects).toEqual([]);
  expect(report.targets).toMatchObject([{ requests: paths.length }]);
});

it('judges reads of ids that are no percent-encoding', async () => {
  expect(idAsked({ request: { path: '/books/%zz?a=b' }, case: {} })).toBe('%zz');
  const document = compile(books);
  const paths = document.operations.map(({ path }) => path.replaceAll(/\{[^{}]*\}/g, '%zz'));
  const report = await judgeTraffic(paths.map(refusedAt), { baseUrl, document });
  expect(report.defects).toEqual([]);
});

it.each([
  ['a page', [['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8']]],
  [
    'a page',
    [
      ['Sec-Fetch-Mode', 'navigate'],
      ['Sec-Fetch-Dest', 'document'],
    ],
  ],
  ['a script', [['sec-fetch-dest', 'script']]],
  ['an image', [['Sec-Fetch-Dest', 'image']]],
] as [string, [string, string][]][])(
  'leaves out %s that a browser asked for',
  async (_, headers) => {
    const call = refusedAt('/app/start');
    const of = (more: [string, string][], path = '/app/start') => ({
      ...call,
      request: { ...call.request, url: baseUrl + path, headers: more },
    });
    const { traffic, targets, silences } = await judgeTraffic(
      [of(headers), of(headers, '/pets/1'), of([['Sec-Fetch-Dest', 'empty']], '/none')],
      { baseUrl },
    );
    expect(traffic?.leftOut).toEqual([{ reason: 'for pages and their parts', count: 1 }]);
    expect(targets).toMatchObject([{ requests: 2 }]);
    const shown = silences
      .map(({ observed }) => observed.target)
      .filter((what) => /app/.test(what ?? ''));
    expect(shown).toEqual([]);
  },
);
