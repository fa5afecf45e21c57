import type { Scope } from '../../../common/expression.ts';
import { valueIn } from '../../../common/property-path.ts';
import type { Members } from '../../../openapi/index.ts';
import { toMatchingStore } from '../../items/matching-store.ts';
import { fieldsOf } from '../../items/stored-item.ts';
import type { ItemStore } from '../../state/store.ts';

/** The items of a store whose members have the values of a call. */
export function toFilteredStore(
  store: ItemStore,
  filters: Members,
  scope: Omit<Scope, 'item'>,
): ItemStore {
  const asked = [...filters].flatMap(([name, { evaluate }]) => {
    const value = evaluate({ ...scope, item: undefined } as Scope);
    return value === undefined ? [] : [{ keys: name.split('.'), text: String(value) }];
  });
  return toMatchingStore(store, (json) =>
    asked.every(({ keys, text }) => String(valueIn(fieldsOf(json), keys)) === text),
  );
}
