import { isObject, stringifyExact } from '../../common/json.ts';
import { withAt } from '../../common/property-path.ts';
import type { Api, Operation, Resource, ResponseDescription, Schema } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { noContent, sentStatus } from '../answers/answer.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { findNamedItems } from '../items/named-items.ts';
import { toItemNumber } from '../items/stored-item.ts';
import { type ByteText, isInt64, noBytes, parseInteger, toByteText } from '../json/exact-json.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';
import { makeShown } from './frame.ts';
import { saysDeleted, toMissingIdAnswer } from './item-answers.ts';
import { findShownItem } from './wrapped-items.ts';

/**
 * Reads one item by the id in the path. An id is compared to the letter, so each item has one
 * address.
 */
export function createReadBehaviour({
  document,
  resource,
  operation,
}: Omit<ItemOperation, 'document'> & Partial<ItemOperation>): Behaviour {
  const parameter = idParameterOf(operation) ?? resource.idProperty;
  const success = findSuccess(operation);
  const shown = document && success && findShownItem(success, { document, resource, operation });
  const wrap = shown?.wrap;
  const status = success ? statusOf(success, operation) : 200;
  // Such a read only tells whether the item is there.
  const isEmpty = status === 204;
  const isNamed = document && findNamedItems(document, operation).length > 0;
  const toDeleted = success && document && createToDeleted(document, resource, success);
  /** Whether an item had such an id: it was counted, and so was removed. */
  const isCountedId = async ({ store }: Call, id: string) => {
    const number = toItemNumber(id, resource.idSchema);
    return number !== undefined && number < (await store.nextNumber(resource.name));
  };
  const isInteger = resource.idSchema.type === 'integer' && !isNamed;
  return async (call) => {
    const id = call.params[parameter] ?? '';
    const json = await call.store.get(resource.name, id);
    if (json !== undefined) return isEmpty ? noContent : { status, json: wrap?.(json) ?? json };
    if (toDeleted && (await isCountedId(call, id))) return { status: 200, json: toDeleted(id) };
    const isUnfit = isInteger && !isInt64Text(id);
    const why = `. ${parameter} must be a 64-bit integer in decimal digits.`;
    return toMissingIdAnswer(
      { ...(document && { document }), operation },
      call,
      isUnfit ? why : undefined,
    );
  };
}

/**
 * Creates the answer for an item that was deleted, where the success has an alternative that says so:
 * `{"id": 1, "deleted": true}`. Items of several parents are not told apart once they are gone.
 */
function createToDeleted(
  document: Api,
  { idProperty, idSchema, scope, operations }: Resource,
  response: ResponseDescription,
): ((id: string) => ByteText) | undefined {
  const { schemas } = document;
  const { anyOf, oneOf }: Schema = schemas.resolve(heldSchemaOf(response) ?? {});
  const isNote = (one: Schema) => {
    const flat = schemas.flatten(one);
    return saysDeleted(flat) && schemas.describedAt(flat, idProperty) !== undefined;
  };
  const alternatives = (anyOf ?? oneOf ?? []) as Schema[];
  const isGone = scope !== undefined || operations.delete?.rules?.keeps === false;
  const note = isGone ? undefined : alternatives.find(isNote);
  const shown = note && makeShown(document, note);
  if (!isObject(shown)) return undefined;
  const typed = (id: string) => (idSchema.type === 'string' ? id : parseInteger(id));
  return (id) => toByteText(stringifyExact(withAt(shown, idProperty, typed(id))));
}

function isInt64Text(text: string): boolean {
  const integer = parseInteger(text);
  return integer !== undefined && isInt64(integer);
}

/**
 * Creates the behaviour of a HEAD: that of the GET at its path, with the success status of the
 * HEAD.
 */
export function createHeadBehaviour(behaviour: Behaviour, operation: Operation): Behaviour {
  const success = findSuccess(operation);
  if (!success || success.status === 'default') return behaviour;
  const status = statusOf(success, operation);
  return async (call) => {
    const answer = await behaviour(call);
    const own = sentStatus(answer);
    if (own === status || own < 200 || own > 299) return answer;
    if (status !== 204) return { ...answer, status };
    const { headers } = answer;
    return { status, json: noBytes, ...(headers && { headers }) };
  };
}
