import { toToken } from '../../common/json-pointer.ts';
import { shapeOf } from '../../common/path-template.ts';
import type {
  Api,
  FoundPlace,
  Hint,
  Kind,
  Lack,
  Operation,
  Resource,
  Schemas,
} from '../../openapi/index.ts';
import { type FailedCondition, successOf, toKey } from '../../openapi/model/operation.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { answerSourceOf } from '../documented/answer-source.ts';
import { findSuccess } from '../documented/responses.ts';
import { sequencesOf } from '../documented/sequences.ts';

/**
 * Explains a stateless operation: the reason, its place, and the change that would give it state.
 * The change is one of the document, or an action of an overlay.
 */
export type Statelessness = {
  because: string;
  pointer: string;
  remedy?: string;
  overlay?: { target: string; update: { 'x-twin': Hint } };
};

type Cause = Pick<Statelessness, 'because' | 'remedy'> & { hint?: Hint };

/** Creates a function that explains why an operation keeps no state, by the compiled document. */
export function createWhyStateless(document: Api): (operation: Operation) => Statelessness {
  const { schemas, operations, places } = document;
  const placeOf = new Map(
    places.flatMap((place) =>
      [...place.onCollection, ...place.onItem].map((operation) => [operation, place] as const),
    ),
  );
  const causes = new Map(
    operations.map((one) => [toKey(one), causeOf(document, one, placeOf.get(one))]),
  );
  const hints = operations.flatMap((operation) => {
    const hint =
      answerSourceOf(operation) === 'store' ? undefined : causes.get(toKey(operation))?.hint;
    return hint ? [[toKey(operation), { operation, hint }] as const] : [];
  });
  const effective = schemas.keepEffective(new Map(hints));
  return (operation) => {
    const { hint, ...cause } = causes.get(toKey(operation)) as Cause;
    const { path, method } = operation;
    const target = `$.paths['${path.replace(/['\\]/g, '\\$&')}'].${method.toLowerCase()}`;
    const overlay = hint &&
      effective.has(toKey(operation)) && { target, update: { 'x-twin': hint } };
    return { pointer: pointerTo(document, operation), ...cause, ...(overlay && { overlay }) };
  };
}

/** Returns the JSON pointer to an operation in the document that the user wrote. */
export function pointerTo({ written }: Api, { path, method }: Operation): string {
  return written.toPointer(`/paths/${toToken(path)}/${method.toLowerCase()}`);
}

function causeOf(document: Api, operation: Operation, place: FoundPlace | undefined): Cause {
  const { schemas, resources } = document;
  const { hint, path } = operation;
  if (hint?.kind === 'none') return { because: 'set by x-twin' };
  if (hint?.kind)
    return {
      because: `x-twin calls it a ${hint.kind}, but nothing shows objects with ${hint.id ?? 'an id'}`,
      remedy: 'name the property that identifies items with id',
    };
  if (!place)
    return {
      because: `${path} names no collection before its last parameter`,
      ...toHint(onItem[operation.method], path.replace(/\/[^/]*$/, '')),
    };
  const isAt = (one: { path: string }) => shapeOf(one.path) === shapeOf(place.path);
  const resource = resources.find((one) => placementsOf(one).some(isAt));
  const kind = (place.onItem.includes(operation) ? onItem : onCollection)[operation.method];
  if (!kind)
    return {
      because: `${operation.method} has no standard effect on such a path`,
      remedy: 'set x-twin: { kind, collection } if it works on a collection',
      ...(canNameInBody(operation) && toHint(onItem[operation.method], operation.path)),
    };
  const known = { operation, kind, place, resource };
  return (
    (operation.lacks && whyLacks[operation.lacks](schemas, known)) ??
    whyNoCollection(document, known)
  );
}

