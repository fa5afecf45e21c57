import { expect, it } from 'vitest';
import type { AskedRequest, Reply } from '../../support/start-server.ts';
import { startTasks, type Task, type TaskShape, writeTasks } from '../../support/tasks.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

type Row = Record<string, unknown>;
type Fault = (reply: Reply, asked: AskedRequest, tasks: Task[]) => Reply;

/** Returns the drift of a run on tasks; their documents do not list every status. */
async function findIn(shape: TaskShape, fault?: Fault) {
  const url = await startTasks(shape, fault);
  const report = await verifyWrites(url, await writeTasks(shape), { skip: ['described-status'] });
  return report.findings
    .filter(({ verdict }) => verdict === 'drift')
    .map(({ check, message }) => `${check}: ${message}`);
}

const isSeed = ({ title }: Row) => String(title).startsWith('seed-');

/** Changes the rows that the list shows. */
const onList =
  (change: (rows: Row[]) => Row[]): Fault =>
  (reply, { method, segments }) => {
    if (method !== 'GET' || segments.length > 1) return reply;
    if (Array.isArray(reply.body)) return { ...reply, body: change(reply.body) };
    const body = Object.entries(reply.body as Row).map(([name, value]) => [
      name,
      Array.isArray(value) ? change(value) : value,
    ]);
    return { ...reply, body: Object.fromEntries(body) };
  };
/** Changes what a read of an item that is not there answers. */
const onMissing =
  (change: (tasks: Task[]) => Reply): Fault =>
  (reply, { method, segments }, tasks) =>
    method === 'GET' && segments.length > 1 && reply.status === 404 ? change(tasks) : reply;
const withOtherId = (row: Row) => {
  const other = (id: unknown) =>
    typeof id === 'number'
      ? id + 1000
      : String(id).replace(/.$/, (end) => (end === '1' ? '2' : '1'));
  return isSeed(row) ? row : { ...row, id: other(row.id) };
};

const firstAlone = onList((rows) => rows.slice(0, 1));
const firstThree = onList((rows) => rows.slice(0, 3));
const otherIds = onList((rows) => rows.map(withOtherId));
const refused = onMissing(() => ({ status: 400 }));
const uuids: TaskShape = { envelope: 'data', itemIn: 'data', ids: 'uuid' };
const cursors: TaskShape = { envelope: 'data', ids: 'uuid', paging: 'cursor' };

const text = { type: 'string' };
const labelled: TaskShape = {
  properties: { labels: { type: 'array', uniqueItems: true, items: text } },
};

const faults: Record<string, [check: string, TaskShape, Fault]> = {
  'lists only its first item': ['listed-when-created', {}, firstAlone],
  'lists only its newest item': ['listed-when-created', { newestFirst: true }, firstAlone],
  'lists only its first three': ['listed-when-created', { late: 1500 }, firstThree],
  'cuts a page at three': ['listed-when-created', { paging: 'offset' }, firstThree],
  'cuts a page of the newest at two': [
    'listed-when-created',
    { paging: 'limit', newestFirst: true },
    onList((rows) => rows.slice(0, 2)),
  ],
  'lists only what was there before': [
    'listed-when-created',
    uuids,
    onList((rows) => rows.filter(isSeed)),
  ],
  'leaves out the first item': [
    'listed-when-created',
    { seeds: 0 },
    onList((rows) => rows.slice(1)),
  ],
  'lists an item twice, with another value': [
    'unique-ids',
    {},
    onList((rows) =>
      rows.flatMap((row) => (isSeed(row) ? [row] : [row, { ...row, done: !row.done }])),
    ),
  ],
  'lists its only item twice, with another value': [
    'unique-ids',
    { seeds: 0 },
    onList((rows) => rows.slice(-1).flatMap((row) => [row, { ...row, done: !row.done }])),
  ],
  'lists each item twice': ['unique-ids', {}, onList((rows) => [...rows, ...rows])],
  'lists the first of 300 items again behind the last': [
    'unique-ids',
    { seeds: 300 },
    onList((rows) => [...rows, ...rows.slice(0, 1)]),
  ],
  'leaves out the newest of 60 items': [
    'listed-when-created',
    { seeds: 60 },
    onList((rows) => rows.filter(isSeed)),
  ],
  'lists other ids': ['read-back', {}, otherIds],
  'lists other ids on pages': ['read-back', cursors, otherIds],
  'lists another id of one item': [
    'read-back',
    uuids,
    onList((rows) => [...rows.slice(0, -1), ...rows.slice(-1).map(withOtherId)]),
  ],
  'reads another item for an unknown name': [
    'unknown-id',
    { ids: 'name' },
    onMissing(([{ made: _, ...task } = { made: 0 }]) => ({ status: 200, body: task })),
  ],
  'reads nothing with a success': ['unknown-id', uuids, onMissing(() => ({ status: 204 }))],
  'refuses an unknown id': ['unknown-id', { ids: 'uuid', isFormless: true }, refused],
  'lists all where no limit is sent': [
    'page-size',
    { seeds: 30, paging: 'offset' },
    (reply, { method, segments, query }, tasks) => {
      const isPlain = method === 'GET' && segments.length === 1 && !query.has('limit');
      return isPlain ? { ...reply, body: tasks.map(({ made: _, ...row }) => row) } : reply;
    },
  ],
  'accepts a label twice': [
    'invalid-body',
    labelled,
    (reply, { method, sent }) => {
      const { labels = [], title } = (sent ?? {}) as { labels?: unknown[]; title?: string };
      const isDouble = Array.isArray(labels) && labels.length > new Set(labels).size;
      return method === 'POST' && isDouble
        ? { status: 201, body: { id: 999, title, labels, done: false, note: '' } }
        : reply;
    },
  ],
  'shows a label twice': [
    'body-schema',
    labelled,
    onList((rows) => rows.map((row) => ({ ...row, labels: ['a', 'a'] }))),
  ],
  'refuses an id of a deleted item': ['deleted', { describes400: true }, refused],
};

