import type { Resource } from '../../openapi/index.ts';
import type { Case } from '../cases/case.ts';
import { createCases, remarked } from '../cases/create-cases.ts';
import { boundedPageSize } from '../document/stated.ts';
import { readHistories } from '../transcript/histories.ts';
import { grace } from '../transcript/ledger.ts';
import { callsLeft, largeReserve, reserve } from './keys/budget.ts';
import { isWholeChosen, largestPage, listedItems } from './listed.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/**
 * The time that a deployment gets to list what was added although it was never seen to be late, in
 * milliseconds.
 */
const pause = 500;

/**
 * Adds items until the default page is smaller than the store, and where `fill` allows it and a
 * clause is about it, the largest page too. Where the list does not show them all at once, it is
 * given the time that a deployment may need.
 */
export async function topUp({ session, document, options: { fill } }: Turn): Promise<void> {
  // Where no clause states the sizes of pages, nothing judges the largest one.
  const mayFill = fill && document.clauses.some(({ id }) => id === 'page-size');
  for (const resource of document.resources) {
    const size = boundedPageSize(resource);
    const probe = largestPage(resource, 'top-up');
    const toppedUp = largestPage(resource, 'top-up', 'done');
    const creates = createCases({ document, resource })
      .filter(({ priority }) => priority === 1)
      .slice(0, 4);
    if (!size || !probe || !toppedUp || creates.length === 0) continue;
    if (!isWholeChosen(session, resource)) continue;
    await session.call(probe);
    const held = listedItems(session, resource).length;
    // A late deployment is asked again for what it does not show yet, which takes more calls.
    const kept = isLate(session, resource) ? largeReserve : reserve;
    const affordable = callsLeft(session.keys.bulk) - kept;
    const missing = [size.max + 1, (size.default ?? 0) + 1]
      .map((wanted) => wanted - held)
      .find((count, index) => count <= affordable && (index > 0 || mayFill));
    if (missing === undefined || missing <= 0) continue;
    const more = Array.from({ length: missing }, (_, index) => {
      const create = creates[index % creates.length] as Case;
      const name = `top-up ${index + 1}`;
      return remarked(create, `${create.operation?.id}/${name}`, `${name} {{run}}`);
    });
    const [first, ...others] = more;
    const before = callsLeft(session.keys.bulk);
    await session.call(first as Case);
    const after = callsLeft(session.keys.bulk);
    // A create may cost more than one call.
    if (others.length * (before - after) > after - kept) continue;
    await session.callAll(others);
    await session.call(toppedUp);
    const shown = listedItems(session, resource).length;
    const isShort = shown < Math.min(held + missing, size.max);
    await session.pause(isShort || isLate(session, resource) ? grace : pause);
  }
}

function isLate({ transcript }: Session, resource: Resource): boolean {
  return readHistories(transcript, resource).isLate === true;
}
