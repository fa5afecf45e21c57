import type { Operation } from '../../openapi/index.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { noContent, sentStatus } from '../answers/answer.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { findNamedItems } from '../items/named-items.ts';
import { isInt64, noBytes, parseInteger } from '../json/exact-json.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';
import { toMissingAnswer } from './item-answers.ts';
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
  // Such a read only tells whether the item is there.
  const isEmpty = success?.status === '204';
  const isNamed = document && findNamedItems(document, operation).length > 0;
  const isInteger = resource.idSchema.type === 'integer' && !isNamed;
  return async (call) => {
    const id = call.params[parameter] ?? '';
    const json = await call.store.get(resource.name, id);
    if (json !== undefined)
      return isEmpty ? noContent : { status: 200, json: wrap?.(json) ?? json };
    const isUnfit = isInteger && !isInt64Text(id);
    const why = `. ${parameter} must be a 64-bit integer in decimal digits.`;
    return toMissingAnswer(operation, call, isUnfit ? why : undefined);
  };
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
