import { toToken } from '../../common/json-pointer.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Operation } from '../../openapi/index.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import {
  type Answer,
  toOutOfRoomAnswer,
  toShownPath,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import { missingStatusOf, takenStatusOf, unfitStatusOf } from '../documented/responses.ts';
import { ItemError } from '../items/item-edits.ts';
import { type Taken, toUniqueStore, ValueTakenError } from '../items/unique-store.ts';
import { JsonPatchError } from '../json/json-patch.ts';
import { type Problem, toSentences } from '../json/validator.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';

type Place = Pick<ItemOperation, 'resource' | 'operation'>;

/** Answers what a behaviour throws where it cannot store what is sent: nothing was stored then. */
export function withRefusals(behaviour: Behaviour, place: Place): Behaviour {
  return async (call) => {
    try {
      return await behaviour(call);
    } catch (error) {
      if (error instanceof ItemError) return toUnfitAnswer(place, error.problems);
      if (error instanceof JsonPatchError)
        return toUnfitAnswer(place, [{ pointer: '', problem: error.message }]);
      if (error instanceof ValueTakenError) return toValueTakenAnswer(place, error.taken);
      return toOutOfRoomAnswer(error);
    }
  };
}

/** The answer to a body that fits no item: 400, or 422 where only that is stated. */
function toUnfitAnswer({ resource, operation }: Place, problems: readonly Problem[]): Answer {
  return toStatedErrorAnswer(
    'invalid_body',
    `The body is not valid for an item of ${resource.name}. ${toSentences(problems)}`,
    unfitStatusOf(operation),
    problems.map((problem) => ({ in: 'body', ...problem })),
  );
}

/** The answer where nothing is at the path of a call: 404, or 410 where only that is stated. */
export function toMissingAnswer(operation: Operation, { url }: Call, why = '.'): Answer {
  const message = `There is nothing at ${toShownPath(url)}${why}`;
  return toStatedErrorAnswer('not_found', message, missingStatusOf(operation));
}

/** The answer to an item whose id, or the one that a property of the body gives it, is taken. */
export function toTakenAnswer({ resource, operation }: Place, id: string, given?: string): Answer {
  const { name, idProperty } = resource;
  const problem = `An item of ${name} has the ${idProperty} ${toExcerpt(id, 80)} already.`;
  const problems = given && [{ in: 'body' as const, pointer: `/${toToken(given)}`, problem }];
  return toStatedErrorAnswer('id_taken', problem, takenStatusOf(operation), problems || undefined);
}

function toValueTakenAnswer(
  { resource, operation }: Place,
  { property, text, index, isWithin }: Taken,
): Answer {
  const item = operation.kind === 'createMany' ? `/${index}` : '';
  const pointer = `${item}/${toToken(property)}`;
  const other = isWithin ? 'another item of the body' : `another item of ${resource.name}`;
  const problem = `"${property}" must be unique, but ${other} has ${toExcerpt(text, 80)}.`;
  const problems = [{ in: 'body' as const, pointer, problem }];
  return toStatedErrorAnswer('value_taken', problem, takenStatusOf(operation), problems);
}

/**
 * Has a behaviour throw where two items would get the same value of a property that the document
 * marks as unique. Items below different parents may have the same.
 */
export function withUniqueValues(
  behaviour: Behaviour,
  { document: { schemas }, resource, operation }: ItemOperation,
): Behaviour {
  const properties = schemas
    .uniquePropertiesOf(resource)
    .filter((name) => !schemas.isMarked(resource.item.properties[name], 'readOnly'));
  if (properties.length === 0 || !rowOf(operation.kind).stores) return behaviour;
  return (call) => behaviour({ ...call, store: toUniqueStore(call.store, resource, properties) });
}
