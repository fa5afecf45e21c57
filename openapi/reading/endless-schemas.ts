import { isObject } from '../../common/json.ts';
import { namesOf } from '../../common/words.ts';
import { follow, type RawDocument } from '../schema.ts';
import { type Fault, removal } from './fault.ts';

/** A schema that leads to others, or needs them. */
export type LinkedSchema = { schema: RawDocument; place: { readonly pointer: string } };

/** A schema that another leads to, and the fault if it leads back and this step can be given up. */
type Step = { to: RawDocument; at: () => string; fault?: () => Fault };

type StepsOf = (schema: RawDocument, at: () => string, document: RawDocument) => Step[];

/**
 * Whether some schema leads back to itself, by whatever it refers to, is made of or requires. Few
 * documents have one, and this takes no note of the way.
 */
export function leadsBack(schemas: readonly LinkedSchema[], document: RawDocument): boolean {
  const done = new Set<RawDocument>();
  const open = new Set<RawDocument>();
  const isBack = (schema: unknown): boolean => {
    if (!isObject(schema) || !leadsOn(schema) || (done.has(schema) && !open.has(schema)))
      return false;
    if (open.has(schema)) return true;
    done.add(schema);
    open.add(schema);
    const { $ref, properties, items, minItems } = schema;
    const isFound =
      (typeof $ref === 'string' && isBack(follow(document, $ref))) ||
      ofParts.some((keyword) => listOf(schema[keyword]).some(isBack)) ||
      (isObject(properties) &&
        listOf(schema.required).some((name) => isBack(properties[name as string]))) ||
      (minItems !== undefined && isBack(items));
    open.delete(schema);
    return isFound;
  };
  return schemas.some(({ schema }) => isBack(schema));
}

const ofParts = ['allOf', 'anyOf', 'oneOf'];

/**
 * Schemas that lead back to themselves for one and the same value, which no validation of it would
 * end at.
 */
export function findCircularSchemas(
  schemas: readonly LinkedSchema[],
  document: RawDocument,
): Fault[] {
  return findCircles(schemas, document, stepsOfValue);
}

/**
 * Objects and lists that must hold another of their kind, which must hold another: no value of them
 * ends, so no request or response can fit.
 */
export function findEndlessSchemas(
  schemas: readonly LinkedSchema[],
  document: RawDocument,
): Fault[] {
  return findCircles(schemas, document, stepsOfNeeds);
}

/** The first step of each circle that can be given up. */
function findCircles(
  schemas: readonly LinkedSchema[],
  document: RawDocument,
  stepsOf: StepsOf,
): Fault[] {
  const faults = new Map<string, Fault>();
  const done = new Set<RawDocument>();
  const open = new Set<RawDocument>();
  const path: Step[] = [];
  const visit = (from: Step): void => {
    done.add(from.to);
    const steps = stepsOf(from.to, from.at, document);
    if (steps.length === 0) return;
    open.add(from.to);
    path.push(from);
    for (const step of steps) {
      if (open.has(step.to)) {
        const start = path.findIndex(({ to }) => to === step.to);
        const fault = [step, ...path.slice(start + 1)].find((one) => one.fault)?.fault?.();
        if (fault) faults.set(fault.pointer, fault);
      } else if (!done.has(step.to)) visit(step);
    }
    path.pop();
    open.delete(from.to);
  };
  for (const { schema, place } of schemas)
    if (!done.has(schema)) visit({ to: schema, at: () => place.pointer });
  return [...faults.values()];
}

/** How many schemas may look at one value, each as often as others lead to it. */
export const maxLooks = 100_000;

/** The keywords whose schemas look at the same value as the schema that has them. */
const ofSameValue = new Set(namesOf('allOf anyOf oneOf not if then else dependentSchemas'));

/**
 * The first schema that no validator is done with in time, as a JSON pointer: alternatives of
 * alternatives multiply with each level. The document is without circles.
 */
export function findOverlongSchema(
  schemas: readonly LinkedSchema[],
  document: RawDocument,
): string | undefined {
  const known = new Map<RawDocument, number>();
  let found: RawDocument | undefined;
  const count = (schema: unknown): number => {
    if (!isObject(schema) || !leadsOn(schema)) return 1;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // What leads back to itself by "not" or "if" counts once.
    known.set(schema, 1);
    let looks = typeof schema.$ref === 'string' ? 1 + count(follow(document, schema.$ref)) : 1;
    for (const keyword in schema) {
      if (!ofSameValue.has(keyword)) continue;
      const value: unknown = schema[keyword];
      const isGroup = Array.isArray(value) || keyword === 'dependentSchemas';
      for (const one of isGroup ? Object.values(value ?? {}) : [value]) looks += count(one);
    }
    if (looks > maxLooks) found ??= schema;
    known.set(schema, looks);
    return looks;
  };
  for (const { schema } of schemas) count(schema);
  return schemas.find(({ schema }) => schema === found)?.place.pointer;
}

