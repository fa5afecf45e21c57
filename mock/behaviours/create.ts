import { receiptOf } from '../../contracts/description/collections/id-property.ts';
import { heldSchemaOf } from '../../contracts/description/content.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { type ByteText, toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
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
  const { schema = {} } = success;
  const receipt = receiptOf(describeShown(options.document, schema), resource);
  if (receipt !== undefined)
    return (_, json) => ({ status, json: toReceipt(receipt, json, resource) });
  const { kind: _, ...others } = operation;
  return createFromDocumentBehaviour(
    options.document,
    { ...others, responses: [success] },
    options,
  );
}

/** What shows no more of a new item than its id: `{"silenceID": "..."}`. */
function toReceipt(name: string, json: ByteText, { idProperty }: Resource): ByteText {
  const { value } = parseExact(toText(json));
  return toByteText(stringifyExact({ [name]: valueAt(value as Fields, idProperty) }));
}
