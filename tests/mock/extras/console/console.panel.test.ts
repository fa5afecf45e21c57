import type { ComponentChildren, JSX, VNode } from 'preact';
import { expect, it } from 'vitest';
import { clockPanel } from '../../../../mock/extras/console/browser/clock-panel.ts';
import { dataPanel, toNewItem } from '../../../../mock/extras/console/browser/data-panel.ts';
import { domainsPanel } from '../../../../mock/extras/console/browser/domains-panel.ts';
import { limitsPanel } from '../../../../mock/extras/console/browser/limits-panel.ts';
import type { PanelState } from '../../../../mock/extras/console/browser/state.ts';
import { tasksPanel } from '../../../../mock/extras/console/browser/tasks-panel.ts';
import { webhooksPanel } from '../../../../mock/extras/console/browser/webhooks-panel.ts';

/** The state of a console that has read these paths, and in which these values are kept. */
function toState(read: Record<string, unknown>, kept: Record<string, unknown> = {}): PanelState {
  const keep = <T>(name: string, initial: T): [T, (value: T) => void] => [
    (kept[name] ?? initial) as T,
    (value) => {
      kept[name] = value;
    },
  ];
  return {
    read: <T>(path: string) => read[path] as T,
    reading: <T>(path: string) => ({ value: read[path] as T }),
    keep,
    remember: keep,
    said: '',
    say: () => {},
  };
}

/** The texts of markup; a control is shown by its label in brackets, with what it sends. */
function textOf(node: ComponentChildren | JSX.Element): string {
  if (Array.isArray(node)) return node.map(textOf).join(' ');
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (typeof node !== 'object' || node === null) return '';
  const { type, props } = node as VNode<Record<string, unknown>>;
  if (typeof type === 'string') return textOf(props.children as ComponentChildren);
  const { label, about = '', operation } = props;
  if (label === undefined) return textOf(props.children as ComponentChildren);
  const sent = operation ? ` ${JSON.stringify(Object.values(operation))}` : '';
  return `[${[label, about].join(' ').trim()}${sent}]`;
}

const shown = (panel: (state: PanelState) => JSX.Element, state: PanelState) =>
  textOf(panel(state)).replace(/\s+/g, ' ');

const now = Date.UTC(2030, 0, 1);
const clock = { currentEpochMillis: now, frozen: true };
const count = { limit: 60, used: 60, remaining: 0, reset: now / 1000 + 34 };
const key = { name: 'a b', plan: 'free', strikes: 3, ban: null, minute: count, day: count };
const ban = { strikes: 10, withinSeconds: 60, seconds: 300, maxSeconds: 3600 };

it.each([
  [{ mode: 'off', ban }, 'Limits are off'],
  [{ mode: 'observe', ban }, 'Limits are only observed'],
  [{ mode: 'enforce', ban: false }, 'Keys are never banned.'],
  [{ mode: 'enforce', ban }, 'banned after 10 strikes'],
])('tells the rules of the limits %j', (limits, text) => {
  const state = toState({ clock, limits: { plans: {}, keys: [], ...limits } });
  expect(shown(limitsPanel, state)).toContain(text);
});

it('shows what is left of the limits of a key, and sends what is typed of its ban', () => {
  const until = { until: now / 1000 + 70, seconds: 300 };
  const limits = { mode: 'enforce', ban, plans: {}, keys: [{ ...key, ban: until }] };
  const typed = { 'change of a b': { seconds: 'soon', plan: 'free' } };
  const text = shown(limitsPanel, toState({ clock, limits }, typed));
  expect(text).toContain('0 left 60 of 60 used, resets in 34 s');
  expect(text).toContain('3 of 10 strikes');
  expect(text).toContain('Banned, free in 1 min 10 s');
  expect(text).toContain('[Exhaust the day of a b ["POST","limits/a%20b",{"exhaust":"day"}]]');
  expect(text).toContain('[Ban a b ["POST","limits/a%20b",{"ban":"soon"}]]');
});

it('lists what goes by the clock, and leads to just before it', () => {
  const limits = { keys: [{ ...key, ban: { until: now / 1000 + 5, seconds: 5 } }] };
  const operations = [
    { id: 'getPet', sunset: '2030-12-05T00:00:00.000Z' },
    { id: 'x', sunset: null },
  ];
  const text = shown(clockPanel, toState({ clock, limits, operations: { operations } }));
  expect(text).toContain('Frozen');
  expect(text).toContain('Reset of the minute');
  expect(text).toContain('End of the ban of a b');
  expect(text).toContain(
    '[Just before the removal of getPet ["PUT","clock",{"action":"freeze","instant":"2030-12-04T23:59:59Z"}]]',
  );
});

