import type { ApiDocument, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { generateValue } from '../../fixtures/generate.ts';
import type { ErrorProblem } from '../answers/answer.ts';
import type { CompileSchema } from '../json/validator.ts';
import {
  chooseValue,
  type ErrorFacts,
  fieldOf,
  flagFor,
  listsErrors,
  listsProblems,
  numberFor,
  partsOf,
  plainName,
  textFor,
} from './error-facts.ts';

/** Puts what is known of an error into the form of a schema; undefined where that cannot be. */
export type FillError = (schema: Schema, facts: ErrorFacts) => unknown;

/** A schema may hold itself. */
const maxDepth = 6;

type Place = { name: string; siblings: ReadonlySet<string>; depth: number; isRequired: boolean };

/**
 * Makes what fills errors by the names and types of the members of their schemas. What is required
 * and has no such name is made up; what is not required is left out then.
 */
export function createFillError(document: ApiDocument, compile: CompileSchema): FillError {
  const describe = (schema: Schema) => describeShown(document, schema);
  const makeUp = (schema: Schema): unknown => {
    try {
      return generateValue(schema, { seed: 1, describe, own: true });
    } catch {
      // Not every pattern can be met.
      return undefined;
    }
  };
  const fits = (schema: Schema, value: unknown) => !compile(schema, 'writeOnly')(value);

  const fill = (node: Schema, facts: ErrorFacts, place: Place): unknown => {
    if (typeof node !== 'object' || node === null || place.depth > maxDepth) return undefined;
    const { schema, properties, required } = describe(node);
    if (typeof schema !== 'object') return undefined;
    if ('const' in schema) return schema.const;
    if (Object.keys(properties).length > 0)
      return fillMembers(properties, new Set(required), facts, place);
    const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
    if (alternatives) return fillOne(alternatives, facts, place);
    const [part] = (schema.allOf ?? []) as Schema[];
    if (part && schema.type === undefined) return fill(part, facts, place);
    if (Array.isArray(schema.enum)) return chooseValue(schema.enum, facts);
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
    { depth }: Place,
  ): unknown => {
    const siblings = new Set(Object.keys(properties).map(plainName));
    const entries = Object.entries(properties).flatMap(([name, schema]) => {
      const isRequired = required.has(name);
      const value = fill(schema, facts, { name, siblings, depth: depth + 1, isRequired });
      if (value !== undefined && fits(schema, value)) return [[name, value] as const];
      if (!isRequired) return [];
      const made = makeUp(schema);
      return made === undefined ? [] : [[name, made] as const];
    });
    return entries.length === 0 && depth > 0 ? undefined : Object.fromEntries(entries);
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
    const isOfProblems = depth === 0 || listsProblems(name);
    if (!isOfProblems) return isRequired && fits(schema, []) ? [] : undefined;
    const problems: (ErrorProblem | undefined)[] = [...facts.problems];
    if (problems.length === 0 && (depth === 0 || listsErrors(name))) problems.push(undefined);
    const inner = { name: 'message', siblings, depth: depth + 1, isRequired: true };
    const values = problems.map((problem) => {
      const value = fill(items, problem ? { ...facts, problem } : facts, inner);
      return value ?? makeUp(items);
    });
    return values.length === 0 && !isRequired ? undefined : values;
  };

  /** Members of any names: those of what is wrong. */
  const fillOpen = (schema: Schema, facts: ErrorFacts, place: Place): unknown => {
    const { name, siblings, depth, isRequired } = place;
    if (depth === 0) {
      const { code, message, status } = facts;
      return { code, message, status };
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
    const value = fill(schema, facts, place);
    const { code, message, status } = facts;
    return [value, { code, message, status }, makeUp(schema)].find(
      (one) => one !== undefined && fits(schema, one),
    );
  };
}

function isArrayOf(describe: (schema: Schema) => { schema: Schema }, node: Schema): boolean {
  return describe(node).schema?.type === 'array';
}
