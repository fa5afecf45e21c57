import { shapeOf } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { shownOf } from '../marks.ts';
import { heldSchemaOf } from '../model/content.ts';
import type { Operation } from '../model/operation.ts';
import { createFindParent } from '../model/placements.ts';
import { nameOf, type Resource } from '../model/resource.ts';
import { flatten, type RawDocument, type Schema } from '../schema.ts';
import { setsItem } from './operations-on.ts';
import { toScopes } from './scopes.ts';
import { bodyItemsOf, itemOf, itemsOf } from './success.ts';
import { placeFields } from './taken-fields.ts';

/** The member in front of its properties that holds its id; no parameter has such a name. */
const idMember = '{}';

/**
 * The single objects that have a path of their own, such as `/me` or `/users/{userId}/profile`: a
 * GET shows them, and a PUT or PATCH changes them. Marks these operations. Of a path with parameters
 * there is one for each of their values.
 */
export function findSingletons(
  raw: RawDocument,
  operations: readonly Operation[],
  resources: readonly Resource[],
): Resource[] {
  const findParent = createFindParent(resources);
  const byShape = Map.groupBy(operations, ({ path }) => shapeOf(path));
  return [...byShape.values()].flatMap((all) => {
    const free = all.filter(
      ({ kind, actsOn, readAs, hint }) => !kind && !actsOn && !readAs && hint?.kind !== 'none',
    );
    const found = findMark(free) ?? findSingle(raw, free);
    const read = found?.operations.read;
    if (!found || !read) return [];
    const name = nameOf(read.path);
    for (const one of Object.values(found.operations)) one.singleton = name;
    const single = {
      ...found,
      ...{ name, path: read.path, idProperty: idMember, filters: [], isSingle: true },
      idSchema: idSchemaOf(read.path),
    };
    const scope = toScopes(raw, single, read.path, findParent);
    return [{ ...single, ...(scope.length > 0 && { scope }) }];
  });
}

type Single = Pick<Resource, 'item' | 'operations' | 'isMark'>;

/** One object that a GET shows and a PUT or PATCH changes. */
function findSingle(raw: RawDocument, free: readonly Operation[]): Single | undefined {
  const read = free.find(({ method }) => method === 'GET');
  const schema = read && itemsOf(raw, read) === undefined ? itemOf(raw, read) : undefined;
  if (!read || !schema || shapeOf(read.path).endsWith('{}')) return undefined;
  const item = shownOf(raw, flatten(raw, schema));
  const known = { path: read.path, item, idProperty: '' };
  for (const one of free) if (one !== read) placeFields(raw, one, known);
  const changing = (method: string) =>
    free.find(
      (one) =>
        one.method === method &&
        (one.body || one.otherBody) &&
        !one.body?.jsonPatch &&
        bodyItemsOf(raw, one) === undefined &&
        setsItem(raw, one, item),
    );
  const [replace, update] = [changing('PUT'), changing('PATCH')];
  if (!replace && !update) return undefined;
  return { item, operations: { read, ...(replace && { replace }), ...(update && { update }) } };
}

/**
 * Finds a mark, which is there or not and has no content: a PUT of `/user/starred/{repo}` sets it,
 * a DELETE ends it, and a GET answers 204 or 404.
 */
function findMark(free: readonly Operation[]): Single | undefined {
  const by = (method: string) => free.find((one) => one.method === method);
  const [read, replace, remove] = [by('GET'), by('PUT') ?? by('POST'), by('DELETE')];
  if (!read?.responses.some(({ status }) => status === '404') || !replace || !remove)
    return undefined;
  if (read.responses.some((one) => isSuccess(one) && heldSchemaOf(one))) return undefined;
  const item = { properties: { marked: { type: 'boolean' } }, required: [] };
  return { item, operations: { read, replace, delete: remove }, isMark: true };
}

/** The schema of ids: a slash, and behind it the value of each parameter in the path. */
function idSchemaOf(path: string): Schema {
  const { length } = path.match(/\{/g) ?? [];
  if (length === 0) return { type: 'string', const: '/' };
  return { type: 'string', pattern: `^${'/[^/]+'.repeat(length)}$` };
}
