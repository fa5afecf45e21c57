import { uniquePropertiesOf } from '../../contracts/description/collections/unique-properties.ts';
import type { Resource } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { isMarked } from '../../contracts/description/marks.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, toStatedErrorAnswer } from '../answers/answer.ts';
import { takenStatusOf } from '../documented/responses.ts';
import { type Taken, toUniqueStore, ValueTakenError } from '../items/unique-store.ts';
import type { Behaviour, ItemOperation } from './behaviour.ts';

/**
 * Refuses what would give two items the same value of a property that the document marks as unique;
 * the behaviour itself where it marks none. Items below different parents may have the same.
 */
export function withUniqueValues(
  behaviour: Behaviour,
  { document: { raw }, resource, operation }: ItemOperation,
): Behaviour {
  const { kind } = operation;
  const properties = uniquePropertiesOf(raw, resource).filter(
    (name) => !isMarked(raw, resource.item.properties[name], 'readOnly'),
  );
  if (properties.length === 0 || !kind || !storing.has(kind)) return behaviour;
  const status = takenStatusOf(operation);
  return async (call) => {
    try {
      return await behaviour({ ...call, store: toUniqueStore(call.store, resource, properties) });
    } catch (error) {
      if (!(error instanceof ValueTakenError)) throw error;
      const { taken } = error;
      const item = kind === 'createMany' ? `/${taken.index}` : '';
      const pointer = `${item}/${toToken(taken.property)}`;
      return toTakenAnswer(resource, { ...taken, pointer }, status);
    }
  };
}

const storing: ReadonlySet<string> = new Set(['create', 'createMany', 'replace', 'update']);

function toTakenAnswer(
  { name }: Resource,
  { property, text, isWithin, pointer }: Taken & { pointer: string },
  status: number,
): Answer {
  const other = isWithin ? 'another item of the body' : `another item of ${name}`;
  const problem = `"${property}" must be unique, but ${other} has ${toExcerpt(text, 80)}.`;
  return toStatedErrorAnswer('value_taken', problem, status, [{ in: 'body', pointer, problem }]);
}
