import { findListRules } from '../../contracts/description/collections/list-rules.ts';
import { bodyItemsOf, itemsOf } from '../../contracts/description/collections/success.ts';
import { heldSchemaOf } from '../../contracts/description/content.ts';
import { describedAt } from '../../contracts/description/described-at.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import type { Fields } from '../items/stored-item.ts';
import type { ByteText } from '../json/exact-json.ts';
import type { Behaviour, Call } from './behaviour.ts';
import { createToNewItem } from './create.ts';
import { createOtherAnswer, type ItemOptions, toWrap } from './item-answers.ts';
import { createRenderList, makeAround } from './list-answer.ts';
import { toTakenAnswer } from './refusals.ts';

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
  const schema = bodyItemsOf(document.raw, operation) ?? {};
  const ofOne = { ...others, body: { required: true, examples: {}, ...body, schema } };
  const toNewItem = createToNewItem(document, resource, ofOne);
  // What holds items is called as in the path of the collection.
  const toAnswer = createToAnswer(resource, { ...operation, path: resource.path }, options);
  return async (call) => {
    const bodies = [call.body ?? []].flat() as Fields[];
    const newItems = bodies.map((fields) => toNewItem(fields, call.clock));
    const { items, taken } = await call.store.addAll(resource.name, newItems);
    if (!items) return toTakenAnswer({ resource, operation }, taken);
    return toAnswer(
      call,
      items.map(({ json }) => json),
    );
  };
}

type ToAnswer = (
  call: Call,
  items: readonly ByteText[],
) => Answer | TextAnswer | Promise<Answer | TextAnswer>;

function createToAnswer(resource: Resource, operation: Operation, options: ItemOptions): ToAnswer {
  const { document } = options;
  const { raw } = document;
  const described = findSuccess(operation);
  // Of many documents, the default response is that of errors.
  const success = described?.status === 'default' ? undefined : described;
  if (!success) return (_, items) => ({ status: 201, json: `[${items.join(',')}]` as ByteText });
  const status = statusOf(success, operation);
  const [schema, listed] = [heldSchemaOf(success), itemsOf(raw, operation)];
  const shown = listed && describeShown(document, listed);
  if (schema && shown && describedAt(raw, shown, resource.idProperty) !== undefined) {
    const { form } = findListRules(raw, operation, resource.item);
    const around = makeAround({ responses: [success] }, schema, { form, document });
    const render = createRenderList({ raw, schema, form, around, defaultAs: 'url' });
    return ({ url }, items) => {
      const { length: total } = items;
      const page = { items, size: total, total, skipped: 0, hasNext: false, hasPrevious: false };
      return { status, json: render(page, () => url) };
    };
  }
  const answer = createOtherAnswer(operation, success, options);
  const wrap = toWrap(success, { operation, resource, ...options });
  return (call, items) => {
    const last = items.at(-1);
    return wrap && last !== undefined ? { status, json: wrap(last) } : answer(call);
  };
}
