import { isObject } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import { isSuccess } from '../../common/success.ts';
import type { Api, Item, Resource } from '../../openapi/index.ts';
import { itemRulesOf } from './item-rules.ts';
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
  const seen = new Set(freeIds.map(String));
  return [...answered.flat(), ...described].filter(isObject).flatMap((item) => {
    const id = valueAt(item, idProperty);
    if (!isId(id) || seen.has(String(id)) || !isValid(item)) return [];
    seen.add(String(id));
    return [(document.exact.of?.(item) ?? item) as Item];
  });
}
