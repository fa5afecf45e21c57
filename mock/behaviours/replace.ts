import { isObject } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Schema } from '../../openapi/index.ts';
import { addsItems } from '../../openapi/model/kinds.ts';
import { createsByPut } from '../../openapi/model/operation.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { describedIdOf } from '../../openapi/model/resource.ts';
import { ensureFields, ensureSameId } from '../items/item-edits.ts';
import { fieldsOf, toItemId, toItemNumber } from '../items/stored-item.ts';
import { createTakeItem } from '../items/take-fields.ts';
import { parseInteger } from '../json/exact-json.ts';
import { createFits } from '../json/validator.ts';
import type { Behaviour } from './behaviour.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Stores the body in the place of the item that has the id in the path. What a body need not have of
 * the item stays where it is left out, in objects of the item too. Where no item has the id, one is
 * created if clients choose ids, and so is an item of a list that has no id.
 */
export function createReplaceBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const { name, idProperty, idSchema } = resource;
  const answers = createItemAnswers(options);
  const take = createTakeItem(document, resource, operation);
  const isWhole = document.schemas.takesWhole(operation, resource);
  const partial = partialObjectsOf(options);
  const isOnlyWay = !placementsOf(resource).some((one) => addsItems(one.operations));
  const creates = createsByPut(operation, isOnlyWay);
  // An id in a path must be as both the path and the item describe it.
  const ofPath = describedIdOf(operation)?.schema ?? {};
  const fitsItem = createFits(document, idSchema);
  const fitsPath = createFits(document, ofPath);
  return async (call) => {
    const id = answers.idOf(call);
    const { store, clock } = call;
    const fields = ensureFields(call.body ?? {});
    ensureSameId(resource, id, fields);
    const now = clock.now();
    if (id === '') {
      const toItem = (n: number) => take(fields, { id: toItemId(n, idSchema), seed: n, now });
      const { items: [added] = [] } = await store.addAll(name, [{ toItem }]);
      return added ? answers.done(call, added.json, true) : answers.missing(call);
    }
    const typed = (idSchema.type === 'string' ? undefined : parseInteger(id)) ?? id;
    const isId = fitsItem(typed) && [typed, parseInteger(id) ?? id].some((one) => fitsPath(one));
    for (let isTaken = false; ; ) {
      const replaced = await store.change(name, id, (json) => {
        const before = fieldsOf(json);
        const kept: Record<string, unknown> = isWhole ? { ...fields } : { ...before, ...fields };
        for (const property of partial) {
          const [old, sent] = [before[property], fields[property]];
          if (isObject(old) && isObject(sent)) kept[property] = { ...old, ...sent };
        }
        return take(kept, { id: valueAt(before, idProperty), now, before });
      });
      if (replaced) return answers.done(call, replaced.json);
      // An id that is taken and not to be seen is that of an item of another parent.
      if (!creates || !isId || isTaken || String(typed) !== id) return answers.missing(call);
      const item = take(fields, { id: typed, now });
      const number = toItemNumber(id, idSchema);
      const { items: [added] = [] } = await store.addAll(name, [{ given: { item, number } }]);
      if (added) return answers.done(call, added.json, true);
      // Where another call created it meanwhile, that one is replaced.
      isTaken = true;
    }
  };
}

/** Returns the objects of items of which a body describes some properties and not all. */
function partialObjectsOf({ document, resource, operation }: ItemOptions): string[] {
  const { schemas } = document;
  const namesIn = (schema: Schema = {}) =>
    Object.keys(schemas.describeShown(schemas.objectAlternative(schema) ?? {}).properties);
  const body = schemas.describeSchema(schemas.bodySchemaOf(operation) ?? {});
  return Object.keys(body.properties).filter((name) => {
    const sent = namesIn(body.properties[name]);
    const own = namesIn(resource.item.properties[name]);
    return sent.length > 0 && own.some((one) => !sent.includes(one));
  });
}
