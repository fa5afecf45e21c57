import type { Resource } from '../description/document.ts';
import { type Answered, isAnswered } from './exchange.ts';
import { idAsked, idOf } from './ids.ts';
import { type Item, itemIn, itemsIn } from './items.ts';
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
