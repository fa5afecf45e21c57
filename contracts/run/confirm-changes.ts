import type { Api, Resource } from '../../openapi/index.ts';
import { planBodies, toBodyText, validFields } from '../cases/bodies.ts';
import type { Fields } from '../cases/body-parts.ts';
import { readCase } from '../cases/case.ts';
import { createCase } from '../cases/create-cases.ts';
import { type History, readHistories } from '../transcript/histories.ts';
import { toSegment } from '../transcript/items.ts';
import { callsLeft, largeReserve } from './keys/budget.ts';
import { isWholeChosen, largestPage } from './listed.ts';
import { settledId } from './prove-made.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/** How many kinds of change are tried again, and on how many fresh items each. */
const maxKinds = 3;
const itemsEach = 2;

/**
 * If items changed or disappeared, creates similar ones and treats them alike: a deployment that
 * changes items by itself does it again, while someone else who changed one leaves a fresh item
 * alone.
 */
export async function confirmChanges({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    if (!isWholeChosen(session, resource)) continue;
    const suspects = [...readHistories(session.transcript, resource).changed.values()];
    const byKind = new Map(suspects.toReversed().map((suspect) => [suspect.moves[0], suspect]));
    for (const suspect of [...byKind.values()].slice(0, maxKinds))
      for (let count = 0; count < itemsEach; count++)
        await tryAgain(session, document, resource, suspect);
  }
}

async function tryAgain(
  session: Session,
  document: Api,
  resource: Resource,
  { first }: History,
): Promise<void> {
  const { create, read } = resource.operations;
  const number = session.transcript.exchanges.length;
  const list = largestPage(resource, 'fresh', String(number));
  const listLater = largestPage(resource, 'fresh', `${number} later`);
  const affordable = callsLeft(session.keys.bulk) > largeReserve;
  if (!create || !list || !listLater || !affordable) return;
  const plan = planBodies(document, resource);
  const marker = `fresh ${number} {{run}}`;
  const alike: Record<string, unknown> = {};
  for (const { name, isUnique } of plan.properties) {
    const isOwn = isUnique || name === plan.markerProperty;
    // An item may show null where it has no value.
    if (!isOwn && (first[name] ?? undefined) !== undefined) alike[name] = first[name];
  }
  const body = toBodyText(plan, validFields(plan, marker, alike satisfies Fields));
  const made = await session.call({
    ...createCase(create, `fresh ${number}`, body, { kind: 'create' }, 2, marker),
    stage: 'fresh',
  });
  const id = await settledId(session, made);
  const path = toSegment(id);
  if (id === undefined || path === undefined) return;
  const readAgain = async (which: string) =>
    read &&
    session.call({
      ...readCase(read, path, { kind: 'read', id }, 2),
      id: `${read.id}/fresh ${number}, ${which}`,
      stage: 'fresh',
    });
  await session.call(list);
  await readAgain('once');
  await readAgain('twice');
  await session.call(listLater);
}