it.each([
  [undefined, ''],
  [[], 'No tasks.'],
  [[{ id: 'task-1', name: 'n', args: null, due: '2030-01-01T00:00:10Z' }], 'in 10 s No arguments'],
  [
    [
      {
        id: 'task-1',
        name: 'n',
        args: { a: 'b'.repeat(101) },
        due: '2030-01-01T00:00:00Z',
        every: 60_000,
      },
    ],
    `now, then every 1 min a: ${'b'.repeat(100)} ...`,
  ],
])('shows the tasks %j', (tasks, text) => {
  expect(shown(tasksPanel, toState({ clock, tasks: tasks && { tasks } }))).toContain(text);
});

it('tells why no webhook is sent, and how the last try went', () => {
  const none = { endpoints: [], webhooks: [], failNext: 0, deliveries: [] };
  expect(shown(webhooksPanel, toState({ webhooks: none }))).toContain('describes no webhooks');
  const tries = [{ at: '2030-01-01T00:00:00Z', status: 500, answer: 'busy' }];
  const sent = {
    id: 'msg_1',
    event: 'paid',
    state: 'pending',
    method: 'POST',
    url: 'http://a/',
    tries,
  };
  const deliveries = [{ id: 'msg_0', event: 'old', state: 'failed', tries: [] }, sent];
  const webhooks = { ...none, webhooks: ['paid'], failNext: 2, deliveries };
  const text = shown(webhooksPanel, toState({ webhooks }));
  expect(text).toContain('Start the mock with --webhook-url URL.');
  expect(text).toContain('Next tries that fail: 2');
  expect(text).toMatch(/Tries: 1 , the last one at .* 500, busy.*No try so far/);
});

it('offers the record of a domain as long as it is wrong', () => {
  const record = { name: 'a.test', types: ['CNAME'], ttl: 3600, value: 'pets.test' };
  const view = {
    domain: 'a.test',
    kind: 'subdomain',
    state: 'pending',
    since: now,
    expectedAt: null,
  };
  const textWith = (clause: string) =>
    shown(
      domainsPanel,
      toState({
        dns: { records: [{ name: 'b.test', type: 'A', ttl: 1, value: '127.0.0.1' }] },
        domains: {
          domains: [
            {
              ...view,
              record,
              waitsFor: 'a record',
              problems: [{ code: 'x', clause, message: '', whatToDo: '' }],
            },
          ],
        },
      }),
    );
  expect(textWith('cname')).toContain(
    '[Set this record of a.test ["PUT","dns",{"records":[{"name":"b.test"',
  );
  expect(textWith('caa')).not.toContain('Set this record');
});

it('shows an item of a collection beside the others, or that there is none', () => {
  expect(
    shown(dataPanel, toState({ collections: { collections: [], singleObjects: [] } })),
  ).toContain('describes no collection');
  const pets = { name: 'pets', idProperty: 'id', items: 1, filters: [], schema: {} };
  const read = {
    collections: { collections: [pets], singleObjects: [] },
    'collections/pets': pets,
    'data/pets?skip=0&limit=100': { items: [{ id: 7 }], meta: { total: 1 } },
    'data/pets/7': { id: 7 },
  };
  expect(shown(dataPanel, toState(read))).toContain('[Items of pets]');
  const open = shown(dataPanel, toState(read, { 'beside pets': { id: '7' } }));
  expect(open).toContain('[Delete the item 7 ["DELETE","data/pets/7"]]');
});

it('begins a new item with what its schema requires, but its id', () => {
  const owner = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
  const schema = {
    required: ['id', 'name', 'size', 'status', 'tags', 'owner', 'any'],
    properties: {
      name: { type: 'string' },
      size: { type: ['integer', 'null'] },
      status: { enum: ['new', 'sold'] },
      tags: { type: 'array' },
      owner,
      other: { type: 'string' },
    },
  };
  expect(toNewItem(schema, 'id')).toEqual({
    ...{ name: '', size: 0, status: 'new', tags: [] },
    ...{ owner: { city: '' }, any: null },
  });
  expect(toNewItem({})).toEqual({});
});