const onCollection: Readonly<Record<string, Kind>> = { GET: 'list', POST: 'create' };
const onItem: Readonly<Record<string, Kind>> = {
  GET: 'read',
  POST: 'update',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

type OperationAtPlace = {
  operation: Operation;
  kind: Kind;
  place: FoundPlace;
  /** The collection there, if any. */
  resource: Resource | undefined;
};

/**
 * Returns the reason why an operation has no kind, by the condition that it fails. Undefined if its
 * path is no collection either.
 */
const whyLacks: Readonly<
  Record<FailedCondition, (schemas: Schemas, known: OperationAtPlace) => Cause | undefined>
> = {
  items: (schemas, { operation }) => ({
    because: describeSuccess(schemas, operation, 'no list of objects'),
    remedy: 'describe an array of objects with ids, or an object with one called items or data',
  }),
  item: (schemas, { operation }) => ({
    because: describeSuccess(schemas, operation, 'no object'),
    remedy: 'describe an object with an id in its success response',
  }),
  body: (_, { kind }) => ({
    because: 'it describes no request body with properties of an item',
    remedy: 'describe its request body',
    ...toHint(kind),
  }),
  effect: (_, { kind }) => ({
    because: 'its name or path describes a query, not a change',
    ...toHint(kind),
  }),
  answer: (schemas, { operation, kind }) => ({
    because: describeSuccess(schemas, operation, 'no object'),
    remedy: 'describe the item in its success response',
    ...toHint(kind),
  }),
  read: () => undefined,
  place: (_, { resource, kind }) => {
    const other = resource?.operations[kind];
    return (
      other && {
        because: `${other.method} ${other.path} is already the ${kind} of ${resource.name}`,
        remedy: 'set x-twin: { kind: none } on that operation',
        ...toHint(kind, resource.path),
      }
    );
  },
  fields: (_, { resource, kind }) =>
    resource && {
      because: `its body sets no property that items of ${resource.name} have`,
      remedy: 'describe properties of the items in its body',
      ...toHint(kind, resource.path),
    },
  id: (_, { resource, kind }) =>
    resource && {
      because: `its success response lacks ${resource.idProperty}, which identifies items of ${resource.name}`,
      remedy: `describe ${resource.idProperty} in that response`,
      ...toHint(kind, resource.path),
    },
};

/** Whether a body can name the item that an operation on a collection's own path changes. */
function canNameInBody({ method, path, body, besides }: Operation): boolean {
  const isChange = method === 'PUT' || method === 'PATCH';
  return isChange && body !== undefined && besides !== undefined && !path.includes('{');
}

/** Returns the hint that states an operation's behaviour in an overlay. */
function toHint(kind?: Kind, collection?: string, id?: string): { hint?: Hint } {
  return kind ? { hint: { kind, ...(collection && { collection }), ...(id && { id }) } } : {};
}

/** Returns a phrase about the operation's success, which lacks something. */
function describeSuccess(schemas: Schemas, operation: Operation, lack: string): string {
  const success = findSuccess(operation);
  if (!success) return 'it describes no success response';
  const { status, contents } = success;
  if (contents.length === 0) return `its success response (${status}) has no content`;
  const schema = successOf(operation);
  const stream = success.schema ? undefined : sequencesOf(success)[0]?.content.mediaType;
  if (stream)
    return `its success response is a stream (${stream}); the mock sends three generated items`;
  if (schema === undefined)
    return `its success response (${status}) is ${contents.map(({ fullType }) => fullType).join(', ')}, without a schema of objects`;
  const names = Object.keys(schemas.flatten(schemas.objectAlternative(schema)).properties);
  const instead = names.length > 0 ? `, only one object with ${namesOf(names)}` : '';
  return `its success response (${status}) has ${lack}${instead}`;
}

/** Names in a sentence, the first of many. */
function namesOf(names: readonly string[]): string {
  const others = names.length - 5;
  const first = names.slice(0, 5).join(', ');
  return others > 0 ? `${first} and ${others} more` : first;
}

/** Returns the reason why the path of an operation is no collection. */
function whyNoCollection({ schemas, resources }: Api, known: OperationAtPlace): Cause {
  const { kind, place } = known;
  const { found } = place;
  if ('lacks' in found) return whyLacking(schemas, known, { lack: found, resources });
  const { create } = found.resource.operations;
  if (create)
    return {
      because: `no operation reads or lists the items that ${create.method} ${create.path} creates, or it belongs to the parent item`,
      remedy: 'document status 201, or describe a read or a list',
      ...toHint(kind, place.path),
    };
  return {
    because: `no operation lists, creates or changes the objects that ${place.path} reads`,
    remedy: 'describe a list, a create or a change of the same objects',
  };
}

/** Returns the reason why the resource at a path cannot be stored. */
function whyLacking(
  schemas: Schemas,
  { operation, kind, place }: OperationAtPlace,
  { lack, resources }: { lack: Lack; resources: Resource[] },
): Cause {
  const { path } = place;
  const { lacks, idProperty, item, noun, parameter } = lack;
  const names = Object.keys(item.properties);
  if (lacks === 'items')
    return {
      because: `no operation at ${path} describes objects in its responses`,
      remedy: `describe objects with an id in the success response of a list or read at ${path}`,
    };
  if (lacks === 'counted ids')
    return {
      because: `the mock cannot generate ids that fit the schema of ${idProperty}`,
      remedy: `give ${idProperty} an example or a simple pattern in its schema`,
    };
  const above = shapeOf(path).replace(/\/\{\}\/[^/]+$/, '');
  const whole = resources.find((one) => shapeOf(one.path) === above);
  const wanted = idProperty ?? (parameter ? `for {${parameter.name}}` : undefined);
  const because = `the objects at ${path} have no property ${wanted ?? `that identifies them, such as id or ${noun}Id`}, only ${namesOf(names)}`;
  if (whole && operation.body && schemas.setsItem(operation, whole.item))
    return {
      because,
      remedy: `make it an update of ${whole.name}`,
      ...toHint('update', whole.path),
    };
  const others = schemas.toScopes({ item, idProperty: '', operations: {} }, path);
  const isOwn = (one: string) =>
    !others.some(({ property }) => property === one) && !/[a-z0-9](_i|I)[dD]$/.test(one);
  const own = names.filter(isOwn);
  const likely = [/id$/i, /(key|code|slug|name|number)$/i, /./].flatMap((form) =>
    own.filter((one) => form.test(one)),
  );
  return {
    because,
    remedy: 'name the property that identifies them',
    ...toHint(kind, undefined, likely[0]),
  };
}
