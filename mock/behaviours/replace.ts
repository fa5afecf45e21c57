import { takesWhole } from '../../contracts/description/collections/operations-on.ts';
import type { Operation, Resource } from '../../contracts/description/document.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { toOutOfRoomAnswer } from '../answers/answer.ts';
import { ensureFields, ensureSameId, ItemError } from '../items/item-edits.ts';
import { type Fields, toItemNumber, toStoredItem } from '../items/stored-item.ts';
import { createTakeFields } from '../items/take-fields.ts';
import { parseExact, parseInteger, toDouble, toText } from '../json/exact-json.ts';
import type { Behaviour } from './behaviour.ts';
import { jsonAsPut } from './create.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Stores the body in the place of the item that has the id in the path; what a body that is no whole
 * item does not name stays. Where none has it, it is
 * created if the operation documents 201, which says that clients choose ids.
 */
export function createReplaceBehaviour(
  resource: Resource,
  operation: Operation,
  options: ItemOptions,
): Behaviour {
  const { name, idProperty, idSchema } = resource;
  const answers = createItemAnswers(operation, resource, options);
  const take = createTakeFields(options.document, resource, operation);
  const isWhole = takesWhole(options.document.raw, operation, resource);
  const creates = operation.responses.some(({ status }) => status === '201');
  const findIdProblems = options.compileSchema(idSchema);
  return async (call) => {
    const id = answers.idOf(call);
    const { store, clock } = call;
    try {
      const fields = ensureFields(call.body ?? {});
      ensureSameId(resource, id, fields);
      const seed = toItemNumber(id, idSchema) ?? 1;
      const now = clock.now();
      const typed = (idSchema.type === 'string' ? undefined : parseInteger(id)) ?? id;
      const isId = !findIdProblems(typeof typed === 'bigint' ? toDouble(typed) : typed);
      for (let isTaken = false; ; ) {
        const replaced = await store.change(name, id, (json) => {
          const before = parseExact(toText(json)).value as Fields;
          const own = valueAt(before, idProperty);
          const kept = isWhole ? fields : { ...before, ...fields };
          return toStoredItem(resource, take(kept, { id: own, seed, now, before }), own);
        });
        if (replaced) return await answers.done(call, replaced.json);
        // An id that is taken and not to be seen is that of an item of another parent.
        if (!creates || !isId || isTaken || String(typed) !== id) return answers.missing(call);
        const item = toStoredItem(resource, take(fields, { id: typed, seed, now }), typed);
        const number = toItemNumber(id, idSchema);
        const outcome = await store.put(name, item, { number, ifFree: true });
        if (outcome === 'added')
          return await answers.done(call, await jsonAsPut(store, resource, item), true);
        // Where another call created it meanwhile, that one is replaced.
        isTaken = true;
      }
    } catch (error) {
      if (error instanceof ItemError) return answers.unfit(error);
      return toOutOfRoomAnswer(error);
    }
  };
}
