import { changeCase, changesOf, deletionOf } from '../cases/change-cases.ts';
import type { ItemChange } from '../cases/item-change.ts';
import { readCase } from '../cases/read-cases.ts';
import { describesPrecondition, ifMatchOf, isStatedError } from '../document/stated.ts';
import { headerValue } from '../transcript/exchange.ts';
import { toSegment } from '../transcript/ids.ts';
import type { Item } from '../transcript/items.ts';
import type { OwnItem } from './own-item.ts';

type Step = 'current' | 'stale' | 'none';

/**
 * Changes an item with the ETag that a read shows, with another one, and without any, as far as the
 * document describes the answers; then deletes it so, with the right one last. `item` is as it was
 * last seen. Returns whether it is deleted now.
 */
export async function tryPreconditions(own: OwnItem, item: Item): Promise<boolean> {
  const { session, document, resource, id } = own;
  const { read } = resource.operations;
  const segment = toSegment(id);
  if (!read || segment === undefined) return false;
  const fresh = session.values.fresh();
  const marker = `changed by its version ${fresh}`;
  const isTried = ({ how, operation }: ItemChange) =>
    how !== 'read-only' && describesPrecondition(operation) && session.choice.isChosen(operation);
  const change = changesOf(document, resource, { item, own: own.sent, marker, fresh }).find(
    isTried,
  );
  const deletion = [deletionOf(resource) ?? []].flat().find(isTried);
  const readTag = async (when: string) => {
    const show = readCase(read, segment, { kind: 'call' }, 2);
    const answer = await own.call({ ...show, id: `${show.id}/${id} for its version, ${when}` });
    const tag = answer && headerValue(answer, 'ETag');
    // No weak one is equal to any in If-Match (RFC 9110 §13.1.1).
    return tag?.startsWith('"') ? tag : undefined;
  };
  /** Makes a change with a tag, and returns whether it was answered with a success. */
  const send = async (one: ItemChange, step: Step, tag?: string) => {
    const { name = 'If-Match', required = false } = ifMatchOf(one.operation) ?? {};
    if (step === 'stale' && !isStatedError(one.operation, 412)) return false;
    if (step === 'none' && (required || !isStatedError(one.operation, 428))) return false;
    const { path } = readCase(one.operation, segment, { kind: 'call' }, 2);
    const plain = changeCase(one, { id, path });
    const answer = await own.call({
      ...plain,
      id: `${plain.id}, version ${step}`,
      headers: { ...plain.headers, ...(tag !== undefined && { [name]: tag }) },
      purpose: { kind: 'precondition', step },
    });
    return (answer?.response?.status ?? 500) < 300;
  };
  let tag = change || deletion ? await readTag('before') : undefined;
  let older = `"${fresh}"`;
  if (change && tag !== undefined && (await send(change, 'current', tag))) {
    const next = await readTag('after');
    if (next !== tag) await send(change, 'stale', tag);
    await send(change, 'none');
    if (next !== tag) older = tag;
    tag = await readTag('at last');
  }
  if (!deletion || tag === undefined) return false;
  return (
    (await send(deletion, 'stale', older)) ||
    (await send(deletion, 'none')) ||
    send(deletion, 'current', tag)
  );
}
