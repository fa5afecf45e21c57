import { isSuccess } from '../../common/success.ts';
import type {
  Api,
  Kind,
  Operation,
  ParameterEffect,
  Reference,
  Resource,
} from '../../openapi/index.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { describeParameters, listRulesOf } from '../../openapi/model/lists.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { type AnswerSource, answerSourceOf } from '../documented/answer-source.ts';
import type { OwnBehaviours } from '../extras/behaviours/read-behaviours.ts';
import { type TriggeredCallView, triggeredCallsOf, viewOf } from '../extras/webhooks/triggers.ts';
import { policiesOfItem } from '../items/field-policies.ts';
import type { Filling } from '../items/fillings.ts';
import { createWhyStateless, pointerTo, type Statelessness } from './why-stateless.ts';

/** A collection that the mock stores, as it was found in the document. */
export type CollectionExplanation = {
  name: string;
  path: string;
  /** The property that identifies an item, and what its values are, e.g. `uuid`. */
  id: { property: string; form: string };
  /** The parents named by the path parameters of a nested collection. */
  scope: readonly { parameter: string; parent?: string; property?: string }[];
  /**
   * The paths of the items and of other list data, as paths of properties; none for a bare array.
   */
  list?: { items: string; fields: readonly { role: string; path: string }[] };
  /** The properties that hold the item in answers and bodies, such as `article`. */
  wrapped?: readonly string[];
  /** The query parameters of the list, with what they do. */
  parameters: readonly ParameterEffect[];
  /** The properties of which no two items have the same value. */
  unique?: readonly string[];
  /** Names what fills each property of a new item that its create does not send, such as `now`. */
  filled?: Readonly<Record<string, Filling['as']>>;
  /** The properties that hold ids of other collections. */
  references?: readonly Reference[];
  operations: Partial<Record<Kind, string>>;
};

/** The mock's behaviour for an operation, and the reason. */
export type OperationExplanation = {
  id: string;
  method: string;
  path: string;
  /** The effect of the operation on a collection, if the mock keeps state for it. */
  kind?: Kind;
  collection?: string;
  /** The collection at its path that it neither shows nor changes. */
  besides?: string;
  /** The source of its responses. */
  answers: AnswerSource;
  /** The reason, as the document gives it. */
  because: string;
  /**
   * The JSON pointer to the reason, and a remedy that would give the operation state, if it has
   * none.
   */
  pointer?: string;
  remedy?: string;
  overlay?: Statelessness['overlay'];
  /** The names of its rules in `x-twin`. */
  rules?: readonly string[];
  /** The file and line of a behaviour of the user's own that replaces the operation's. */
  behaviour?: string;
};

/** The mock's interpretation of a document. */
export type Explanation = {
  document: { file: string; title: string; version: string; openapi: string; overlays: string[] };
  totals: { operations: number; withState: number; collections: number; singleObjects: number };
  collections: CollectionExplanation[];
  operations: OperationExplanation[];
  /** Webhooks and callbacks, and what they are sent after. */
  webhooks: TriggeredCallView[];
  warnings: readonly { pointer: string; problem: string }[];
};

/**
 * Explains what the mock makes of a document: which operations keep state, why the others do not, and
 * which have behaviours of the user's own.
 */
export function explain(document: Api, own?: OwnBehaviours): Explanation {
  const { file, title, version, written, operations, resources } = document;
  const whyStateless = createWhyStateless(document);
  const overlays = [...(written.overlays ?? [])];
  return {
    document: { file, title, version, openapi: written.version, overlays },
    totals: {
      operations: operations.length,
      withState: operations.filter((one) => answerSourceOf(one) === 'store').length,
      collections: resources.length,
      singleObjects: document.singletons.length,
    },
    collections: resources.map((resource) => explainCollection(resource, document)),
    operations: operations.map((operation) => {
      const { rules } = operation;
      const explained = {
        ...explainOperation(operation, document, whyStateless),
        ...(rules && { rules: Object.keys(rules) }),
      };
      const behaviour = own?.operations.get(`${operation.method} ${operation.path}`)?.at;
      return behaviour === undefined ? explained : { ...explained, behaviour };
    }),
    webhooks: triggeredCallsOf(document).map(viewOf),
    warnings: written.warnings,
  };
}

