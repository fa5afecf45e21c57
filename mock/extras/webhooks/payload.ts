import { objectAlternative } from '../../../contracts/description/collections/schema-types.ts';
import type { ApiDocument, Schema } from '../../../contracts/description/document.ts';
import { describeShown } from '../../../contracts/description/marks.ts';
import { isObject } from '../../../contracts/description/schema.ts';
import { isSameEvent, valuesOf } from '../../../contracts/description/triggers.ts';
import type { ServiceCall } from '../../../contracts/description/webhooks.ts';
import { stringifyExact } from '../../../contracts/json-text.ts';
import type { Fields } from '../../items/stored-item.ts';
import { parseExact } from '../../json/exact-json.ts';
import { type MakeFitting, makerOf } from '../../json/make-fitting.ts';
import { oncePer } from '../../json/once-per.ts';
import type { CompileSchema } from '../../json/validator.ts';

/** What happened. */
export type Happening = {
  event: string;
  /** The item that it happened to, if there is one; a behaviour may give any value. */
  item: unknown;
  /** What an id of the item is called where a payload has no more of it, such as `petId`. */
  idName?: string | undefined;
  id?: unknown;
  /** Whether the item is a whole payload, if it fits. */
  isPayload?: boolean;
  /** When, in Unix milliseconds, and a number that no other has in the sandbox. */
  at: number;
  number: number;
};

/** Makes the payload of a call as JSON text; none where the document describes no JSON for it. */
export type MakePayload = (call: ServiceCall, happening: Happening) => string | undefined;

/** How deep in a payload an item may be. */
const maxDepth = 3;

/**
 * Makes payloads that fit what the document describes, and hold the item: as a whole, or in the member
 * that has most of its properties, or as its id. What else there is, is an example or made up; the
 * name of the event is where the schema allows for it.
 */
export function createMakePayload(
  document: ApiDocument,
  compileSchema: CompileSchema,
): MakePayload {
  const describe = (schema: Schema) => describeShown(document, schema);
  const makeFitting = makerOf(document);
  const fits = (schema: Schema, value: unknown) =>
    !compileSchema(schema, 'writeOnly')(parseExact(stringifyExact(value)).doubles);
  const propertiesOf = oncePer(
    (schema: Schema): Fields =>
      describe(objectAlternative(document.raw, schema) ?? schema).properties,
  );
  const parts = { propertiesOf, describe, makeFitting };
  return ({ sends: { body } }, happening) => {
    if (!body) return undefined;
    const { schema } = body;
    const { item, number, isPayload } = happening;
    if (isPayload && fits(schema, item)) return stringifyExact(item);
    const examples = Object.values(body.examples);
    const base = makeFitting(schema, { seed: number, examples });
    const value: unknown = base && parseExact(base.text).value;
    if (!isObject(value)) return base?.text;
    const filled = fill(value, schema, happening, parts);
    return makeFitting(schema, { seed: number, examples: [filled] })?.text;
  };
}

type Parts = {
  propertiesOf: (schema: Schema) => Fields;
  describe: (schema: Schema) => { schema: Schema };
  makeFitting: MakeFitting;
};

/** Puts what happened into an envelope that is made. */
function fill(value: Fields, schema: Schema, happening: Happening, parts: Parts): Fields {
  const { item, event, at, number, idName, id } = happening;
  const place = isObject(item) ? findPlace(schema, item, parts) : undefined;
  if (place?.length === 0) return item as Fields;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(parts.propertiesOf(schema))) {
    const described = parts.describe(property as Schema).schema;
    const named = valuesOf(described).find((one) => isSameEvent(one, event));
    const isShown = typeof value[name] === 'string' && isSameEvent(value[name], event);
    if (named !== undefined || isShown) filled[name] = named ?? event;
    else if (described.format === 'date-time') filled[name] = new Date(at).toISOString();
    else if (name === 'id' && place)
      filled[name] = makeOther(described, number, parts) ?? value[name];
    else if (!place && isObject(item) && Object.hasOwn(item, name)) filled[name] = item[name];
    else if (id !== undefined && idName !== undefined && isSameEvent(name, idName))
      filled[name] = id;
  }
  return place ? putAt(filled, place, item) : filled;
}

/** An envelope has an id of its own each time. */
function makeOther(schema: Schema, seed: number, { makeFitting }: Parts): unknown {
  const made = makeFitting(schema, { seed, own: false });
  return made && parseExact(made.text).value;
}

/** Where an item belongs in a payload: the outermost object that has most of its properties, or any. */
function findPlace(schema: Schema, item: Fields, parts: Parts): string[] | undefined {
  let best: { place: string[]; score: number } | undefined;
  let open: string[] | undefined;
  const visit = (node: Schema, place: string[]) => {
    const properties = parts.propertiesOf(node);
    const names = Object.keys(properties);
    const score = names.filter((name) => Object.hasOwn(item, name)).length;
    const isMost = score > 1 && score * 2 >= Math.min(names.length, Object.keys(item).length);
    if (isMost && score > (best?.score ?? 0)) best = { place, score };
    if (place.length < maxDepth)
      for (const [name, property] of Object.entries(properties)) {
        const { type } = parts.describe(property as Schema).schema;
        const inner = Object.keys(parts.propertiesOf(property as Schema));
        if (type === 'object' && inner.length === 0) open ??= [...place, name];
        else if (inner.length > 0) visit(property as Schema, [...place, name]);
      }
  };
  visit(schema, []);
  return best?.place ?? open;
}

function putAt(value: Fields, [name = '', ...rest]: readonly string[], item: unknown): Fields {
  const held = value[name];
  return {
    ...value,
    [name]: rest.length === 0 ? item : putAt(isObject(held) ? held : {}, rest, item),
  };
}
