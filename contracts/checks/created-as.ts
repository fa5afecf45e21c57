import type { Resource } from '../description/document.ts';
import type { Answered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { type Item, itemIn } from '../transcript/items.ts';
import { ownIdOf } from '../transcript/made.ts';
import { isSameText } from '../transcript/same-text.ts';
import { sentFields } from '../transcript/sent-fields.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

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
