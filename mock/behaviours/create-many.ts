import { findListRules } from '../../contracts/description/collections/list-rules.ts';
import { bodyItemsOf, itemsOf } from '../../contracts/description/collections/success.ts';
import { heldSchemaOf } from '../../contracts/description/content.ts';
import { describedAt } from '../../contracts/description/described-at.ts';
import type {
  Operation,
  Resource,
  ResponseDescription,
} from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createToNewItem, toTakenAnswer } from './create.ts';
import { createFromDocumentBehaviour } from './from-document.ts';
import { type ItemOptions, toWrap } from './item-answers.ts';
import { createRenderList } from './list-answer.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Stores each item of the list in the body, all of them or none, and answers with the items, with the
 * last one, or with what else the document describes. Ids are those of a create.
 */
export function createCreateManyBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { document } = options;
  const { body, otherBody: _, ...others } = operation;
  // What holds items is called as in the path of the collection.
  const ofItems = { ...operation, path: resource.path };
  const schema = bodyItemsOf(document.raw, operation) ?? {};
  const toNewItem = createToNewItem(document, resource, {
    ...others,
    body: { required: true, examples: {}, ...body, schema },
  });
  const toAnswer = createToAnswer(resource, ofItems, options);
  return async (call) => {
    const given: unknown = call.body ?? [];
    const bodies = (Array.isArray(given) ? given : [given]) as Fields[];
    try {
      const newItems = bodies.map((fields) => toNewItem(fields, call.clock));
      const { items, taken } = await call.store.addAll(resource.name, newItems);
      if (!items) return toTakenAnswer(resource, taken);
      return await toAnswer(
        call,
        items.map(({ json }) => json),
      );
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}

type ToAnswer = (call: Call, items: readonly ByteText[]) => Promise<Answer | TextAnswer>;

function createToAnswer(resource: Resource, operation: Operation, options: ItemOptions): ToAnswer {
  const described = findSuccess(operation);
  // Of many documents, the default response is that of errors.
  const success = described?.status === 'default' ? undefined : described;
  if (!success) return async (_, items) => ({ status: 201, json: toList(items) });
  const status = statusOf(success, operation);
  const render = createRender(resource, { operation, success, ...options });
  if (render) return async (call, items) => ({ status, json: render(call, items) });
  const { kind: _, ...others } = operation;
  const answer = createFromDocumentBehaviour(
    options.document,
    { ...others, responses: [success] },
    options,
  );
  const wrap = toWrap(success, { operation, resource, ...options });
  return async (call, items) => {
    const last = items.at(-1);
    return wrap && last !== undefined ? { status, json: wrap(last) } : answer(call);
  };
}

type SuccessOptions = ItemOptions & { operation: Operation; success: ResponseDescription };

/** Makes what renders all items, where the success is a list of them. */
function createRender(
  { idProperty, item }: Resource,
  { operation, success, document }: SuccessOptions,
): ((call: Call, items: readonly ByteText[]) => ByteText) | undefined {
  const schema = heldSchemaOf(success);
  const listed = itemsOf(document.raw, operation);
  const isOfItems =
    listed && describedAt(document.raw, describeShown(document, listed), idProperty) !== undefined;
  if (!schema || !isOfItems) return undefined;
  const { form } = findListRules(document.raw, operation, item);
  const [example] = Object.values(success.examples);
  const options = { document, schema, form, example, defaultAs: 'url', isFull: false } as const;
  const render = createRenderList(options);
  return ({ url }, items) => {
    const { length: total } = items;
    const page = { items, size: total, total, skipped: 0, hasNext: false, hasPrevious: false };
    return render(page, () => url);
  };
}

function toList(items: readonly ByteText[]): ByteText {
  return `[${items.join(',')}]` as ByteText;
}
