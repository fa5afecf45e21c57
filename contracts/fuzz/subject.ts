import { isObject, parseJson, toJson } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Api, Content, Operation, Parameter, Resource, Schema } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { asksForMembers, describeParameters } from '../../openapi/model/lists.ts';
import { toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import { planBodies, validFields } from '../cases/bodies.ts';
import { isMadeWhole, makeableIn } from '../cases/call-cases.ts';
import { type CredentialForm, isUnsafe } from '../cases/case.ts';
import { exampleBody } from '../cases/example-call.ts';
import { isItem, withOwnItems } from '../cases/references.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import type { Lesson } from '../transcript/transcript.ts';

/** A member of a body: how it is reached, and whether items are recognized by it. */
export type Place = { at: readonly string[]; schema: Schema; isMark: boolean };

/** The body of a plain call, with placeholders, and what in it may be another one. */
type SubjectBody = {
  schema: Schema;
  mediaType: string;
  form?: Content;
  plain: unknown;
  places: readonly Place[];
};

/**
 * An operation that is called with many inputs: one that only reads, one that creates, or one that
 * changes an item of the run.
 */
export type Subject = {
  operation: Operation;
  resource: Resource | undefined;
  does: 'read' | 'create' | 'change';
  /** The parameters that get other values: of a read, those that do nothing but shape what it shows. */
  parameters: readonly Parameter[];
  body?: SubjectBody;
};

/** How many members of a body are tried, and how deep they may be. */
const [maxPlaces, maxDepth] = [40, 3];

/**
 * Finds the operations that can be called with any input and change nothing but items of the run:
 * actions, bulk changes and settings are none of them.
 */
export function findSubjects(
  document: Api,
  {
    writes,
    isChosen,
    lessons,
  }: {
    writes: boolean;
    isChosen: (operation: Operation) => boolean;
    lessons: readonly Lesson[];
  },
): Subject[] {
  const withKinds = collectionsOf(document).flatMap((one) => Object.values(one.operations));
  const operations = new Map(
    [...document.operations, ...withKinds].map((one) => [`${one.method} ${one.path}`, one]),
  );
  return [...operations.values()].filter(isChosen).flatMap((operation): Subject[] => {
    const resource = findResource(document, operation);
    const does = whatItDoes(document, operation, resource);
    if (!does || (does !== 'read' && !writes)) return [];
    const body = does === 'read' ? undefined : bodyOf(document, operation, { resource, lessons });
    const isVaried = does === 'read' ? isShaping(document, operation, resource) : () => true;
    const parameters = operation.parameters.filter(isVaried);
    return [{ operation, resource, does, parameters, ...(body && { body }) }];
  });
}

/** The names of the parameters that keep the values of plain calls, by the ids of operations that have some. */
export function leftOutOf(subjects: readonly Subject[]): Map<string, string[]> {
  return new Map(
    subjects.flatMap(({ operation, parameters }) => {
      const left = operation.parameters.filter((one) => !parameters.includes(one));
      return left.length > 0 ? [[operation.id, left.map(({ name }) => name)] as const] : [];
    }),
  );
}

/** Headers of HTTP that change nothing but the answer to a read (RFC 9110). */
const ofAnswers = /^(?:accept(?:-\w+)?|if-[\w-]+|range)$/i;

/**
 * Tells of parameters of a read whether they are required, or known to select, order, page or shape what
 * it shows: another one may do something.
 */
function isShaping(document: Api, operation: Operation, resource: Resource | undefined) {
  const { schemas } = document;
  const isList = operation.kind === 'list' && resource !== undefined;
  const item = isList ? resource.item : schemas.flatten(schemas.itemsOf(operation));
  const effects = describeParameters(operation, schemas.findListRules(operation, item));
  const known = effects.flatMap(({ parameter, effect }) => (effect === 'none' ? [] : [parameter]));
  return ({ name, in: place, required }: Parameter) => {
    if (required || place === 'path') return true;
    if (place === 'header') return ofAnswers.test(name);
    return known.includes(name) || asksForMembers(name);
  };
}

function whatItDoes(
  document: Api,
  operation: Operation,
  resource: Resource | undefined,
): Subject['does'] | undefined {
  const { kind, path, method } = operation;
  if (!isUnsafe(operation)) return method === 'GET' || method === 'QUERY' ? 'read' : undefined;
  if (!resource || !isMadeWhole(makeableIn(document, path), path)) return undefined;
  if (kind === 'create') return 'create';
  return ['replace', 'update', 'delete'].includes(kind ?? '') ? 'change' : undefined;
}

function bodyOf(
  document: Api,
  operation: Operation,
  { resource, lessons }: { resource: Resource | undefined; lessons: readonly Lesson[] },
): SubjectBody | undefined {
  const sendable = sendableBodyOf(operation);
  if (!sendable || !resource || operation.kind === 'delete') return undefined;
  const { schema, mediaType, form } = sendable;
  const isCreate = operation.kind === 'create';
  const plan = planBodies(document, resource);
  const mark = plan.markerProperty ?? plan.tokenProperty;
  const { wrapper } = plan.parts;
  const lesson = lessons.find((one) => one.operation.id === operation.id);
  const example = isCreate ? undefined : exampleBody(document, operation);
  const given = example && 'text' in example ? parseJson(example.text) : {};
  const fields = isCreate
    ? { ...validFields(plan, 'fuzzed {{run}}{{fresh}}'), ...lesson?.with }
    : withOwnItems(document, resource, { schema, value: given });
  if (isObject(fields)) for (const name of lesson?.without ?? []) delete fields[name];
  const isWrapped = isCreate && wrapper;
  const plain = isWrapped ? { ...wrapper.besides, [wrapper.property]: fields } : fields;
  const markAt = [...(isWrapped ? [wrapper.property] : []), mark].join('.');
  const places = operation.body?.jsonPatch ? [] : placesIn(document, schema, plain);
  return {
    ...{ schema, mediaType, plain },
    ...(form && { form }),
    places: places
      .map((one) => ({ ...one, isMark: isCreate && one.at.join('.') === markAt }))
      .slice(0, maxPlaces),
  };
}

/**
 * The members that a schema describes, those of objects and lists within too; not those of an item of a
 * collection unless the plain body names one of the run there: a deployment may write them to any.
 */
function placesIn(
  document: Api,
  schema: Schema,
  plain: unknown,
  at: readonly string[] = [],
): Omit<Place, 'isMark'>[] {
  if (at.length >= maxDepth) return [];
  const ways = toPlainSchemas(schema, document.schemas.describeSent);
  const properties = new Map(ways.flatMap((way) => Object.entries(way.properties)));
  const items = ways.flatMap(({ schema: { items } }) => (isObject(items) ? [items as Schema] : []));
  const inner = [...properties, ...items.slice(0, 1).map((one) => ['0', one] as const)];
  const here = inner.map(([name, one]) => ({ at: [...at, name], schema: one }));
  const all = here.map((one) => ({ one, within: placesIn(document, one.schema, plain, one.at) }));
  const open = all.filter(({ one, within }) => {
    const name = one.at.findLast((part) => part !== '0') ?? '';
    const isHeld = within.length > 0 && isItem(document, name, one.schema);
    return !isHeld || namesOwn(valueIn(plain, one.at));
  });
  return [...open.map(({ one }) => one), ...open.flatMap(({ within }) => within)];
}

/** Whether a value of a plain body names an item that the run made to refer to it. */
function namesOwn(value: unknown): boolean {
  return (toJson(value) ?? '').includes('{{known.');
}

/** One thing in which a call differs from a plain one. */
export type Change =
  /** A member of the body: another value, JSON as it stands, or none at all. */
  | { in: 'body'; at: readonly string[]; value: unknown }
  | { in: 'body'; at: readonly string[]; json: string }
  | { in: 'body'; at: readonly string[]; isRemoved: true }
  /** The whole body, as text. */
  | { in: 'text'; text: string }
  /** Another media type; none where it is empty. */
  | { in: 'type'; mediaType: string; text?: string }
  /** A parameter, as it is sent; several values are the parameter repeated. */
  | { in: 'path' | 'header'; name: string; text: string }
  | { in: 'query'; name: string; texts: readonly string[] }
  | { in: 'credential'; form: CredentialForm }
  | { in: 'method'; method: string };

/** The changes of a plain call that make another one, and their name for people. */
export type Input = { what: string; changes: readonly Change[] };

export const plainInput: Input = { what: 'plain', changes: [] };

/** An input that differs from a plain call in one thing. */
export function inputOf(what: string, change: Change): Input {
  return { what, changes: [change] };
}

/** Inputs one after the other, the first of each list before the second of any. */
export function interleave<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => (index < list.length ? [list[index] as Value] : [])),
  ).flat();
}
