import { changeCase, changesOf } from '../cases/change-cases.ts';
import { readCase } from '../cases/read-cases.ts';
import { describesPrecondition, ifMatchOf, isStatedError } from '../document/stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { toSegment } from '../transcript/ids.ts';
import type { Item } from '../transcript/items.ts';
import type { OwnItem } from './own-item.ts';

/**
 * Changes an item with the ETag that a read shows, with the one before, and without any, as far as
 * the document describes the answers. `item` is as it was last seen.
 */
export async function tryPreconditions(own: OwnItem, item: Item): Promise<void> {
  const { session, document, resource, id } = own;
  const { read } = resource.operations;
  const segment = toSegment(id);
  const fresh = session.values.fresh();
  const marker = `changed by its version ${fresh}`;
  const change = changesOf(document, resource, { item, own: own.sent, marker, fresh }).find(
    ({ how, operation }) => how !== 'read-only' && describesPrecondition(operation),
  );
  if (!read || !change || segment === undefined || !session.choice.isChosen(change.operation))
    return;
  const { operation } = change;
  const { name = 'If-Match', required = false } = ifMatchOf(operation) ?? {};
  const readTag = async (when: string) => {
    const show = readCase(read, segment, { kind: 'call' }, 2);
    const answer = await own.call({ ...show, id: `${show.id}/${id} for its version, ${when}` });
    const tag = answer && headerValue(answer, 'ETag');
    // No weak one is equal to any in If-Match (RFC 9110 §13.1.1).
    return tag?.startsWith('"') ? tag : undefined;
  };
  const { path } = readCase(operation, segment, { kind: 'call' }, 2);
  const one = changeCase(change, { id, path });
  const send = (step: 'current' | 'stale' | 'none', tag?: string) =>
    own.call({
      ...one,
      id: `${one.id}, version ${step}`,
      headers: { ...one.headers, ...(tag !== undefined && { [name]: tag }) },
      purpose: { kind: 'precondition', step },
    });
  const tag = await readTag('before');
  if (tag === undefined) return;
  const changed = await send('current', tag);
  if ((changed?.response?.status ?? 500) >= 300) return;
  if (isStatedError(operation, 412) && (await readTag('after')) !== tag) await send('stale', tag);
  if (isStatedError(operation, 428) && !required) await send('none');
}
