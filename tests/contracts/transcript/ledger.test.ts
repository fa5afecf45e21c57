import { expect, it } from 'vitest';
import type { Purpose } from '../../../contracts/cases/case.ts';
import { givenIds, lostItems, neverFound } from '../../../contracts/transcript/created-items.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import { readHistories } from '../../../contracts/transcript/histories.ts';
import { ledgerOf } from '../../../contracts/transcript/ledger.ts';
import { leftItems } from '../../../contracts/transcript/leftovers.ts';
import {
  type Observer,
  ownRun,
  type Transcript,
  traffic,
} from '../../../contracts/transcript/transcript.ts';
import { wholeLists } from '../../../contracts/transcript/whole-lists.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection } from '../../support/shared-deployment.ts';

const document = compile(toDocument(collection('/cards')));
const [cards] = document.resources as [Resource];

/** Calls in the words of a test, such as `create 7`, `read 7 404` or `list 1 7`. */
const kinds = {
  create: ['create', 'POST', '/cards'],
  list: ['list', 'GET', '/cards'],
  read: ['read', 'GET', '/cards/{id}'],
  look: ['look', 'GET', '/cards/{id}'],
  remove: ['call', 'DELETE', '/cards/{id}'],
} as const;

/** A transcript of calls that take ten milliseconds each, a second apart unless a time is given. */
function transcriptOf(calls: readonly string[], observer: Observer = ownRun): Transcript {
  const exchanges = calls.map((call, index): Exchange => {
    const [text = '', at = index * 1000] = call.split(' at ');
    const [name, ...values] = text.split(' ') as [keyof typeof kinds, ...string[]];
    const [kind, method, template] = kinds[name];
    const isMissing = values.at(-1) === '404';
    const items = values.map((id) => ({ id: Number.parseInt(id, 10), name: `card ${id}` }));
    const json = name === 'list' ? items : name === 'remove' || isMissing ? undefined : items[0];
    const purpose = { kind, id: values[0], filters: {} } as unknown as Purpose;
    const operation = document.operations.find(
      (one) => one.method === method && one.path === template,
    );
    const path = template.replace('{id}', values[0] ?? '');
    return {
      number: index + 1,
      case: { id: `${call} (${index})`, operation, method, path, purpose },
      request: { method, path, headers: {} },
      response: { status: isMissing ? 404 : 200, headers: [], json, text: '', size: 0 },
      sentAt: Number(at),
      endedAt: Number(at) + 10,
    } as unknown as Exchange;
  });
  return { document, exchanges, observer } as unknown as Transcript;
}

it('notes what each exchange shows of an item, once and in order', () => {
  const transcript = transcriptOf(['create 7', 'list 1 7', 'read 7 404', 'remove 7', 'read 7']);
  const last = transcript.exchanges.at(-1) as Exchange;
  const growing = transcript.exchanges.slice(0, -1);
  const eventsOf = () =>
    ledgerOf({ ...transcript, exchanges: growing })
      .account(cards)
      .events.map(({ what, id }) => `${what} ${id}`);
  const events = ['created 7', 'shown 1', 'shown 7', 'missing 7', 'deleted 7'];
  expect(eventsOf()).toEqual(events);
  growing.push(last);
  expect(eventsOf()).toEqual([...events, 'shown 7']);
});

it.each([
  [['create 7', 'read 7'], []],
  [['create 7', 'read 7 404'], ['7']],
  [
    ['create 7', 'create 8', 'read 7 404'],
    ['7', '8'],
  ],
  [['create 7', 'create 8', 'read 7 404', 'list 8'], ['7']],
  [['create 7', 'read 7 404', 'list 7'], []],
  [['create 7', 'read 7', 'remove 7', 'look 7 404'], []],
])('finds the created items that are never found again: %j', (calls, lost) => {
  expect([...neverFound(transcriptOf(calls), cards)]).toEqual(lost);
});

const three = ['create 7', 'create 8', 'create 9'];
const missed = ['read 7 404 at 20000', 'read 8 404 at 21000', 'read 9 404 at 22000'];

it.each([
  [
    [...three, ...missed],
    ['7', '8', '9'],
  ],
  [[...three, ...missed.slice(1)], []],
  [
    ['create 1', ...three, ...missed, 'read 1 at 30000'],
    ['7', '8', '9'],
  ],
  [['create 1', ...three, 'read 1', ...missed], []],
  [[...three, 'remove 7', ...missed], []],
])('takes items in traffic for lost only where the store was not emptied: %j', (calls, lost) => {
  expect([...lostItems(transcriptOf(calls, traffic), cards)]).toEqual(lost);
});

it.each([
  [['list 1', 'create 7'], [undefined]],
  [['list 1 7', 'create 7'], ['list 1 7 (0)']],
  [['create 7', 'create 7'], ['create 7 (0)']],
  [['list 1', 'list 7 at 2000', 'create 7 at 2005'], [undefined]],
])('tells which ids were known before a create gave them: %j', (calls, before) => {
  const given = givenIds(transcriptOf(calls), cards);
  expect(given.map((one) => one.before)).toEqual(before);
});

it.each([
  [['create 7', 'read 7', 'list 7'], [], false],
  [['create 7', 'read 7', 'list 1'], ['gone'], false],
  [['create 7', 'read 7 404', 'read 7'], [], true],
  [['create 7', 'read 7', 'read 7x at 9000'], ['name'], false],
])('reads how an item changed, and whether it was late: %j', (calls, moves, isLate) => {
  const renamed = transcriptOf(calls.map((call) => call.replace('7x', '7')));
  for (const { case: one, response } of renamed.exchanges)
    if (one.id.includes('9000')) Object.assign(response?.json as object, { name: 'another' });
  const histories = readHistories(renamed, cards);
  expect([histories.items.get('7')?.moves, histories.isLate]).toEqual([moves, isLate]);
});

it('calls no list whole that lacks what another had shown before, whichever was sent first', () => {
  const calls = ['list 1 2 3 4 at 100', 'list 1 2 3 4 at 50', 'list 1 2 3 at 80'];
  const { views } = wholeLists(transcriptOf(calls), cards);
  expect(views.map(({ exchange }) => exchange.number)).toEqual([1, 2]);
});

it.each([
  [['create 7', 'remove 7'], []],
  [['create 7', 'create 8', 'remove 7'], ['8']],
  [['create 7', 'create 8', 'remove 7', 'remove 8 404'], []],
  [['create 7', 'remove 7 404'], ['7']],
  [['create 7', 'remove 7', 'create 7'], ['7']],
  [
    ['create 7', 'create 8', 'remove 7', 'remove 8', 'read 7'],
    ['7', '8'],
  ],
])(
  'tells which created items are left, whatever their deletions were answered: %j',
  (calls, left) => {
    const transcript = transcriptOf(calls);
    for (const exchange of transcript.exchanges.filter(({ case: one }) => one.method === 'POST')) {
      const { id, name } = (exchange.response?.json ?? {}) as { id?: number; name?: string };
      exchange.made = { id: String(id), whose: 'own' };
      Object.assign(exchange.request, { value: { name } });
    }
    expect(leftItems(transcript).map(({ id }) => id)).toEqual(left);
  },
);
