import { expect, it } from 'vitest';
import type { DeploymentOptions, Mutate } from '../../../tools/lab/deployment.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { resultOf, rowOf, verifyDeployment } from '../../support/verify-deployment.ts';

/** Judges a deployment with all that it takes to see what is late, and gives what a check says. */
async function resultOfLate(deployment: DeploymentOptions, check: string) {
  const { report } = await verifyDeployment(deployment, { fill: true, only: [check] });
  return resultOf(report, check);
}

/** Shows what was added last only 300 ms later, in the lists that are chosen. */
function listingLastLate(isLate: (query: { status?: string | undefined }) => boolean): Mutate {
  const added = new Map<unknown, number>();
  const isListed = (id: unknown) => Date.now() - (added.get(id) ?? 0) > 300;
  return (truth) => ({
    create: (body, call) => {
      const item = truth.create(body, call);
      if (String(body.name).startsWith('top-up')) added.set(item.id, Date.now());
      return item;
    },
    list: (query, call) =>
      truth.list(query, call).filter(({ id }) => !isLate(query) || isListed(id)),
  });
}

it('asks for the whole list again where only what was added last shows that it is late', async () => {
  const result = await resultOfLate({ mutate: listingLastLate(() => true) }, 'listed-when-created');
  expect(result).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('reads at the end what no list shows, because someone else may have deleted it', async () => {
  const late = listingLastLate(() => true);
  const gone = new Map<string, number>();
  const result = await resultOfLate(
    {
      mutate: (truth, shop) => {
        const { create, list, ...rest } = late(truth, shop);
        return {
          ...rest,
          list: (query, call) => {
            for (const [id, at] of gone) if (Date.now() >= at) shop.items.delete(id);
            return (list ?? truth.list)(query, call);
          },
          create: (body, call) => {
            const item = (create ?? truth.create)(body, call);
            const isTopUp = String(body.name).startsWith('top-up 2 ');
            if (isTopUp) gone.set(String(item.id), Date.now() + 20);
            return item;
          },
        };
      },
    },
    'filter',
  );
  expect(result).not.toMatchObject({ verdict: 'drift' });
}, 60_000);

it('asks a deployment that is never late for the whole list once', async () => {
  const { exchanges } = await recordTranscript();
  const lists = exchanges.flatMap(({ case: { id, operation, stage, purpose } }) =>
    operation?.kind === 'list' && stage === 'after' && purpose.kind === 'list' ? [id] : [],
  );
  expect(exchanges.some(({ case: { id } }) => id.startsWith('createPet/top-up'))).toBe(true);
  expect(lists.filter((id) => id.startsWith('listPets/limit=100 '))).toEqual([
    'listPets/limit=100 (after)',
  ]);
}, 60_000);

it('tells the largest page of a deployment that shows created items later', async () => {
  const result = await resultOfLate(rowOf('fair-seen-half-a-second-later'), 'page-size');
  expect(result).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('gives a deployment that was never late a moment to list what was added last', async () => {
  const result = await resultOfLate(
    { mutate: listingLastLate(({ status }) => status !== undefined) },
    'page-size',
  );
  expect(result).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('makes an item of its own again where the key had reached its limit', async () => {
  const name = 'after the survey';
  let refused = 0;
  let made = 0;
  const mutate: Mutate = (truth) => ({
    meter: (call, account) => {
      const quota = truth.meter(call, account);
      if (!call.text?.includes(name) || refused > 0) return quota;
      refused += 1;
      return { ...quota, remaining: 0, refusedFor: 1 };
    },
    create: (body, call) => {
      if (String(body.name).includes(name)) made += 1;
      return truth.create(body, call);
    },
  });
  await verifyDeployment({ mutate }, { only: ['listed-when-created'] });
  expect({ refused, made }).toEqual({ refused: 1, made: 1 });
}, 60_000);

it.each([232, 236, 240, 244, 248, 252])(
  'keeps calls for methods that nobody describes where a late deployment allows %i',
  async (minute) => {
    const { mutate } = rowOf('fair-seen-half-a-second-later');
    const plans = { free: { minute: 60, day: 1000 }, pro: { minute, day: 10_000 } };
    const { exchanges } = await recordTranscript({
      settings: { plans },
      ...(mutate && { mutate }),
    });
    const refused = exchanges.filter(({ response }) => response?.status === 405);
    expect(refused.map(({ case: { id } }) => id)).toEqual(['DELETE /pets/{petId}']);
  },
  60_000,
);
