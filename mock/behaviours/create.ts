import { heldSchemaOf } from '../../contracts/description/content.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import type { ByteText } from '../json/byte-text.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { type ItemOptions, toWrap } from './item-answers.ts';
import { createToNewItem, jsonAsPut, toTakenAnswer } from './new-item.ts';

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
  const { name } = resource;
  const toNewItem = createToNewItem(options.document, resource, operation);
  const toAnswer = createToAnswer(resource, operation, options);
  return async (call) => {
    const { store, clock, body } = call;
    try {
      const { given, toItem } = toNewItem((body ?? {}) as Fields, clock);
      if (!given) return toAnswer(call, (await store.add(name, toItem)).json);
      const { item, number } = given;
      const outcome = await store.put(name, item, { number, ifFree: true });
      if (outcome !== 'taken') return toAnswer(call, await jsonAsPut(store, resource, item));
      if (!toItem) return toTakenAnswer(resource, item.id);
      return toAnswer(call, (await store.add(name, toItem)).json);
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

type ToAnswer = (call: Call, json: ByteText) => Answer | Promise<Answer | TextAnswer>;

/** The item, unless the document describes another answer. */
function createToAnswer(resource: Resource, operation: Operation, options: ItemOptions): ToAnswer {
  // Where the document has several, this one says what is done.
  const created = operation.responses.find(({ status }) => status === '201');
  const described = created ?? findSuccess(operation);
  // Of many documents, the default response is that of errors.
  const success =
    described?.status === 'default' && heldSchemaOf(described) ? undefined : described;
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
