import type { Operation, Resource } from '../../contracts/description/document.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { toItemId, toItemNumber } from '../items/item-ids.ts';
import { toStoredItem } from '../items/stored-item.ts';
import { createTakeFields } from '../items/take-fields.ts';
import type { ByteText } from '../json/byte-text.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { type ItemOptions, toWrap } from './item-answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Stores the body as a new item and answers with the item. Its id is the next one of the collection,
 * or the one that the body gives where the caller chooses ids; 409 where an item has that, or the
 * next one too where the body need not give any.
 */
export function createCreateBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name, idProperty, idSchema, givenId } = resource;
  const take = createTakeFields(options.document, resource, operation);
  const toAnswer = createToAnswer(resource, operation, options);
  const count: Behaviour = async (call) => {
    const { store, body } = call;
    try {
      const fields = (body ?? {}) as Fields;
      const item = await store.add(name, (n) => {
        const id = toItemId(n, idSchema);
        return toStoredItem(resource, take ? take(fields, { id, seed: n }) : fields, id);
      });
      return toAnswer(call, item.json);
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
  if (!givenId) return count;
  const isOptional = givenId === 'ifFree';
  return async (call) => {
    const { store, body } = call;
    const fields = (body ?? {}) as Fields;
    const id = fields[idProperty];
    if (!isId(id) || (isOptional && isPlaceholder(id))) return count(call);
    try {
      const taken = take ? take(fields, { id, seed: 1 }) : fields;
      const item = toStoredItem(resource, taken, id);
      const number = toItemNumber(item.id, idSchema);
      const outcome = await store.put(name, item, { number, ifFree: true });
      if (outcome !== 'taken') return toAnswer(call, item.json);
      return isOptional ? count(call) : toTakenAnswer(resource, item.id);
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

function isId(value: unknown): boolean {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

/** Whether an id is what forms send where nothing was filled in. */
function isPlaceholder(id: unknown): boolean {
  return id === '' || id === 'string' || Number(id) <= 0;
}

function toTakenAnswer({ name, idProperty }: Resource, id: string): Answer {
  const message = `An item of ${name} has the ${idProperty} ${toExcerpt(id, 80)} already.`;
  return toErrorAnswer('id_taken', message);
}

type ToAnswer = (call: Call, json: ByteText) => Answer | Promise<Answer | TextAnswer>;

/** The item, unless the document describes another answer. */
function createToAnswer(resource: Resource, operation: Operation, options: ItemOptions): ToAnswer {
  const described = findSuccess(operation);
  // Of many documents, the default response is that of errors.
  const success = described?.status === 'default' && described.schema ? undefined : described;
  const status = success ? statusOf(success, operation) : 201;
  if (!success) return (_, json) => ({ status, json });
  const wrap = toWrap(success, { operation, resource, ...options });
  if (wrap) return (_, json) => ({ status, json: wrap(json) });
  const { kind: _, ...others } = operation;
  return createFromDocumentBehaviour(
    options.document,
    { ...others, responses: [success] },
    options,
  );
}
