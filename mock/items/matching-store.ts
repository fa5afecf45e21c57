import type { ByteText } from '../json/exact-json.ts';
import type { ItemStore } from '../state/store.ts';

/** The store of which lists show the items alone that pass a test. */
export function toMatchingStore(store: ItemStore, isShown: (json: ByteText) => boolean): ItemStore {
  const listSerial: ItemStore['listSerial'] = (name, { isMatch = () => true, ...query }) =>
    store.listSerial(name, { ...query, isMatch: (json) => isShown(json) && isMatch(json) });
  return {
    ...store,
    listSerial,
    async list(name, { skip = 0, limit, filters }) {
      const found = await listSerial(name, { filters, limit: skip + limit });
      return found.slice(skip).map(({ json }) => json);
    },
  };
}
