import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  createEventParser,
  type FeedState,
  openFeed,
} from '../../../../mock/extras/console/browser/request-feed.ts';
import { createAdmin } from '../../../../mock/extras/pages/browser/admin.ts';
import type { EntrySummary } from '../../../../mock/journal/entry.ts';
import { startTwin } from '../../../support/twin.ts';

/** A feed that reads from whatever is at an origin, as a page would. */
function openTestFeed(origin: () => string) {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    fetch(`${origin()}/__admin/${path}`, init),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const seen: string[] = [];
  const states: FeedState[] = [];
  const listener = {
    onStart: () => void seen.splice(0),
    onRequests: (requests: EntrySummary[]) =>
      void seen.push(...requests.map(({ id, url }) => `${id} ${url}`)),
    onState: (state: FeedState) => void states.push(state),
  };
  onTestFinished(openFeed(createAdmin(), listener, 20));
  return { seen, states, call: fetch };
}

it('reads requests as they come, and begins anew with another twin', async () => {
  const first = await startTwin();
  let { origin } = first;
  const feed = openTestFeed(() => origin);
  await feed.call(`${first.api}/pets?a`);
  await expect.poll(() => feed.seen).toEqual(['1 /v1/pets?a']);
  await feed.call(`${first.api}/pets?b`);
  await expect.poll(() => feed.seen).toEqual(['1 /v1/pets?a', '2 /v1/pets?b']);
  const second = await startTwin();
  await feed.call(`${second.api}/pets?x`);
  origin = second.origin;
  await first.close();
  await expect.poll(() => feed.seen).toEqual(['1 /v1/pets?x']);
  const lost = feed.states.find(({ state }) => state === 'lost');
  expect(lost).toEqual({ state: 'lost', problem: 'The twin closed the stream of requests.' });
  expect(feed.states.at(-1)).toEqual({ state: 'live' });
});

it('says in the words of the twin why there is nothing to read', async () => {
  const twin = await startTwin({ journalEntries: 0 });
  const feed = openTestFeed(() => twin.origin);
  await expect
    .poll(() => feed.states.at(-1))
    .toEqual({
      state: 'lost',
      problem: 'The journal is off. Start the twin without --journal-entries 0.',
    });
});

const text = [
  ': requests as they come\n\n',
  'event: gap\ndata: {"after":3}\n\n',
  'id: 4\ndata: {"id":4}\n\n',
  ':\n\n',
].join('');

const events = [
  { type: 'gap', data: '{"after":3}' },
  { type: 'message', data: '{"id":4}' },
];

it('gives each event once it is complete, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length })), (cuts) => {
      const parse = createEventParser();
      const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
      const parts = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(parts.flatMap(parse)).toEqual(events);
    }),
  );
});
