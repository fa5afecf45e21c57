import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Fetch } from '../../../mock/http/in-process.ts';
import { isWhole } from '../../support/sample.ts';

const { inProcess } = vi.hoisted(() => ({ inProcess: new Map<string, Fetch>() }));

vi.mock('../../../mock/twin.ts', async (load) => {
  const original = await load<typeof import('../../../mock/twin.ts')>();
  const openTwin: typeof original.openTwin = async (...given) => {
    const twin = await original.openTwin(...given);
    inProcess.set(twin.origin, twin.fetch);
    return twin;
  };
  return { ...original, openTwin };
});

/** Test files whose calls of `fetch` pass in process here; by themselves, they use a socket. */
const files = [
  '../call/documented-answer.test.ts',
  '../extras/forced/prefer.test.ts',
  './bodies.test.ts',
  './parameters.test.ts',
  './streams.test.ts',
  './xml.test.ts',
  ...(isWhole
    ? [
        '../../package/create-twin.test.ts',
        '../behaviours/client-items.test.ts',
        '../behaviours/lists.test.ts',
        '../behaviours/item-changes.test.ts',
        '../extras/forced/forced-answers.test.ts',
        '../extras/forced/magic-values.test.ts',
      ]
    : []),
];

const overSocket = globalThis.fetch;
let calls = 0;
vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
  const { origin } = new URL(input instanceof Request ? input.url : input);
  const way = inProcess.get(origin);
  if (way) calls += 1;
  return (way ?? overSocket)(input, init);
});
afterAll(() => vi.unstubAllGlobals());

for (const file of files) {
  // A describe of its own keeps the hooks of a file to its tests.
  describe(`in process: ${file}`, async () => {
    await import(file);
  });
}

it('passes their calls in process', () => {
  expect(calls).toBeGreaterThan(200);
});
