import { isObject, stringifyExact } from '../../../common/json.ts';
import { oncePer } from '../../../common/once-per.ts';
import { valueAt } from '../../../common/property-path.ts';
import type { Api, Schema, ServiceCall } from '../../../openapi/index.ts';
import type { Fields } from '../../items/stored-item.ts';
import { parseExact } from '../../json/exact-json.ts';
import { type MakeFitting, makerOf } from '../../json/make-fitting.ts';
import { type CompileSchema, toSentences } from '../../json/validator.ts';
import { isSameEvent, valuesOf } from './triggers.ts';

/** The subject of an event: an item, and the name of its id elsewhere, such as `petId`. */
export type Subject = {
  item: unknown;
  collection?: string | undefined;
  id?: unknown;
  idName?: string | undefined;
  /** The name of the id in the item. */
  idProperty?: string | undefined;
  /** The values in its path, by the shapes of the paths that end with them: `/orgs/{}`. */
  places?: Readonly<Record<string, unknown>> | undefined;
};

/** An event and its subject. */
export type WebhookEvent = Subject & {
  event: string;
  /** Whether the item is what a behaviour gives: a whole payload, if it fits. */
  isPayload?: boolean;
  /** When, in Unix milliseconds, and a number that no other has in the sandbox. */
  at: number;
  number: number;
};

/**
 * A payload as JSON text; none where the document describes no JSON for it. `misfit` says why it does
 * not hold what a behaviour gave.
 */
export type Payload = { text?: string | undefined; misfit?: string };

export type MakePayload = (call: ServiceCall, happening: WebhookEvent) => Payload;

/** How deep in a payload an item may be. */
const maxDepth = 3;

/**
 * Makes payloads that fit what the document describes, and hold the item: as a whole, or in the member
 * that has most of its properties, or as its id. What else there is, is an example or made up; the
 * name of the event is where the schema allows for it.
 */
export function createMakePayload(document: Api, compileSchema: CompileSchema): MakePayload {
  const describe = document.schemas.describeShown;
  const makeFitting = makerOf(document);
  const findProblems = (schema: Schema, value: unknown) =>
    compileSchema(schema, 'writeOnly')(parseExact(stringifyExact(value)));
  const propertiesOf = oncePer(
    (schema: Schema): Fields =>
      describe(document.schemas.objectAlternative(schema) ?? schema).properties,
  );
  const parts = { propertiesOf, describe, makeFitting };
  return ({ sends: { body } }, happening) => {
    const { item, number } = happening;
    const given = happening.isPayload && item !== undefined;
    if (!body) return given ? { text: stringifyExact(item) } : {};
    const { schema } = body;
    const problems = given && findProblems(schema, item);
    if (given && !problems) return { text: stringifyExact(item) };
    const misfit = problems && { misfit: toSentences(problems) };
    const examples = Object.values(body.examples);
    const base = makeFitting(schema, { seed: number, examples });
    const value: unknown = base && parseExact(base.text);
    if (!isObject(value)) return { text: base?.text, ...misfit };
    const { filled, isWhole } = fill(value, schema, happening, parts);
    const { text } = makeFitting(schema, { seed: number, examples: [filled] }) ?? {};
    const isHeld = isWhole && !findProblems(schema, filled);
    return { text, ...(!isHeld && misfit) };
  };
}

/**
 * The id of the item of a kind that a payload is about: by its name elsewhere, or in the item that it
 * is or holds.
 */
export function idIn(payload: unknown, kind: Pick<Subject, 'idName' | 'idProperty'>): unknown {
  const { idName = '', idProperty = 'id' } = kind;
  if (!isObject(payload)) return undefined;
  const find = (isMatch: (name: string, value: unknown) => boolean) =>
    Object.entries(payload).find(([name, value]) => isMatch(name, value))?.[1];
  const named = find((name) => isSameEvent(name, idName));
  if (named !== undefined) return named;
  const held = find((name, value) => isObject(value) && isSameEvent(`${name}Id`, idName));
  return idIn(held ?? payload.data, kind) ?? valueAt(payload, idProperty);
}

type Parts = {
  propertiesOf: (schema: Schema) => Fields;
  describe: (schema: Schema) => { schema: Schema };
  makeFitting: MakeFitting;
};

/** Puts what happened into an envelope that is made; `isWhole` says whether it holds all of the item. */
function fill(
  value: Fields,
  schema: Schema,
  happening: WebhookEvent,
  parts: Parts,
): { filled: Fields; isWhole: boolean } {
  const { item, event, at, number, idName, id } = happening;
  const place = isObject(item) ? findPlace(schema, item, parts) : undefined;
  if (place?.length === 0) return { filled: item as Fields, isWhole: true };
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
  return { filled: place ? putAt(filled, place, item) : filled, isWhole: place !== undefined };
}

/** An envelope has an id of its own each time. */
function makeOther(schema: Schema, seed: number, { makeFitting }: Parts): unknown {
  const made = makeFitting(schema, { seed, own: false });
  return made && parseExact(made.text);
}

/**
 * Finds the place of an item in a payload: the outermost object that has most of its properties, or
 * any.
 */
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