function explainCollection(resource: Resource, document: Api): CollectionExplanation {
  const { schemas } = document;
  const { name, path, idProperty, idSchema, scope = [] } = resource;
  const { list: _, ...ofItems } = resource.operations;
  const wrapped = new Set([
    ...Object.values(ofItems).flatMap(({ itemsAt }) => (itemsAt ? [itemsAt.join('.')] : [])),
    ...Object.values(ofItems).flatMap(({ fieldsAt }) => (fieldsAt ? [fieldsAt.join('.')] : [])),
  ]);
  const lists = placementsOf(resource).flatMap(({ operations: { list } }) => list ?? []);
  const { pointer, fields } = listRulesOf(lists[0]).form;
  const unique = schemas.uniquePropertiesOf(resource);
  const explained: CollectionExplanation = {
    name,
    path,
    id: { property: idProperty, form: idFormOf(idSchema) },
    scope,
    parameters: toParameters(lists),
    operations: Object.fromEntries(
      Object.entries(resource.operations).map(([kind, { id }]) => [kind, id]),
    ),
  };
  if (pointer.length > 0)
    explained.list = {
      items: pointer.join('.'),
      fields: fields.map(({ role, path: at }) => ({ role, path: at.join('.') })),
    };
  if (wrapped.size > 0) explained.wrapped = [...wrapped];
  if (unique.length > 0) explained.unique = unique;
  const filled = findFilled(document, resource);
  if (filled.length > 0) explained.filled = Object.fromEntries(filled);
  if (resource.references) explained.references = resource.references;
  return explained;
}

/** Finds the properties that a create may omit and that new items have, and what fills each. */
function findFilled(document: Api, resource: Resource): [string, Filling['as']][] {
  const { create } = resource.operations;
  if (!create) return [];
  const { required } = document.schemas.flatten(document.schemas.bodySchemaOf(create));
  const policies = policiesOfItem(document, resource, create, 'create');
  return [...policies].flatMap(([name, { unsent }]): [string, Filling['as']][] =>
    unsent && !required.includes(name) ? [[name, unsent.as]] : [],
  );
}

/**
 * Returns the effects of the parameters of one collection's lists: for each name, its effect in any
 * of them.
 */
function toParameters(lists: readonly Operation[]): readonly ParameterEffect[] {
  const all = lists.flatMap((list) => describeParameters(list));
  const byName = Map.groupBy(all, ({ parameter }) => parameter);
  return [...byName.values()].flatMap(
    (same) => same.find(({ effect }) => effect !== 'none') ?? same.slice(0, 1),
  );
}

function idFormOf({ type, format }: Resource['idSchema']): string {
  return String(format ?? [type ?? 'string'].flat().join(' or '));
}

function explainOperation(
  operation: Operation,
  document: Api,
  whyStateless: (operation: Operation) => Statelessness,
): OperationExplanation {
  const { resources } = document;
  const { id, method, path, readAs } = operation;
  const { kind, hint, resource } = readAs ?? operation;
  const known = { id, method, path, answers: answerSourceOf(operation) };
  const found = resources.find(({ name }) => name === resource);
  if (kind && found) {
    const where = readAs ? `read as ${readAs.method} ${readAs.path}` : `${method} on ${path}`;
    const evidence = `${where}: ${rowOf(kind).evidence}, identified by ${found.idProperty}`;
    const because = hint?.kind === kind ? 'set by x-twin' : evidence;
    return { ...known, kind, collection: found.name, because };
  }
  const because = whyStateful(document, readAs ?? operation);
  if (because === undefined) {
    const { besides } = operation;
    return { ...known, ...(besides !== undefined && { besides }), ...whyStateless(operation) };
  }
  return { ...known, because, pointer: pointerTo(document, operation) };
}

/**
 * Returns the reason why a HEAD, or an operation on a singleton or an item, has state; undefined
 * for others.
 */
function whyStateful(document: Api, operation: Operation): string | undefined {
  const { actsOn, part, sets, stamps = [], takes = [], singleton, answersAs, path } = operation;
  if (answersAs) return `it answers like GET ${answersAs.path}, without content`;
  const single = document.singletons.find(({ name }) => name === singleton);
  if (single?.isMark)
    return `PUT sets a mark at ${path}, GET shows whether it is set, and DELETE clears it`;
  if (single?.isValue) return `GET reads the value at ${path}, and PUT replaces it`;
  if (single) return `GET reads the one object at ${path}, and PUT or PATCH changes it`;
  if (actsOn === undefined) return undefined;
  if (operation.copies) return `it makes a copy of the item of ${actsOn} that its path names`;
  if (part !== undefined) return `its path names the property ${part} of an item of ${actsOn}`;
  const changes = [
    ...Object.entries(sets ?? {}).map(
      ([name, value]) => `${name} to ${value === undefined ? 'nothing' : value}`,
    ),
    ...stamps.map(({ property }) => `${property} to now`),
  ];
  const effects = [
    changes.length > 0 ? [`the last word of its path sets ${changes.join(' and ')}`] : [],
    takes.length > 0 ? [`its body sets ${takes.join(', ')}`] : [],
  ].flat();
  const effect =
    effects.join(', and ') ||
    'no property of the item matches the last word of its path, so nothing changes';
  if (operation.actsOnAll) return `its path names all items of ${actsOn}; ${effect}`;
  const isSilent = operation.responses.find(isSuccess)?.contents.length === 0;
  return isSilent
    ? `its path names an item of ${actsOn}; ${effect}`
    : `it returns the item of ${actsOn} that its path names; ${effect}`;
}
