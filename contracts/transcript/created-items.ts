import type { Resource } from '../description/document.ts';
import { type Answered, isAnswered } from './exchange.ts';
import { idAsked, idOf } from './ids.ts';
import { type Item, isSameText, itemIn, itemsIn, sentFields } from './items.ts';
import { ownIdOf } from './made.ts';
import { answeredFor, type Transcript } from './transcript.ts';

/** An item that a create answered with, and when, in Unix milliseconds. */
export type Created = { id: string; item: Item; endedAt: number };

/** The items that creates answered with, except those that are never found again. */
export function createdItems(transcript: Transcript, resource: Resource): Created[] {
  const lost = neverFound(transcript, resource);
  return answeredFor(transcript, 'create').flatMap((exchange) => {
    const { case: testCase, response, endedAt, made } = exchange;
    const isCreated = testCase.operation === resource.operations.create && response.status < 300;
    const item = isCreated && made?.whose !== 'others' ? itemIn(exchange) : undefined;
    const id = idOf(item, resource.idProperty);
    return item === undefined || id === undefined || lost.has(id) ? [] : [{ id, item, endedAt }];
  });
}

const cache = new WeakMap<Transcript, Map<Resource, ReadonlySet<string>>>();

/**
 * The ids of created items that are never found again: a read is answered with 404, and no list or
 * read ever shows them. They are not stored, or under another id, or out of reach. If this holds
 * for every created item that was read, it is assumed of the others.
 */
export function neverFound(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  const ofTranscript = cache.get(transcript) ?? new Map<Resource, ReadonlySet<string>>();
  cache.set(transcript, ofTranscript);
  const known = ofTranscript.get(resource) ?? readNeverFound(transcript, resource);
  ofTranscript.set(resource, known);
  return known;
}

function readNeverFound({ exchanges }: Transcript, resource: Resource): ReadonlySet<string> {
  const { name, idProperty, operations } = resource;
  const [created, shown, unknown] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const exchange of exchanges.filter(isAnswered)) {
    const { case: testCase, request, response } = exchange;
    if (testCase.operation?.resource !== name) continue;
    if (response.status < 300)
      for (const id of idsIn(exchange, idProperty))
        (testCase.operation === operations.create ? created : shown).add(id);
    else if (response.status === 404 && testCase.purpose.kind === 'read')
      unknown.add(idAsked(request.path));
  }
  const lost = created.intersection(unknown).difference(shown);
  const isAnyStored = !created.isDisjointFrom(shown);
  return lost.size === 0 || isAnyStored ? lost : created;
}

function idsIn(answer: Answered, idProperty: string): string[] {
  return itemsIn(answer).flatMap((item) => idOf(item, idProperty) ?? []);
}

/** What the creates of a collection show of what its deployment makes itself. */
export type CreatedAs = {
  /** The values that items show although their bodies did not send them, such as defaults. */
  unsent: readonly Item[];
  /** The properties that one item showed otherwise than they were sent. */
  madeOtherwise: ReadonlySet<string>;
};

/** Compares created items with the bodies that created them; `id` is that of the one item. */
export function createdAs(
  transcript: Transcript,
  resource: Resource | undefined,
  id: string,
): CreatedAs {
  const unsent: Item[] = [];
  const madeOtherwise = new Set<string>();
  for (const exchange of resource ? answeredFor(transcript, 'create') : []) {
    const isCreated =
      exchange.case.operation?.path === resource?.operations.create?.path &&
      exchange.response.status < 300;
    const item = isCreated ? itemIn(exchange) : undefined;
    if (!item) continue;
    const sent = sentFields(exchange, resource);
    unsent.push(Object.fromEntries(Object.entries(item).filter(([name]) => !(name in sent))));
    if (idOf(item, resource?.idProperty ?? 'id') !== id) continue;
    for (const [name, value] of Object.entries(sent))
      if (name in item && !isSameText(item[name], value)) madeOtherwise.add(name);
  }
  return { unsent, madeOtherwise };
}

/** A create that made an item of the run's own, with the fields that it sent. */
export type OwnCreate = {
  exchange: Answered;
  id: string;
  item: Item;
  sent: Readonly<Record<string, unknown>>;
};

/** The creates of a collection that each made an item of the run's own, and not just accepted it. */
export function ownCreates(transcript: Transcript, resource: Resource): OwnCreate[] {
  const { create } = resource.operations;
  return answeredFor(transcript, 'create').flatMap((exchange) => {
    const { made, response, case: testCase } = exchange;
    const id = ownIdOf(exchange) ?? (made?.isEchoed ? made.id : undefined);
    const isDone = testCase.operation === create && response.status !== 202;
    if (!isDone || id === undefined || !made?.item) return [];
    return [{ exchange, id, item: made.item, sent: sentFields(exchange, resource) }];
  });
}
