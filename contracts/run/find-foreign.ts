import { type BodyPlan, planBodies } from '../cases/bodies.ts';
import { freshValue } from '../cases/fresh-value.ts';
import { type BodyValue, mapValues } from '../cases/references.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../description/document.ts';
import { valueAt } from '../description/property-path.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { parseJson } from '../json.ts';
import type { Made } from '../transcript/exchange.ts';
import { textOf, withoutQuery } from '../transcript/ids.ts';
import { leavesOf } from '../transcript/made.ts';

/** An item of the run: the name of its collection, what was sent, and the paths that name it. */
export type Claimed = { of: string; sent: string; paths: readonly string[]; made: Made };

export type Plans = Map<Resource, BodyPlan>;

type Known = {
  document: ApiDocument;
  claimed: readonly Claimed[];
  plans: Plans;
  isMarked: (value: unknown) => boolean;
  /** Whether a text is the id of an item that was shown and that the run has not made. */
  isOthersId: (text: string) => boolean;
};

/**
 * Finds what in the body or the query of a call may name an item that the run has not made, or what
 * the creates of its operation need to name while the run has no such item; undefined if nothing does.
 */
export function findForeign(
  { document, claimed, plans, isMarked, isOthersId }: Known,
  { operation, path, body = '' }: { operation: Operation; path: string; body: string | undefined },
): string | undefined {
  const resource = findResource(document, operation);
  const hasOwn = ({ name }: Resource) => claimed.some(({ of }) => of === name);
  if (operation.kind === 'create' && resource) {
    const plan = plans.get(resource) ?? planBodies(document, resource);
    plans.set(resource, plan);
    const unmet = plan.properties.find(({ needs, isUnmet }) => isUnmet || !needs.every(hasOwn));
    if (unmet) return unmet.name;
  }
  const isWorded = document.clauses.length > 0;
  const changed = claimed.find(({ paths }) => paths.includes(withoutQuery(path)));
  const kept = new Set(leavesOf(changed?.made.item).map(String));
  const isForeign = ({ value, names, property, isFixed, schema }: BodyValue) => {
    const text = isFixed ? (String(value).split('/').at(-1) ?? '') : String(value);
    if (text === '' || isMarked(value) || kept.has(text)) return false;
    const isIn = ({ name, idProperty }: Resource) =>
      claimed.some(({ of, made }) => {
        const own = [made.id, textOf(valueAt(made.item, property ?? idProperty))];
        return of === name && own.includes(text);
      });
    if (names) return !names.some(isIn) && (names.length > 0 || !isWorded);
    return !isWorded && mayBeId(schema, value) && isOthersId(text);
  };
  let found: string | undefined;
  const look = (one: BodyValue) => {
    if (found === undefined && isForeign(one)) found = one.place;
    return one.value;
  };
  const { schema = {} } = sendableBodyOf(operation) ?? {};
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  mapValues(document, resource, { schema, value: readLoosely(body) }, look);
  mapValues(document, undefined, { schema: {}, value: query }, look);
  return found;
}

/** Reads a body; one that is no JSON is read as a lenient deployment may. */
function readLoosely(body: string): unknown {
  const ways = [
    body,
    body.slice(0, body.lastIndexOf('}') + 1),
    body.replace(/,\}$/, '}'),
    `${body}}`,
  ];
  return ways.map(parseJson).find((value) => value !== undefined);
}

/** Whether a value that no name tells of may be an id: a text, or a number that may be any. */
function mayBeId(schema: BodyValue['schema'], value: unknown): boolean {
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  const isAny = schema.type === undefined || freshValue(schema) === '{{number}}';
  return !isListed && (typeof value === 'string' || isAny);
}
