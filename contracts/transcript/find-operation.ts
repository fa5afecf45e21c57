import type { ApiDocument, Operation } from '../description/document.ts';

/** The operations of a path: the one of a method, if any, and one of any other method. */
export type FoundPath = { operation?: Operation; other?: Operation };

type Template = { path: string; segments: readonly string[]; pattern: RegExp };

const cache = new WeakMap<ApiDocument, readonly Template[]>();

/**
 * Finds what a method and a path below the base URL call. A path without parameters goes before a
 * path with them (OpenAPI 3.1 §4.8.8.2); nothing where the document describes no such path.
 */
export function findOperation(
  document: ApiDocument,
  { method, path }: { method: string; path: string },
): FoundPath {
  const templates = cache.get(document) ?? toTemplates(document);
  cache.set(document, templates);
  const matching = templates.filter(({ pattern }) => pattern.test(path));
  const [template] = matching.toSorted(byConcreteness);
  if (!template) return {};
  const ofPath = document.operations.filter((one) => one.path === template.path);
  const operation = ofPath.find((one) => one.method === method);
  const other = ofPath.find((one) => one.method === 'GET') ?? ofPath[0];
  return { ...(operation && { operation }), ...(other && { other }) };
}

function toTemplates({ operations }: ApiDocument): Template[] {
  return [...new Set(operations.map(({ path }) => path))].map((path) => ({
    path,
    segments: path.split('/'),
    pattern: new RegExp(
      `^${path
        .split(/\{[^{}]*\}/)
        .map((text) => RegExp.escape(text))
        .join('[^/]+')}$`,
    ),
  }));
}

/** The first segment that only one of the two leaves to a parameter decides. */
function byConcreteness(left: Template, right: Template): number {
  for (const [index, segment] of left.segments.entries()) {
    const isOpen = segment.includes('{');
    const isOther = right.segments[index]?.includes('{') === true;
    if (isOpen !== isOther) return isOpen ? 1 : -1;
  }
  return 0;
}
