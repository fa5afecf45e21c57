import { idParameterOf } from '../../contracts/description/collections/resource.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { toErrorAnswer } from '../answers/answer.ts';
import { toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import { filterOf, scopesOf } from '../state/scopes.ts';
import type { Filters, Store } from '../state/store.ts';
import type { Behaviour } from './behaviour.ts';

/** What becomes of the items below one that is deleted: they are deleted too, or it stays. */
export const parentDeletions = ['cascade', 'refuse'] as const;
export type ParentDeletion = (typeof parentDeletions)[number];

/** A collection of items below those of another, and the filter that finds those of one of them. */
type Child = { resource: Resource; filter: string };

type DeleteOptions = {
  document: ApiDocument;
  resource: Resource;
  operation: Operation;
  onDeleteParent: ParentDeletion;
};

/** Lets a delete take the items of nested collections along, or refuses it where there are any. */
export function createDeleteWithChildren(behaviour: Behaviour, options: DeleteOptions): Behaviour {
  const { document, resource, operation, onDeleteParent } = options;
  const children = findChildren(document, resource);
  const parameter = idParameterOf(operation);
  if (children.length === 0 || parameter === undefined) return behaviour;
  return async (call) => {
    const { store, params, url } = call;
    const id = params[parameter] ?? '';
    if (onDeleteParent === 'refuse') {
      const name = await findFirst(store, children, id);
      if (name !== undefined)
        return toErrorAnswer(
          'has_children',
          `${toExcerpt(url, 200)} has items of ${name}. Delete these first.`,
        );
    }
    const answer = await behaviour(call);
    if (answer.status < 300) await removeChildren(store, document, { resource, id });
    return answer;
  };
}

function findChildren({ resources }: ApiDocument, parent: Resource): Child[] {
  return resources.flatMap((resource) =>
    scopesOf(resource)
      .filter((scope) => scope.parent === parent.name)
      .map((scope) => ({ resource, filter: filterOf(scope) })),
  );
}

async function findFirst(store: Store, children: readonly Child[], id: string) {
  for (const { resource, filter } of children)
    if ((await store.count(resource.name, { [filter]: id })) > 0) return resource.name;
  return undefined;
}

/** Deletes what is below an item, from the leaves up. */
async function removeChildren(
  store: Store,
  document: ApiDocument,
  { resource: parent, id }: { resource: Resource; id: string },
): Promise<void> {
  for (const { resource, filter } of findChildren(document, parent)) {
    const filters: Filters = { [filter]: id };
    if (findChildren(document, resource).length > 0)
      for (const json of await store.list(resource.name, { filters, limit: Infinity })) {
        const item = parseExact(toText(json)).value as Record<string, unknown>;
        await removeChildren(store, document, { resource, id: String(item[resource.idProperty]) });
      }
    await store.removeAll(resource.name, filters);
  }
}
