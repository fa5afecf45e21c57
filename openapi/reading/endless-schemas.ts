import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { follow, type RawDocument } from '../schema.ts';
import { type Fault, removal } from './fault.ts';
import { walkDocument } from './parts.ts';

/** What a schema leads to, and the fault where that leads back, if this step can be given up. */
type Step = { to: RawDocument; at: string; fault?: Fault };

type StepsOf = (schema: RawDocument, pointer: string, document: RawDocument) => Step[];

/**
 * Schemas that lead back to themselves for one and the same value, which no validation of it would
 * end at.
 */
export function findCircularSchemas(document: RawDocument): Fault[] {
  return findCircles(document, stepsOfValue);
}

/**
 * Objects and lists that must hold another of their kind, which must hold another: no value of them
 * ends, so no request or response can fit.
 */
export function findEndlessSchemas(document: RawDocument): Fault[] {
  return findCircles(document, stepsOfNeeds);
}

/** The first step of each circle that can be given up. */
function findCircles(document: RawDocument, stepsOf: StepsOf): Fault[] {
  const faults = new Map<string, Fault>();
  const done = new Set<RawDocument>();
  const path: Step[] = [];
  const visit = (from: Step): void => {
    path.push(from);
    for (const step of stepsOf(from.to, from.at, document)) {
      const start = path.findIndex(({ to }) => to === step.to);
      if (start !== -1) {
        const fault = [step, ...path.slice(start + 1)].find((one) => one.fault)?.fault;
        if (fault) faults.set(fault.pointer, fault);
      } else if (!done.has(step.to)) visit(step);
    }
    path.pop();
    done.add(from.to);
  };
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind === 'schema' && isObject(part) && !done.has(part)) visit({ to: part, at: pointer });
  });
  return [...faults.values()];
}

/** How many schemas may look at one value, each as often as others lead to it. */
export const maxLooks = 100_000;

/** The keywords whose schemas look at the same value as the schema that has them. */
const ofSameValue = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * The first schema that no validator is done with in time, as a JSON pointer: alternatives of
 * alternatives multiply with each level. The document is without circles.
 */
export function findOverlongSchema(document: RawDocument): string | undefined {
  const known = new Map<RawDocument, number>();
  let found: string | undefined;
  const count = (schema: unknown, pointer: string): number => {
    if (!isObject(schema)) return 1;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // What leads back to itself by "not" or "if" counts once.
    known.set(schema, 1);
    let looks = 1;
    for (const { to, at } of stepsOfReference(schema, document)) looks += count(to, at);
    for (const keyword of ofSameValue) {
      const value: unknown = schema[keyword];
      const isGroup = Array.isArray(value) || keyword === 'dependentSchemas';
      const inner = isGroup ? Object.entries(value ?? {}) : [];
      if (!isGroup && value !== undefined) looks += count(value, `${pointer}/${keyword}`);
      for (const [key, one] of inner) looks += count(one, `${pointer}/${keyword}/${toToken(key)}`);
    }
    if (looks > maxLooks) found ??= pointer;
    known.set(schema, looks);
    return looks;
  };
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind === 'schema') count(part, pointer);
  });
  return found;
}

function stepsOfReference(schema: RawDocument, document: RawDocument): Step[] {
  const target = typeof schema.$ref === 'string' && follow(document, schema.$ref);
  return isObject(target) ? [{ to: target, at: decodeURIComponent(schema.$ref.slice(1)) }] : [];
}

function stepsOfValue(schema: RawDocument, pointer: string, document: RawDocument): Step[] {
  const problem = 'it leads back to itself, which is circular; it is ignored';
  const toStep = (to: RawDocument, at: string, mend: () => void): Step => {
    return { to, at, fault: { pointer: at, problem, mend } };
  };
  const steps = stepsOfReference(schema, document).map(({ to, at }): Step => {
    return { ...toStep(to, `${pointer}/$ref`, removal(schema, '$ref')), at };
  });
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    for (const [index, inner] of listOf(schema[keyword]).entries()) {
      const mend = () => {
        schema[keyword][index] = true;
      };
      if (isObject(inner)) steps.push(toStep(inner, `${pointer}/${keyword}/${index}`, mend));
    }
  return steps;
}

/** What each value of a schema needs, whatever it chooses. */
function stepsOfNeeds(schema: RawDocument, pointer: string, document: RawDocument): Step[] {
  if ('const' in schema || 'enum' in schema) return [];
  const steps = stepsOfReference(schema, document);
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const inner = listOf(schema[keyword]);
    if (keyword === 'allOf' || inner.length === 1)
      for (const [index, to] of inner.entries())
        if (isObject(to)) steps.push({ to, at: `${pointer}/${keyword}/${index}` });
  }
  const { type, items } = schema;
  if (type === 'object')
    for (const [index, name] of listOf(schema.required).entries()) {
      const property: unknown = isObject(schema.properties) && schema.properties[name as string];
      if (!isObject(property)) continue;
      const fault: Fault = {
        pointer: `${pointer}/required/${index}`,
        problem: `"${name}" must hold another "${name}" without end; it is taken as optional`,
        mend: () => {
          schema.required = listOf(schema.required).filter((one) => one !== name);
        },
      };
      steps.push({ to: property, at: `${pointer}/properties/${name}`, fault });
    }
  if (type === 'array' && Number(schema.minItems ?? 0) > 0 && isObject(items)) {
    const problem = 'each item must hold further items without end; an empty list is taken, too';
    const fault = { pointer: `${pointer}/minItems`, problem, mend: removal(schema, 'minItems') };
    steps.push({ to: items, at: `${pointer}/items`, fault });
  }
  return steps;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
