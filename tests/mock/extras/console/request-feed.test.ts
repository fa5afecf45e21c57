import { expect, it, onTestFinished, vi } from 'vitest';
import { type FeedState, openFeed } from '../../../../mock/extras/console/browser/request-feed.ts';
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
  let restarts = 0;
  let isHidden = false;
  let notify = () => {};
  const leave = openFeed(
    createAdmin(),
    {
      onRequests: (requests: EntrySummary[]) =>
        void seen.push(...requests.map(({ id, url }) => `${id} ${url}`)),
      onState: (state) => void states.push(state),
      onRestart: () => void (restarts += 1),
    },
    {
      isHidden: () => isHidden,
      onHiddenChange: (listener) => {
        notify = listener;
        return () => {};
      },
      maxPause: 20,
    },
  );
  onTestFinished(leave);
  const setHidden = (value: boolean) => {
    isHidden = value;
    notify();
  };
  return { seen, states, restarts: () => restarts, setHidden, call: fetch };
}

it('goes on after the last request where the connection was lost', async () => {
  const twin = await startTwin();
  const feed = openTestFeed(() => twin.origin);
  const send = (name: string) => feed.call(`${twin.api}/pets?${name}`);
  await send('a');
  await expect.poll(() => feed.seen).toEqual(['1 /v1/pets?a']);
  feed.setHidden(true);
  await send('b');
  await send('c');
  feed.setHidden(false);
  await expect.poll(() => feed.seen).toEqual(['1 /v1/pets?a', '2 /v1/pets?b', '3 /v1/pets?c']);
  expect(feed.restarts()).toBe(0);
  expect(feed.states.map(({ state }) => state)).not.toContain('lost');
});

it('notices that the twin was started again, also where it is ahead already', async () => {
  const first = await startTwin();
  let { origin } = first;
  const feed = openTestFeed(() => origin);
  await feed.call(`${first.api}/pets?a`);
  await expect.poll(() => feed.seen).toEqual(['1 /v1/pets?a']);
  const second = await startTwin();
  for (const name of ['x', 'y']) await feed.call(`${second.api}/pets?${name}`);
  origin = second.origin;
  await first.close();
  await expect.poll(feed.restarts).toBe(1);
  await expect.poll(() => feed.seen.slice(1)).toEqual(['1 /v1/pets?x', '2 /v1/pets?y']);
  const lost = feed.states.find(({ state }) => state === 'lost');
  expect(lost).toEqual({ state: 'lost', problem: 'The twin closed the stream of requests.' });
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
