import type { ByteText } from '../json/exact-json.ts';
import type { ItemStore, ListQuery } from '../state/store.ts';

/** The store of which lists show the items alone that pass a test. */
export function toMatchingStore(store: ItemStore, isShown: (json: ByteText) => boolean): ItemStore {
  const toShown = ({ isMatch = () => true, ...query }: ListQuery = {}): ListQuery => ({
    ...query,
    isMatch: (json) => isShown(json) && isMatch(json),
  });
  return {
    ...store,
    list: (name, query) => store.list(name, toShown(query)),
    listSerial: (name, query) => store.listSerial(name, toShown(query)),
  };
}
