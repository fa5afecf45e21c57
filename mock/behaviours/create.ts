import type { Resource } from '../../contracts/description/document.ts';
import { toOutOfRoomAnswer } from '../answers/out-of-room.ts';
import { toItemId } from '../items/item-ids.ts';
import { toStoredItem } from '../items/stored-item.ts';
import type { Behaviour } from './behaviour.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Stores the body as a new item with the collection's next id and answers with the item. */
export function createCreateBehaviour(resource: Resource): Behaviour {
  const status = Number(
    resource.operations.create?.responses.find((response) => /^2\d\d$/.test(response.status))
      ?.status ?? 201,
  );
  return async ({ store, body }) => {
    try {
      const item = await store.add(resource.name, (n) =>
        toStoredItem(resource, (body ?? {}) as Fields, toItemId(n, resource.idSchema)),
      );
      return { status, json: item.json };
    } catch (error) {
      return toOutOfRoomAnswer(error);
    }
  };
}
