import type { Resource } from '../description/document.ts';
import { idOf } from '../transcript/ids.ts';
import { type Item, itemIn } from '../transcript/items.ts';
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
