import type { Operation, Resource } from '../../contracts/description/document.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { toItemId } from '../items/item-ids.ts';
import { toStoredItem } from '../items/stored-item.ts';
import { createTakeFields } from '../items/take-fields.ts';
import type { Behaviour } from './behaviour.ts';
import type { ItemOptions } from './item-answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Stores the body as a new item with the collection's next id and answers with the item. */
export function createCreateBehaviour(
  resource: Resource,
  operation: Operation,
  { document }: ItemOptions,
): Behaviour {
  const take = createTakeFields(document, resource, operation);
  const status = Number(
    operation.responses.find((response) => /^2\d\d$/.test(response.status))?.status ?? 201,
  );
  return async ({ store, body }) => {
    try {
      const fields = (body ?? {}) as Fields;
      const item = await store.add(resource.name, (n) =>
        toStoredItem(
          resource,
          take ? take(fields, { seed: n }) : fields,
          toItemId(n, resource.idSchema),
        ),
      );
      return { status, json: item.json };
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}
