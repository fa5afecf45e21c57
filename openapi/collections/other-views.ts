import { lastWordOf, shapeOf, withoutSlash } from '../../common/path-template.ts';
import { addsItems, isOnCollection, type Kind } from '../model/kinds.ts';
import type { Operation } from '../model/operation.ts';
import { operationsOf } from '../model/placements.ts';
import type { Resource } from '../model/resource.ts';
import type { RawDocument, Schema } from '../schema.ts';
import { type Candidate, changesItems, createsItems } from './candidate.ts';
import { takesIds } from './operations-on.ts';
import { identityOf, itemsOf } from './success.ts';
import { placeFields } from './taken-fields.ts';

/**
 * Assigns operations at other paths to resources. These are operations with a hint, those on several
 * items below their path (`POST /users/createWithList`), and lists across all parents.
 */
export function addOtherViews(
  raw: RawDocument,
  things: readonly Candidate[],
  operations: readonly Operation[],
): void {
  const byShape = new Map(things.map((one) => [shapeOf(one.resource.path), one]));
  const known = new Set(things.flatMap(({ resource }) => operationsOf(resource)));
  const find = (operation: Operation): { kind: Kind; thing: Candidate | undefined } | undefined => {
    const { method, path, hint } = operation;
    if (hint?.kind === 'none') return undefined;
    if (hint?.kind) return { kind: hint.kind, thing: byShape.get(shapeOf(hint.collection ?? '')) };
    if (withoutSlash(path).endsWith('}')) return undefined;
    if (method === 'GET') return { kind: 'list', thing: ofAllParents(raw, things, operation) };
    const above = pathsAbove(path)
      .map((one) => byShape.get(shapeOf(one)))
      .find(Boolean);
    const many = above && kindOfMany(raw, operation, above.resource);
    return many && { kind: many, thing: above };
  };
  for (const operation of operations) {
    const { kind, thing } = (!known.has(operation) && find(operation)) || {};
    if (kind && thing && isOnCollection(kind)) {
      const { resource } = thing;
      const view = { path: operation.path, operations: { [kind]: operation }, scope: [] };
      resource.views = [...(resource.views ?? []), view];
    }
  }
}

/** Returns the paths that are one or two words shorter: `/pets` of `/pets/bulk/delete`. */
function pathsAbove(path: string): string[] {
  return [1, 2].flatMap(
    (words) => new RegExp(`^(.+)(?:/[^/{}]+){${words}}$`).exec(path)?.[1] ?? [],
  );
}

/** The kind of an operation on several items at words below their path, such as `PUT /pets/bulk`. */
function kindOfMany(raw: RawDocument, operation: Operation, home: Resource): Kind | undefined {
  const { method, path } = operation;
  const deletes = /delete|remove|destroy/i.test(lastWordOf(path));
  if ((method === 'DELETE' || (method === 'POST' && deletes)) && takesIds(raw, operation, {}))
    return 'deleteMany';
  placeFields(raw, operation, home);
  if (method === 'POST') return createsItems(raw, operation, home) ? 'createMany' : undefined;
  return /^(PUT|PATCH)$/.test(method) && changesItems(raw, operation, home)
    ? `${method === 'PUT' ? 'replace' : 'update'}Many`
    : undefined;
}

/**
 * The nested thing whose items a list shows: at the beginning of their paths, as `/prices` of
 * `/prices/{region}/{sku}`, or with the id in an object of them: `GET /pods`.
 */
function ofAllParents(
  raw: RawDocument,
  things: readonly Candidate[],
  operation: Operation,
): Candidate | undefined {
  const items: Schema | undefined = itemsOf(raw, operation);
  if (!items) return undefined;
  const word = lastWordOf(operation.path);
  const shape = shapeOf(operation.path);
  const isOf = ({ resource: { path, idHolder } }: Candidate) =>
    (idHolder && lastWordOf(path) === word) ||
    (path.endsWith('}') && shapeOf(path).replace(/(\/\{\})+$/, '') === shape);
  const shows = new Set([identityOf(raw, items)]);
  return homeOfList(things.filter(isOf), { path: operation.path, shows });
}

type ShownList = { path: string; shows: ReadonlySet<string>; part?: Candidate };

/**
 * The one thing whose items a list shows: of several the one whose path begins most alike, of these
 * the one that creates and names them.
 */
export function homeOfList(all: readonly Candidate[], { path, shows, part }: ShownList) {
  const homes = all.filter(
    (one) =>
      one !== part &&
      !one.shows.isDisjointFrom(shows) &&
      (addsItems(one.resource.operations) || one.resource.operations.read),
  );
  const commonOf = (one: Candidate) => commonLength(path, one.resource.path);
  const most = Math.max(...homes.map(commonOf));
  const nearest = homes.filter((one) => commonOf(one) === most);
  const isWhole = ({ resource: { operations } }: Candidate) =>
    addsItems(operations) && operations.read !== undefined;
  const wholes = nearest.filter(isWhole);
  const [home, ...others] = wholes.length === 1 ? wholes : nearest;
  return others.length === 0 ? home : undefined;
}

function commonLength(one: string, other: string): number {
  const [left = [], right = []] = [one, other].map((path) => shapeOf(path).split('/'));
  const differs = left.findIndex((segment, index) => segment !== right[index]);
  return differs < 0 ? left.length : differs;
}
