import type { Request } from 'express';
import type { Api } from '../../../openapi/index.ts';
import { isSameSecret } from '../../http/authenticate.ts';
import { secretsReaderOf } from '../../items/sent-secrets.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import type { ItemStore } from '../../state/store.ts';
import { resourceAt } from './counting-store.ts';

/** Finds the items that call: those whose secret a request has as its credential. */
export type Callers = {
  /** Looks for the item that sends a request, which `of` returns from then on. */
  find(request: Request, store: ItemStore): Promise<void>;
  of(request: object): Fields | undefined;
};

/** Creates the search for callers by the members that `keys` of the document names. */
export function createCallers(document: Api): Callers {
  const found = new WeakMap<object, Fields>();
  const places = Object.entries(document.hint.rules?.keys ?? {}).flatMap(([path, member]) => {
    const resource = resourceAt(document, path);
    return resource ? [{ name: resource.name, member }] : [];
  });
  const secretsOf = secretsReaderOf(document);
  return {
    async find(request, store) {
      for (const secret of secretsOf(request))
        for (const { name, member } of places) {
          const isMatch = (json: Parameters<typeof fieldsOf>[0]) => {
            const own = fieldsOf(json)[member];
            return typeof own === 'string' && own !== '' && isSameSecret(own, secret);
          };
          const [item] = await store.listSerial(name, { limit: 1, isMatch });
          if (item) return void found.set(request, fieldsOf(item.json));
        }
    },
    of: (request) => found.get(request),
  };
}
