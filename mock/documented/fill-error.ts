import type { ApiDocument, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { generateValue, mendValue } from '../../fixtures/generate.ts';
import type { ErrorProblem } from '../answers/answer.ts';
import type { CompileSchema } from '../json/validator.ts';
import {
  chooseValue,
  type ErrorFacts,
  fieldOf,
  flagFor,
  isOfError,
  isSpoken,
  listsErrors,
  listsProblems,
  numberFor,
  partsOf,
  plainName,
  textFor,
} from './error-facts.ts';
import { createFillUnknown } from './fill-unknown.ts';

/** Puts what is known of an error into the form of a schema; undefined where that cannot be. */
export type FillError = (schema: Schema, facts: ErrorFacts) => unknown;

/** A schema may hold itself. */
const maxDepth = 6;

/** How many parts of an error are looked at: alternatives that hold themselves multiply. */
const maxParts = 2000;

type Place = {
  name: string;
  siblings: ReadonlySet<string>;
  depth: number;
  isRequired: boolean;
  /** Whether it is one of a list of errors. */
  isEntry?: boolean;
};

/**
 * Makes what fills errors by the names and types of the members of their schemas. What is required
 * and not known of the error is empty, or what the schema shows; what is not required is left out
 * then.
 */
export function createFillError(document: ApiDocument, compile: CompileSchema): FillError {
  const describe = (schema: Schema) => describeShown(document, schema);
  const fits = (schema: Schema, value: unknown) => !compile(schema, 'writeOnly')(value);
  let parts = 0;
  const isSpent = () => ++parts > maxParts;
  const fillUnknown = createFillUnknown({ describe, fits, isSpent });
  const tryTo = (make: () => unknown): unknown => {
    try {
      return make();
    } catch {
      // Not every pattern can be met.
      return undefined;
    }
  };

  const fill = (node: Schema, facts: ErrorFacts, place: Place): unknown => {
    if (typeof node !== 'object' || node === null) return undefined;
    if (place.depth > maxDepth || isSpent()) return undefined;
    const { schema, properties, required } = describe(node);
    if (typeof schema !== 'object') return undefined;
    if ('const' in schema) return schema.const;
    if (Object.keys(properties).length > 0)
      return fillMembers(properties, new Set(required), facts, place);
    const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
    if (alternatives) return fillOne(alternatives, facts, place);
    const [part] = (schema.allOf ?? []) as Schema[];
    if (part && schema.type === undefined) return fill(part, facts, place);
    if (Array.isArray(schema.enum)) return fillChoice(schema.enum, facts, place);
    const type = [schema.type].flat().find((one) => one !== 'null');
    if (type === 'array') return fillList(schema, facts, place);
    if (type === 'object' || schema.additionalProperties) return fillOpen(schema, facts, place);
    if (type === 'integer' || type === 'number') return numberFor(place.name, facts);
    if (type === 'boolean') return flagFor(place.name);
    if (place.siblings.has('') || schema.default === undefined)
      return textFor(place.name, facts, place.siblings);
    return schema.default;
  };

  const fillMembers = (
    properties: Readonly<Record<string, Schema>>,
    required: ReadonlySet<string>,
    facts: ErrorFacts,
    { name: ownName, depth, isRequired: isAsked }: Place,
  ): unknown => {
    const siblings = new Set(Object.keys(properties).map(plainName));
    const filled = new Map<string, unknown>();
    const names = Object.keys(properties);
    const requiredFirst = [
      ...names.filter((name) => required.has(name)),
      ...names.filter((name) => !required.has(name)),
    ];
    for (const name of requiredFirst) {
      const schema = properties[name] as Schema;
      const isRequired = required.has(name);
      const value = fill(schema, facts, { name, siblings, depth: depth + 1, isRequired });
      if (value !== undefined && fits(schema, value)) filled.set(name, value);
      else if (isRequired) {
        // It is about something else, such as the payment that failed.
        if (!isAsked && !isOfError(ownName)) return undefined;
        const unknown = fillUnknown(schema, { name, facts });
        if (unknown !== undefined) filled.set(name, unknown);
      }
    }
    if (filled.size === 0 && depth > 0) return undefined;
    return Object.fromEntries(
      names.filter((name) => filled.has(name)).map((name) => [name, filled.get(name)]),
    );
  };

  /** A value of a list: the one that says most of the error; the first where one has to. */
  const fillChoice = (values: readonly unknown[], facts: ErrorFacts, place: Place): unknown => {
    const known = textFor(place.name, facts, place.siblings);
    if (known !== undefined && values.includes(known)) return known;
    return chooseValue(values, facts) ?? (place.isRequired ? values[0] : undefined);
  };

  const fillOne = (alternatives: readonly Schema[], facts: ErrorFacts, place: Place): unknown => {
    const values = alternatives.map((schema) => ({ schema, value: fill(schema, facts, place) }));
    const known = values.filter(({ value }) => value !== undefined);
    return (known.find(({ schema, value }) => fits(schema, value)) ?? known[0])?.value;
  };

  const fillList = (schema: Schema, facts: ErrorFacts, place: Place): unknown => {
    const { name, siblings, depth, isRequired } = place;
    const items = (schema.items ?? {}) as Schema;
    if (plainName(name) === 'loc' && facts.problem)
      return [facts.problem.in, ...partsOf(facts.problem.pointer)];
    const canBeEmpty = fits(schema, []);
    const isOfProblems = depth === 0 || listsProblems(name);
    if (!isOfProblems) return isRequired && canBeEmpty ? [] : undefined;
    const problems: (ErrorProblem | undefined)[] = [...facts.problems];
    const others = siblings.difference(new Set([plainName(name)]));
    const isElsewhere = depth > 0 && isSpoken(others) && (canBeEmpty || !isRequired);
    const saysMore = depth === 0 || listsErrors(name);
    if (problems.length === 0 && saysMore && !isElsewhere) problems.push(undefined);
    if (problems.length === 0) return isRequired && canBeEmpty ? [] : undefined;
    const inner = { ...place, name: 'message', depth: depth + 1, isRequired: true, isEntry: true };
    const before = parts;
    return problems.map((problem) => {
      const own = problem ? { ...facts, problem } : facts;
      parts = before;
      return fill(items, own, inner) ?? fillUnknown(items, { name: 'message', facts: own });
    });
  };

  /** Members of any names: those of what is wrong. */
  const fillOpen = (schema: Schema, facts: ErrorFacts, place: Place): unknown => {
    const { name, siblings, depth, isRequired, isEntry } = place;
    const { code, message, status, problem } = facts;
    if (depth === 0) return { code, message, status };
    if (isEntry) {
      const { problem: sentence = message, pointer } = problem ?? {};
      const entry = { code, message: sentence, ...(pointer !== undefined && { pointer }) };
      return fits(schema, entry) ? entry : undefined;
    }
    if (!listsProblems(name) || facts.problems.length === 0) return isRequired ? {} : undefined;
    const inner = { name: 'message', siblings, depth: depth + 1, isRequired: true };
    const others = schema.additionalProperties;
    const isList = others === undefined || others === true || isArrayOf(describe, others as Schema);
    const byField = Map.groupBy(facts.problems, fieldOf);
    return Object.fromEntries(
      [...byField].map(([field, [first, ...more]]) => {
        const problems = [first as ErrorProblem, ...more];
        if (isList) return [field, problems.map(({ problem }) => problem)];
        return [
          field,
          fill(others as Schema, { ...facts, problem: problems[0] as ErrorProblem }, inner),
        ];
      }),
    );
  };

  return (schema, facts) => {
    const place = { name: 'message', siblings: new Set(['']), depth: 0, isRequired: true };
    parts = 0;
    const value = fill(schema, facts, place);
    const { code, message, status } = facts;
    const own = { code, message, status };
    const options = { seed: 1, describe, own: true };
    const ways = [
      () => value,
      () => own,
      () => mendValue(value ?? own, schema, { ...options, fits }),
      () => generateValue(schema, options),
    ];
    for (const way of ways) {
      const made = tryTo(way);
      if (made !== undefined && fits(schema, made)) return made;
    }
    return undefined;
  };
}

function isArrayOf(describe: (schema: Schema) => { schema: Schema }, node: Schema): boolean {
  return describe(node).schema?.type === 'array';
}
