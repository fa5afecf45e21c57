import type { Scope } from '../../../common/expression.ts';
import { valueIn } from '../../../common/property-path.ts';
import type { Members } from '../../../openapi/index.ts';
import { fieldsOf } from '../../items/stored-item.ts';
import type { ByteText } from '../../json/exact-json.ts';
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
  const fits = (json: ByteText) =>
    asked.every(({ keys, text }) => String(valueIn(fieldsOf(json), keys)) === text);
  const listSerial: ItemStore['listSerial'] = (name, { isMatch, ...query }) =>
    store.listSerial(name, {
      ...query,
      isMatch: (json) => fits(json) && (isMatch?.(json) ?? true),
    });
  return {
    ...store,
    listSerial,
    async list(name, { skip = 0, limit, filters: own }) {
      const found = await listSerial(name, { filters: own, limit: skip + limit });
      return found.slice(skip).map(({ json }) => json);
    },
  };
}
