import { expect, it } from 'vitest';
import { indexDocument } from '../../../contracts/description/document.ts';
import type { Report } from '../../../contracts/report/events.ts';
import type { RawHeader, RecordedExchange } from '../../../contracts/traffic/recorded-exchange.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { judgeTraffic } from '../../support/traffic.ts';

const baseUrl = 'http://flows.test/api';
const fields = {
  name: { type: 'string' },
  size: { type: 'number' },
  isOn: { type: 'boolean' },
  slug: { type: 'string' },
  token: { type: ['string', 'null'] },
};
const flow = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', readOnly: true }, ...fields, note: {} },
};
const some = { type: 'object', properties: fields };
const content = (...types: string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: some }])),
});

/** Flows whose collection has a slash at its end; `hold` says how one is held. */
const documentWith = (patches: string[], hold = (schema: object): object => schema) =>
  indexDocument(
    toDocument(
      {
        '/flows/': {
          get: {
            operationId: 'list',
            parameters: [{ name: 'name', in: 'query', schema: { type: 'string' } }],
            responses: { 200: jsonOf({ type: 'array', items: flow }) },
          },
          post: {
            operationId: 'create',
            requestBody: jsonOf(hold(flow)),
            responses: { 201: jsonOf(hold(flow)) },
          },
        },
        '/flows/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: {
            operationId: 'read',
            responses: { 200: jsonOf(hold(flow)), 404: { description: 'None.' } },
          },
          put: {
            operationId: 'replace',
            requestBody: jsonOf(hold(some)),
            responses: { 200: jsonOf(hold(flow)), 204: { description: 'Done.' } },
          },
          patch: {
            operationId: 'update',
            requestBody: content(...patches),
            responses: { 200: jsonOf(flow), 204: { description: 'Done.' } },
          },
          delete: {
            operationId: 'remove',
            responses: { 200: jsonOf({}), 204: jsonOf({}) },
          },
        },
        '/flows/{id}/reset': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          post: { operationId: 'reset', responses: { 204: { description: 'Done.' } } },
        },
        '/own/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { operationId: 'readOwn', responses: { 200: jsonOf(flow) } },
          put: {
            operationId: 'replaceOwn',
            requestBody: jsonOf(flow),
            responses: { 200: jsonOf(flow) },
          },
        },
        '/flows/search': {
          post: { operationId: 'search_flows', responses: { 200: jsonOf({ type: 'array' }) } },
        },
      },
      { servers: [{ url: baseUrl }] },
    ) as never,
  );

type Call = [
  call: string,
  status: number,
  answer?: unknown,
  more?: { body?: unknown; type?: string; headers?: RawHeader[]; sent?: RawHeader[]; at?: number },
];

/** Judges calls that follow each other after 10 s, unless they say when they were made. */
function judgeCalls(calls: Call[], document = documentWith(['application/json'])): Promise<Report> {
  let clock = 0;
  const recorded = calls.map(([call, status, answer, more = {}]): RecordedExchange => {
    const { body, type = 'application/json', headers = [], sent = [], at } = more;
    const [method = '', path] = call.split(' ');
    clock = at === undefined ? clock + 10_000 : clock + at;
    return {
      request: {
        method,
        url: `${baseUrl}${path}`,
        headers: [...sent, ...(body === undefined ? [] : [['Content-Type', type] as RawHeader])],
        ...(body !== undefined && { body: { bytes: Buffer.from(JSON.stringify(body)) } }),
      },
      response: {
        status,
        headers: [...headers, ['Content-Type', 'application/json']],
        body: { bytes: Buffer.from(answer === undefined ? '' : JSON.stringify(answer)) },
      },
      sentAt: clock + 0.5,
      endedAt: clock + 4.5,
    };
  });
  return judgeTraffic(recorded, { baseUrl, document, keys: [] });
}

