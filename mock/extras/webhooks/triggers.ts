import { isObject } from '../../../common/json.ts';
import { lastWordOf } from '../../../common/path-template.ts';
import { formsOf, singular, wordsOf } from '../../../common/words.ts';
import type { Api, Kind, Operation, Schema, ServiceCall } from '../../../openapi/index.ts';
import { findSubject } from '../../../openapi/model/api.ts';
import { successOf } from '../../../openapi/model/operation.ts';

/** A call of the service, its events, and the operations after whose success it is sent. */
export type Trigger = { event: string; operations: readonly Operation[] };

/** A webhook or callback with its triggers; without triggers, only a behaviour sends it. */
export type TriggeredCall = ServiceCall & {
  triggers: readonly Trigger[];
  /** The events that a property of its payload may name. */
  told: readonly string[];
};

/** Shows a triggered call to people: the operations by their names. */
export type TriggeredCallView = {
  name: string;
  /** The operation that a callback belongs to. */
  callbackOf?: string;
  after: readonly { event: string; operations: readonly string[] }[];
};

/** Shows the events and operations after which a call is sent. */
export function viewOf({ name, callback, triggers }: TriggeredCall): TriggeredCallView {
  const after = triggers.map(({ event, operations }) => ({
    event,
    operations: operations.map(({ id }) => id),
  }));
  return { name, ...(callback && { callbackOf: callback.of.id }), after };
}

/** The verbs of operations, as names of events have them. */
const verbs: Partial<Record<Kind, readonly string[]>> = {
  create: ['create', 'add', 'new'],
  createMany: ['create', 'add', 'new'],
  replace: ['update', 'change', 'modify', 'edit', 'replace'],
  update: ['update', 'change', 'modify', 'edit'],
  delete: ['delete', 'remove', 'destroy'],
};

const ofKinds = new Set(Object.values(verbs).flat());

/** The words of an event name without a meaning for the event. */
const fillers = new Set(
  'a an the on when after is was has been event events webhook hook callback notification'.split(
    ' ',
  ),
);

/** A name of an event, or of a thing and a verb, by its words alone: `newPet` is `new pet`. */
export const toEventKey = (name: string): string =>
  wordsOf(name)
    .filter((word) => !fillers.has(word))
    .map(singular)
    .join(' ');

/**
 * Finds the operations that trigger the webhooks and callbacks of a document, by their names. A
 * name such as `pet.created`, `orderCancelled` or `newPet` combines a resource and a verb form; the
 * operation with this effect on the resource triggers it. For other names, such as `petEvent`, the
 * values of a property of the payload may be event names, except those of webhooks of their own. A
 * callback without such a name is sent after its own operation.
 */
export function triggeredCallsOf(document: Api): TriggeredCall[] {
  const byEvent = new Map<string, Set<Operation>>();
  for (const operation of document.operations)
    for (const event of eventsOf(document, operation))
      byEvent.set(event, (byEvent.get(event) ?? new Set()).add(operation));
  const toTriggers = (names: readonly string[]): Trigger[] =>
    names.flatMap((event) => {
      const found = byEvent.get(toEventKey(event));
      return found ? [{ event, operations: [...found] }] : [];
    });
  const calls = document.schemas.serviceCallsOf(document.operations);
  return calls.map((call) => {
    const { name, sends, callback } = call;
    const own = toTriggers([name]);
    const told = valuesIn(document, sends.body?.schema);
    const others = told.filter((value) => !calls.some((one) => isSameEvent(one.name, value)));
    const found = own.length > 0 ? own : toTriggers(others);
    const triggers =
      found.length === 0 && callback ? [{ event: name, operations: [callback.of] }] : found;
    return { ...call, triggers, told };
  });
}

/** Whether two names are of the same event, however they are written: `pet.created`, `PET_CREATED`. */
export function isSameEvent(one: string, other: string): boolean {
  return one === other || toEventKey(one) === toEventKey(other);
}

/** Returns the names of events that an operation may have: `pet created`, `created pet`. */
function eventsOf(document: Api, operation: Operation): string[] {
  const { kind, actsOn, part, singleton, method, path, id } = operation;
  const isAction = actsOn !== undefined && part === undefined;
  const ofKind = verbs[kind ?? (singleton !== undefined && method !== 'GET' ? 'update' : 'list')];
  if (!ofKind && !isAction) return [];
  const [first = ''] = wordsOf(id);
  const named = [first, ...(isAction ? wordsOf(lastWordOf(path)) : [])];
  const done = [...(ofKind ?? []), ...named.filter((word) => !ofKinds.has(word))].flatMap(formsOf);
  return nounsOf(document, operation).flatMap((noun) =>
    done.flatMap((form) => [`${noun} ${singular(form)}`, `${singular(form)} ${noun}`]),
  );
}

/** Returns the names of the thing that an operation is about: by its path, and by its schema. */
function nounsOf(document: Api, operation: Operation): string[] {
  const resource = findSubject(document, operation);
  if (!resource) return [];
  const schemas = Object.values(resource.operations).map((one) => successOf(one)?.$ref);
  const schemaNames = schemas.flatMap((ref) =>
    typeof ref === 'string' ? ref.split('/').at(-1) : [],
  );
  return [
    ...new Set([lastWordOf(resource.path), ...schemaNames].map((one) => toEventKey(one ?? ''))),
  ];
}

/** The texts that single properties of a payload may have, in the order of the document. */
function valuesIn({ schemas }: Api, schema: Schema | undefined): string[] {
  return Object.values(schemas.flatten(schema).properties).flatMap((property) =>
    valuesOf(schemas.resolve(property)),
  );
}

/** The texts that a value may be, where its schema names them. */
export function valuesOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : [schema.const];
  return values.filter((value) => typeof value === 'string');
}
