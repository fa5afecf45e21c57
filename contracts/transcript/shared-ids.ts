import type { Resource } from '../../openapi/index.ts';
import type { Answered } from './exchange.ts';
import { idOf } from './ids.ts';
import { itemIn, itemsOf } from './items.ts';
import { readStays } from './lost-items.ts';
import { answeredFor, type Transcript } from './transcript.ts';

/** A create that answered with an id, and where that id was seen before, if so. */
export type GivenId = { id: string; exchange: Answered; before: string | undefined };

/** Purposes of calls that may list an item or create one, even by mistake. */
const kinds = [
  'list',
  'create',
  'create-with-id',
  'observed',
  'count',
  'invalid-create',
  'credential',
  'silence',
] as const;

/** How often creates that are under way together must give one id where a store may be emptied. */
const minAtOnce = 3;

/**
 * The ids that creates gave while others were known, in order of sending. An id that was seen
 * before belongs to two items.
 */
export function givenIds(transcript: Transcript, resource: Resource): GivenId[] {
  const { idProperty, name } = resource;
  const seen = new Map<string, { endedAt: number; where: string; isCreate: boolean }>();
  const given: GivenId[] = [];
  // In traffic somebody may have emptied the store, so that ids begin again.
  const stays = transcript.isTraffic ? readStays(transcript, resource) : () => true;
  let atOnce = 0;
  for (const exchange of answeredFor(transcript, ...kinds)) {
    const { case: testCase, response, endedAt, sentAt } = exchange;
    if (testCase.operation?.resource !== name || response.status >= 300) continue;
    if (testCase.operation.kind === 'list')
      for (const item of itemsOf(exchange) ?? []) {
        const id = idOf(item, idProperty);
        if (id !== undefined && !seen.has(id))
          seen.set(id, { endedAt, where: testCase.id, isCreate: false });
      }
    const id =
      testCase.operation.kind === 'create' ? idOf(itemIn(exchange), idProperty) : undefined;
    if (id === undefined) continue;
    const earlier = seen.get(id);
    if (earlier?.isCreate && sentAt < earlier.endedAt) atOnce += 1;
    // A list that was in flight at the time may show the item that was just created.
    const isTaken =
      earlier !== undefined &&
      (earlier.endedAt < sentAt || earlier.isCreate) &&
      (atOnce >= minAtOnce || stays(earlier.endedAt, endedAt));
    if (seen.size > 0) given.push({ id, exchange, before: isTaken ? earlier.where : undefined });
    if (!isTaken) seen.set(id, { endedAt, where: testCase.id, isCreate: true });
  }
  return given;
}

/** The ids that a create gave although an item had them. */
export function sharedIds(transcript: Transcript, resource: Resource): Set<string> {
  return new Set(
    givenIds(transcript, resource).flatMap(({ id, before }) => (before === undefined ? [] : [id])),
  );
}