const one = { id: 'f-1', name: 'nightly', size: 3, isOn: true, slug: 'nightly', token: null };
const other = { ...one, id: 'f-2' };
const read: Call = ['GET /flows/f-1', 200, one];
const withMore = (more: NonNullable<Call[3]>): Call => ['GET /flows/f-1', 200, one, more];
/** What is wrong besides statuses that the document does not list. */
const found = ({ findings }: Report) =>
  findings
    .filter(({ verdict }) => verdict !== 'undocumented')
    .map(({ check, verdict }) => `${check} ${verdict}`);
const resultOf = ({ clauses }: Report, id: string) =>
  clauses.find((clause) => clause.id === id)?.results.target;

const patched = (body: object, more: object = {}): Call => [
  'PATCH /flows/f-1',
  204,
  undefined,
  { body, ...more },
];
const put = (body: object): Call => ['PUT /flows/f-1', 204, undefined, { body }];
const gone: Call = ['DELETE /flows/f-1', 204];

it('sees that what was deleted is gone, however it is asked for', async () => {
  for (const status of [200, 202, 204]) {
    const report = await judgeCalls([
      ['POST /flows/', 201, one, { body: one }],
      ['GET /flows/', 200, [one, other]],
      ['DELETE /flows/f-1', status, status === 204 ? undefined : one],
      ['GET /flows/', 200, [other], { at: 10 }],
      ['GET /flows/f-1', 404, { detail: 'None.' }, { at: 10 }],
    ]);
    expect(found(report)).toEqual([]);
    expect(resultOf(report, 'deleted')).toMatchObject({ verdict: 'kept', held: 2 });
    expect(resultOf(report, 'unknown-id')).toMatchObject({ verdict: 'kept', held: 1 });
  }
});

it.each<[what: string, calls: Call[], check: string]>([
  ['a deletion', [read, gone, read], 'deleted drift'],
  ['a deletion of what was created', [['POST /flows/', 201, one], gone, read], 'deleted drift'],
  ['a deletion, in a list', [read, gone, ['GET /flows/', 200, [one]]], 'deleted standard'],
  ['a deletion at once', [read, gone, withMore({ at: 10 })], 'deleted standard'],
  ['a patch', [read, patched({ name: 'weekly' }), read], 'updated standard'],
  [
    'a patch of what was listed',
    [['GET /flows/', 200, [one]], patched({ size: 9 }), read],
    'updated standard',
  ],
  [
    'a patch, in a list',
    [
      ['GET /flows/', 200, [one, other]],
      patched({ name: 'weekly' }),
      ['GET /flows/', 200, [other, one]],
    ],
    'updated standard',
  ],
  ['a replacement', [read, put({ ...one, isOn: false }), read], 'replaced standard'],
])('sees %s that was not made', async (_, calls, check) => {
  const report = await judgeCalls(calls);
  expect(found(report)).toEqual([check]);
});

it('says no less of a change that its own answer does not show', async () => {
  const document = documentWith(['application/merge-patch+json']);
  const type = 'application/merge-patch+json';
  const patch = (status: number, answer?: object): Call => [
    'PATCH /flows/f-1',
    status,
    answer,
    { body: { name: 'weekly' }, type },
  ];
  const soon: Call = ['GET /flows/f-1', 200, one, { at: 10 }];
  expect(found(await judgeCalls([read, patch(200, one), soon], document))).toEqual([
    'merge-patch drift',
  ]);
  expect(found(await judgeCalls([read, patch(204), soon], document))).toEqual([
    'merge-patch standard',
  ]);
});

it.each<[type: string, body: unknown, check: string]>([
  ['application/json', { name: 'weekly' }, 'updated'],
  ['application/merge-patch+json', { name: 'weekly' }, 'merge-patch'],
  [
    'application/json-patch+json',
    [{ op: 'replace', path: '/name', value: 'weekly' }],
    'json-patch',
  ],
])('sees that a change by %s was made', async (type, body, check) => {
  const changed = { ...one, name: 'weekly' };
  const document = documentWith([type]);
  const calls: Call[] = [
    read,
    ['PATCH /flows/f-1', 200, changed, { body, type }],
    ['GET /flows/f-1', 200, changed, { at: 10 }],
  ];
  const report = await judgeCalls(calls, document);
  expect(found(report)).toEqual([]);
  expect(resultOf(report, check)).toMatchObject({ verdict: 'kept', held: 1 });
});