const leading = new Set([
  ...ofSameValue,
  ...namesOf('$ref required minItems unevaluatedProperties unevaluatedItems'),
]);

/** Whether a schema leads to others, or may need them; of a large document, few do. */
export function leadsOn(schema: RawDocument): boolean {
  for (const keyword in schema) if (leading.has(keyword)) return true;
  return false;
}

function stepsOfReference(schema: RawDocument, document: RawDocument): Step[] {
  const target = typeof schema.$ref === 'string' && follow(document, schema.$ref);
  return isObject(target) && leadsOn(target)
    ? [{ to: target, at: () => decodeURIComponent(schema.$ref.slice(1)) }]
    : [];
}

const ofValue = ['$ref', ...ofParts];

function stepsOfValue(schema: RawDocument, at: () => string, document: RawDocument): Step[] {
  if (!ofValue.some((keyword) => keyword in schema)) return [];
  const problem = 'it leads back to itself, which is circular; it is ignored';
  const toStep = (to: RawDocument, below: string, mend: () => void): Step => {
    const own = () => `${at()}/${below}`;
    return { to, at: own, fault: () => ({ pointer: own(), problem, mend }) };
  };
  const steps = stepsOfReference(schema, document).map((step): Step => {
    return { ...toStep(step.to, '$ref', removal(schema, '$ref')), at: step.at };
  });
  for (const keyword of ofParts)
    for (const [index, inner] of listOf(schema[keyword]).entries()) {
      const mend = () => {
        schema[keyword][index] = true;
      };
      if (isObject(inner) && leadsOn(inner)) steps.push(toStep(inner, `${keyword}/${index}`, mend));
    }
  return steps;
}

/** Returns the schemas that each value of a schema needs, whatever alternative it chooses. */
function stepsOfNeeds(schema: RawDocument, at: () => string, document: RawDocument): Step[] {
  if ('const' in schema || 'enum' in schema) return [];
  const steps = stepsOfReference(schema, document);
  for (const keyword of ofParts) {
    const inner = listOf(schema[keyword]);
    if (keyword === 'allOf' || inner.length === 1)
      for (const [index, to] of inner.entries())
        if (isObject(to) && leadsOn(to))
          steps.push({ to, at: () => `${at()}/${keyword}/${index}` });
  }
  const { type, items } = schema;
  if (type === 'object')
    for (const [index, name] of listOf(schema.required).entries()) {
      const property: unknown = isObject(schema.properties) && schema.properties[name as string];
      if (!isObject(property) || !leadsOn(property)) continue;
      const fault = () => ({
        pointer: `${at()}/required/${index}`,
        problem: `"${name}" requires another "${name}" without end; it is read as optional`,
        mend: () => {
          schema.required = listOf(schema.required).filter((one) => one !== name);
        },
      });
      steps.push({ to: property, at: () => `${at()}/properties/${name}`, fault });
    }
  if (type === 'array' && Number(schema.minItems ?? 0) > 0 && isObject(items) && leadsOn(items)) {
    const problem = 'each item requires further items without end; an empty list is accepted too';
    const mend = removal(schema, 'minItems');
    const fault = () => ({ pointer: `${at()}/minItems`, problem, mend });
    steps.push({ to: items, at: () => `${at()}/items`, fault });
  }
  return steps;
}

/** Returns a value that is a list; an empty one of any other value. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Above this number of schemas, compiling all that one of them leads to takes too long for a call. */
const maxEager = 100;

/**
 * Whether what schemas of a document refer to should be compiled when a value gets there: where
 * they are many, which often lead to one another, or several of them look at one value, and none asks
 * what another has evaluated. `linked` are its schemas that lead to others.
 */
export function suitsLazyReferences(
  { components }: RawDocument,
  linked: readonly { schema: RawDocument }[],
): boolean {
  const asks = ({ schema }: { schema: RawDocument }) =>
    'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
  const isLarge = Object.keys(components?.schemas ?? {}).length > maxEager;
  return !linked.some(asks) && (isLarge || linked.some(({ schema }) => multiplies(schema)));
}

/** Whether several parts of a schema look at the same value, and refer to others. */
function multiplies(schema: RawDocument): boolean {
  const choices = Object.keys(schema).filter((keyword) => ofSameValue.has(keyword));
  if (choices.length === 0) return false;
  const others = Object.entries(schema).filter(([keyword]) => !ofSameValue.has(keyword));
  const parts = choices.flatMap((keyword) => {
    const value = schema[keyword];
    const isMany = keyword === 'dependentSchemas' || Array.isArray(value);
    return isMany ? Object.values(value ?? {}) : [value];
  });
  return [...parts, Object.fromEntries(others)].filter(refers).length > 1;
}

function refers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return '$ref' in value || Object.values(value).some(refers);
}
