import { oncePer } from '../../common/once-per.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import type { Scope } from '../../openapi/model/resource.ts';
import { fits } from '../json/validator.ts';
import type { StoredItem } from '../state/store.ts';
import { withMembers } from './scoped-store.ts';
import { fieldsOf } from './stored-item.ts';

/** A list in items that has the items below them: the `lines` of orders with `/orders/{id}/lines`. */
export type ChildList = {
  property: string;
  child: Resource;
  scope: readonly Scope[];
  /** The properties that the list shows. */
  names: readonly string[];
};

/** Returns the lists of a collection's items that have the items below them, of which there may be none. */
export const childListsOf = oncePer((document: Api) => {
  const { schemas, resources } = document;
  // Items that are at home elsewhere, too, are not an item's own.
  const children = resources.flatMap((child) => {
    const { path, scope = [], linksTo, isSingle } = child;
    return linksTo !== undefined || isSingle ? [] : [{ child, scope, word: lastWordOf(path) }];
  });
  const byParent = Map.groupBy(children, ({ scope }) => {
    const { parent, isOpen } = scope.at(-1) ?? {};
    return isOpen ? undefined : parent;
  });
  return oncePer((owner: Resource): readonly ChildList[] => {
    const below = byParent.get(owner.name) ?? [];
    return below.flatMap(({ child, scope, word }): ChildList[] => {
      const called = ([name]: [string, unknown]) => toPlainName(name) === toPlainName(word);
      const [property = '', schema = {}] = Object.entries(owner.item.properties).find(called) ?? [];
      const { items } = schemas.objectAlternative(schema) ?? {};
      const names = items ? Object.keys(schemas.describeShown(items).properties) : [];
      if (!names.includes(child.idProperty) || !fits(document, schema, [])) return [];
      return [{ property, child, scope, names }];
    });
  });
});

/** Returns an item without what a store has below it, as it is stored. */
export function withoutChildren(document: Api, resource: Resource, item: StoredItem): StoredItem {
  const lists = childListsOf(document)(resource);
  if (lists.length === 0) return item;
  const fields = fieldsOf(item.json);
  const own = lists.filter(({ property }) => Array.isArray(fields[property]));
  return withMembers(resource, item, Object.fromEntries(own.map(({ property }) => [property, []])));
}