it.each(Object.entries(faults))(
  'finds by default that a deployment %s',
  async (_, [check, shape, fault]) => {
    expect((await findIn(shape, fault)).map((one) => one.split(':')[0])).toContain(check);
  },
);

const assignee = { assignee: { type: ['string', 'null'] } };
const toMine = (task: Task) => ({ ...task, assignee: isSeed(task) ? 'me' : task.assignee });
const published = { type: ['string', 'null'], format: 'date-time', readOnly: true };
const locale = { locale: { type: 'string', readOnly: true } };
const inEach = (tasks: Task[]) =>
  tasks.flatMap((one) => ['en', 'de'].map((language) => ({ ...one, locale: language })));
const onlySeeds = (tasks: Task[]) => tasks.filter(isSeed);

/** Lists and reads a copy of each new task under an id of its own. */
const copies: Fault = (reply, asked, tasks) => {
  const copy = tasks.map(withOtherId).find(({ id }) => String(id) === asked.segments[1]);
  const isRead = asked.method === 'GET' && copy !== undefined;
  return isRead ? { status: 200, body: copy } : otherIds(reply, asked, tasks);
};

const fair: Record<string, TaskShape | [TaskShape, besides: Fault]> = {
  'lists the latest three': { latest: 3 },
  'lists the latest three late': { latest: 3, late: 1500, seeds: 0 },
  'lists the latest three on a page': { latest: 3, paging: 'offset' },
  'lists the latest ten': { latest: 10, seeds: 2 },
  'lists the latest three of each state': {
    latest: 3,
    seeds: 1,
    queries: ['done:bool'],
    listed: (tasks, query) =>
      tasks.filter(({ done }) => String(done) === (query.get('done') ?? String(done))),
  },
  'lists what is published': {
    seeds: 1,
    properties: { published_at: published },
    listed: onlySeeds,
    show: (task) => ({ ...task, published_at: isSeed(task) ? '2020-01-01T00:00:00Z' : null }),
  },
  'lists what is mine': { properties: assignee, listed: onlySeeds, show: toMine },
  'lists what is mine, unless somebody else is asked for': {
    seeds: 1,
    queries: ['assignee'],
    ...{ properties: assignee, listed: onlySeeds, show: toMine },
  },
  'lists the best three': {
    properties: { votes: { type: 'integer', readOnly: true } },
    listed: (tasks) => onlySeeds(tasks).slice(0, 3),
    show: (task) => ({ ...task, votes: isSeed(task) ? 7 : 0 }),
  },
  'lists two versions of what others changed': {
    listed: (tasks) => tasks.flatMap((one) => (isSeed(one) ? [one, { ...one, note: '' }] : one)),
  },
  'lists each item in two languages': { properties: locale, listed: inEach },
  'lists 300 items in two languages': { seeds: 300, properties: locale, listed: inEach },
  'lists the copies that it makes behind 300 items': [{ seeds: 300 }, copies],
  'lists the first 250 alone': [{ seeds: 250 }, onList((rows) => rows.slice(0, 250))],
  'lists the latest three hundred': { seeds: 300, latest: 300 },
  'lists the latest 300 on a page': { seeds: 299, latest: 300, paging: 'offset' },
  'lists its only item in two languages': { seeds: 0, properties: locale, listed: inEach },
  'lists new items in two languages': {
    properties: locale,
    listed: (tasks) => tasks.flatMap((one) => (isSeed(one) ? [one] : inEach([one]))),
  },
  'lists what is to be done of each item, and what was': {
    seeds: 0,
    listed: (tasks) => tasks.flatMap((one) => [one, { ...one, done: !one.done }]),
  },
  'lists the copies that it makes': [{}, copies],
  'lists ids in capitals': {
    ids: 'uuid',
    show: (task, { method, path }) =>
      `${method} ${path}` === 'GET /tasks' ? { ...task, id: String(task.id).toUpperCase() } : task,
  },
  'refuses ids of another form than its own': { ids: 'text', isFormless: true },
  'refuses what is no UUID of its own': { ids: 'uuid', isFormless: true, seeds: 0 },
  'takes labels that differ': labelled,
  'wraps what it shows': uuids,
  'gives cursors': cursors,
  'takes names for ids and answers creates with 200': { ids: 'name', created: 200 },
};

it.each(Object.entries(fair))('blames no deployment that %s', async (_, row) => {
  expect(await (Array.isArray(row) ? findIn(...row) : findIn(row))).toEqual([]);
});
