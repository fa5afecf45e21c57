import type { Resource } from '../../openapi/index.ts';
import type { Answered } from './exchange.ts';
import { eventsOf, type ItemEvent } from './ledger.ts';
import { readStays } from './lost-items.ts';
import type { Transcript } from './transcript.ts';

/** A create that answered with an id, and where that id was seen before, if so. */
export type GivenId = { id: string; exchange: Answered; before: string | undefined };

/** Purposes of calls that may list an item or create one, even by mistake. */
const kinds = [
  ...['list', 'create', 'create-with-id', 'observed'],
  ...['count', 'invalid-create', 'credential', 'silence'],
];

/** How often creates that are under way together must give one id where a store may be emptied. */
const minAtOnce = 3;

/**
 * The ids that creates gave while others were known, in order of sending. An id that was seen
 * before belongs to two items.
 */
export function givenIds(transcript: Transcript, resource: Resource): GivenId[] {
  // In traffic somebody may have emptied the store, so that ids begin again.
  const stays = transcript.isTraffic ? readStays(transcript, resource) : () => true;
  const seen = new Map<string, ItemEvent>();
  const given: GivenId[] = [];
  let atOnce = 0;
  for (const event of eventsOf(transcript, resource).filter(tellsOfId)) {
    const { what, id, exchange } = event;
    const earlier = seen.get(id);
    if (what === 'shown') {
      seen.set(id, earlier ?? event);
      continue;
    }
    const isOfCreate = earlier?.what === 'created';
    if (isOfCreate && exchange.sentAt < earlier.exchange.endedAt) atOnce += 1;
    // A list that was in flight at the time may show the item that was just created.
    const isTaken =
      earlier !== undefined &&
      (isOfCreate || earlier.exchange.endedAt < exchange.sentAt) &&
      (atOnce >= minAtOnce || stays(earlier.exchange.endedAt, exchange.endedAt));
    if (seen.size > 0)
      given.push({ id, exchange, before: isTaken ? earlier.exchange.case.id : undefined });
    if (!isTaken) seen.set(id, event);
  }
  return given;
}

function tellsOfId({ what, exchange: { case: testCase } }: ItemEvent): boolean {
  const isShown = what === 'created' || (what === 'shown' && testCase.operation?.kind === 'list');
  return isShown && kinds.includes(testCase.purpose.kind);
}

/** The ids that a create gave although an item had them. */
export function sharedIds(transcript: Transcript, resource: Resource): Set<string> {
  return new Set(
    givenIds(transcript, resource).flatMap(({ id, before }) => (before === undefined ? [] : [id])),
  );
}
