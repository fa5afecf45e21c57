import { isObject } from '../../common/json.ts';
import { withoutSlash } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { type Operation, type ResponseDescription, shownIn } from '../model/operation.ts';
import { asksNothing, flatten, type RawDocument, type Schema } from '../schema.ts';
import { findWrappedItem, isBesideItem } from './item-form.ts';
import { findListForm } from './list-form.ts';
import { scalarOf } from './schema-types.ts';
import { isSameItem, sentSchemaOf } from './success.ts';

/**
 * Describes the successes of operations by those of their alternatives that are meant: of an item and
 * a list of such items the one that the path names, and nothing that only says what went wrong.
 */
export function narrowAnswers(raw: RawDocument, operations: readonly Operation[]): void {
  for (const operation of operations)
    for (const success of operation.responses.filter(isSuccess)) {
      const ways = success.schema ? waysOf(raw, success.schema) : [];
      const meant = ways.length > 1 ? findMeant(raw, ways, operation) : ways;
      const [first, ...others] = meant.map(({ schema }) => schema);
      if (!first || meant.length === ways.length || !meant.some(createSuits(raw, success)))
        continue;
      success.likeness = others.length > 0 ? { anyOf: [first, ...others] } : first;
    }
}

/** A schema with one of its alternatives, and that alternative. */
type Way = { schema: Schema; part: Schema };

/** The schemas of an answer, one for each alternative of it, of a part, or of what a property holds. */
function waysOf(raw: RawDocument, node: Schema): Way[] {
  const schema = scalarOf(raw, node);
  const { allOf = [], properties = {} } = schema;
  const own = alternativesIn(raw, schema).map((part) => {
    const { oneOf: _, anyOf: __, discriminator: ___, ...beside } = schema;
    const isBare = Object.keys(beside).every(asksNothing);
    return { part, schema: isBare ? part : { ...beside, allOf: [...allOf, part] } };
  });
  if (own.length > 0) return own;
  for (const [at, part] of (allOf as Schema[]).entries()) {
    const ways = alternativesIn(raw, scalarOf(raw, part));
    if (ways.length > 0)
      return ways.map((one) => ({ part: one, schema: { ...schema, allOf: allOf.with(at, one) } }));
  }
  for (const [name, property] of Object.entries<Schema>(properties)) {
    const ways = alternativesIn(raw, scalarOf(raw, property));
    if (ways.some((one) => scalarOf(raw, one).items !== undefined))
      return ways.map((one) => ({
        part: one,
        schema: { ...schema, properties: { ...properties, [name]: one } },
      }));
  }
  return [];
}

/** The alternatives of a schema, without null, if there are several. */
function alternativesIn(raw: RawDocument, { oneOf, anyOf = oneOf }: RawDocument): Schema[] {
  const all: Schema[] = Array.isArray(anyOf) ? anyOf : [];
  const others = all.filter((one) => scalarOf(raw, one).type !== 'null');
  return others.length > 1 ? others : [];
}

function findMeant(raw: RawDocument, all: readonly Way[], operation: Operation): readonly Way[] {
  const ofErrors = operation.responses.flatMap((one) => (isSuccess(one) ? [] : [one.schema?.$ref]));
  const isOfError = ({ part }: Way) => part.$ref !== undefined && ofErrors.includes(part.$ref);
  const isBeside = ({ schema }: Way) => {
    const names = Object.keys(flatten(raw, schema).properties);
    return names.length > 0 && names.every(isBesideItem);
  };
  const ways = all.filter((one) => !isOfError(one) && !isBeside(one));
  const found = ways.map((way) => ({ way, list: findListForm(raw, way.schema, operation) }));
  const single = found.flatMap(({ way, list }) => (list ? [] : [way]));
  const lists = found.flatMap(({ way, list }) => (list ? [{ way, items: list.items }] : []));
  const itemOf = ({ schema }: Way) =>
    findWrappedItem(raw, schema, shownIn(operation))?.schema ?? schema;
  const isAlike = lists.some(({ items }) =>
    single.some((one) => isSameItem(raw, items, itemOf(one))),
  );
  const isList = (one: Schema | undefined) => scalarOf(raw, one).items !== undefined;
  const sent = sentSchemaOf(operation);
  // A body that may be either decides itself.
  if (!isAlike || (sent && alternativesIn(raw, scalarOf(raw, sent)).some(isList))) return ways;
  const isAtItem = operation.method !== 'GET' || withoutSlash(operation.path).endsWith('}');
  return isList(sent) || !isAtItem ? lists.map(({ way }) => way) : single;
}

/** Creates a check whether the example of a success, if it has one, has the members of an alternative. */
function createSuits(raw: RawDocument, { examples }: ResponseDescription) {
  const [example] = Object.values(examples);
  return ({ schema }: Way): boolean => {
    if (example === undefined) return true;
    if (scalarOf(raw, schema).items !== undefined) return Array.isArray(example);
    const { properties } = flatten(raw, schema);
    return (
      isObject(example) && Object.keys(example).every((name) => Object.hasOwn(properties, name))
    );
  };
}
