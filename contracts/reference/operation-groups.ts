import type { ApiDocument, Operation } from '../description/document.ts';
import { type RawDocument, resolve } from '../description/schema.ts';
import { toPlainText } from './json-view.ts';
import type { OperationGroup } from './site.ts';

/** Groups operations by their first tag: tags of the document first, in its order. */
export function groupOperations({ raw, operations }: ApiDocument): OperationGroup[] {
  const tags: RawDocument[] = Array.isArray(raw.tags) ? raw.tags : [];
  const descriptions = new Map(tags.map((tag) => [toPlainText(tag?.name), tag?.description]));
  const byTag = Map.groupBy(operations, (operation) => tagOf(raw, operation));
  const titles = new Set([...descriptions.keys(), ...byTag.keys()]);
  return [...titles]
    .filter((title) => byTag.has(title))
    .map((title, index) => {
      const description = descriptions.get(title);
      return {
        id: `tag-${index + 1}`,
        title,
        ...(typeof description === 'string' && { description }),
        operations: byTag.get(title) ?? [],
      };
    });
}

function tagOf(raw: RawDocument, { path, method }: Operation): string {
  const tag = resolve(raw, raw.paths[path])[method.toLowerCase()].tags?.[0];
  return typeof tag === 'string' ? tag : '';
}