it('finds items in what holds them', async () => {
  const document = documentWith(['application/json'], (schema) => ({
    type: 'object',
    properties: { data: schema },
  }));
  const held: Call = ['GET /flows/f-1', 200, { data: one }];
  const replaced = put({ data: { name: 'weekly' } });
  expect(found(await judgeCalls([held, replaced, held], document))).toEqual(['replaced standard']);
});

const weekly = { name: 'weekly' };
const again: Call = ['GET /flows/f-1', 200, one];
it.each<[why: string, calls: Call[]]>([
  ['somebody changes it again', [read, patched(weekly), put({ name: 'nightly' }), again]],
  ['something is done with it', [read, patched(weekly), ['POST /flows/f-1/reset', 204], again]],
  ['it has another path, too', [read, gone, ['PUT /own/f-1', 200, one, { body: one }], again]],
  ['an undescribed call may have', [read, patched(weekly), ['POST /restore', 200], again]],
  ['changes overlap', [read, patched(weekly), patched(weekly, { at: 2 }), again]],
  ['it is created again', [read, gone, ['POST /flows/', 201, one, { body: one }], again]],
  ['it is put there again', [read, gone, put(one), again]],
  ['another client looks', [read, gone, withMore({ sent: [['Cookie', 'session=2']] })]],
  ['a cache answers', [read, gone, withMore({ headers: [['Age', '14']] })]],
  ['it was an hour ago', [read, gone, withMore({ at: 3_600_000 })]],
  ['it is only tried', [read, ['DELETE /flows/f-1?dry_run=true', 204], again]],
  ['an older version is asked for', [read, gone, ['GET /flows/f-1?version=1', 200, one]]],
  ['it is to be deleted later', [read, ['DELETE /flows/f-1', 202, {}], again]],
  ['it says that it is deleted', [read, gone, ['GET /flows/f-1', 200, { ...one, deleted_at: 1 }]]],
  ['nobody saw it before', [gone, again]],
  ['another list shows it', [read, gone, ['GET /flows/?name=nightly', 200, [one]]]],
  ['the value is the same', [read, patched({ name: 'nightly' }), again]],
  ['the value may be written so', [read, patched({ name: ' Nightly', size: 3.2 }), again]],
  ['null may stand for nothing', [read, patched({ name: null }), again]],
  ['nothing says that it is set', [read, patched({ note: 'x', id: 'f-9' }), again]],
  [
    'what is there is masked',
    [
      ['GET /flows/f-1', 200, { ...one, token: 'abc***' }],
      patched({ token: 'secret' }),
      ['GET /flows/f-1', 200, { ...one, token: 'abc***' }],
    ],
  ],
  ['a change is refused', [read, ['PATCH /flows/f-1', 409, {}, { body: weekly }], again]],
])('blames nobody where %s', async (_, calls) => {
  expect(found(await judgeCalls(calls))).toEqual([]);
});

it('looks through a search, which changes nothing', async () => {
  const report = await judgeCalls([
    read,
    gone,
    ['POST /flows/search', 200, [], { body: {} }],
    again,
  ]);
  expect(found(report)).toEqual(['deleted drift']);
});

it('blames one value that stays as it was less than a change that does nothing', async () => {
  const changed = { ...one, name: 'weekly' };
  const report = await judgeCalls([
    read,
    patched(weekly),
    ['GET /flows/f-1', 200, changed],
    patched({ size: 9 }),
    ['GET /flows/f-1', 200, changed],
  ]);
  expect(found(report)).toEqual(['updated standard']);
  expect(resultOf(report, 'updated')).toMatchObject({ held: 2 });
});

it('blames nobody for an id that is given, taken back and given again', async () => {
  const round: Call[] = [put(one), read, gone, ['GET /flows/f-1', 404, {}]];
  expect(found(await judgeCalls([...round, ...round, ...round, put(one), read]))).toEqual([]);
});
