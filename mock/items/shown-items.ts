import { isObject } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import type { Api, Item, Resource } from '../../openapi/index.ts';
import { toIdText } from '../json/exact-json.ts';
import type { Contents } from '../state/store.ts';
import { childListsOf } from './child-lists.ts';
import { itemRulesOf } from './item-rules.ts';
import { parentNameOf } from './seed-scopes.ts';
import { isId } from './stored-item.ts';

/**
 * Returns the items that the document's examples of a list, of one item and of their schema show, each
 * id once: those that have an id that is not free and fit their schema.
 */
export function shownItemsOf(document: Api, resource: Resource): readonly Item[] {
  return shownBy(document)(resource);
}

const shownBy = oncePer((document: Api) =>
  oncePer((resource: Resource) => findShown(document, resource)),
);

function findShown(document: Api, resource: Resource): Item[] {
  const { idProperty, operations, freeIds = [] } = resource;
  const answered = [operations.list, operations.read].flatMap((operation) => {
    const { examples = {} } = operation?.responses.find(isSuccess) ?? {};
    return Object.values(examples).map((one) => valueIn(one, operation?.itemsAt ?? []));
  });
  const described = document.schemas.answeredItems(resource).flatMap((schema) => {
    const { example, examples = [] } = document.schemas.resolve(schema);
    return [example, ...[examples].flat()];
  });
  const { isValid } = itemRulesOf(document)(resource);
  const isNew = createIsNew(idProperty, freeIds);
  return [...answered.flat(), ...described]
    .filter(isObject)
    .filter((item) => isValid(item) && isNew(item))
    .map((item) => (document.exact.of?.(item) ?? item) as Item);
}

/**
 * Returns the items that examples show below each item of the collection above, in the list of that;
 * undefined for those of which no example shows the list.
 */
export function shownBelow(
  document: Api,
  resource: Resource,
  above: Contents | undefined,
): (Item[] | undefined)[] {
  const parent = document.resources.find(({ name }) => name === parentNameOf(resource));
  const list = parent && childListsOf(document)(parent).find(({ child }) => child === resource);
  if (!parent || !list || !above) return [];
  const shown = new Map(
    shownItemsOf(document, parent).map((one) => [toIdText(valueAt(one, parent.idProperty)), one]),
  );
  const isNew = createIsNew(resource.idProperty);
  return above.items.map(({ id }) => {
    const elements = shown.get(id)?.[list.property];
    return Array.isArray(elements) ? elements.filter(isObject).filter(isNew) : undefined;
  });
}

/** Creates a test whether an item has an id that none had before, and that is not free. */
function createIsNew(idProperty: string, freeIds: readonly unknown[] = []) {
  const seen = new Set(freeIds.map(String));
  return (item: Item): boolean => {
    const id = valueAt(item, idProperty);
    const isNew = isId(id) && !seen.has(String(id));
    return isNew && seen.add(String(id)).size > 0;
  };
}
