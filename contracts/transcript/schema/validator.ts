import { format, type OutputUnit, Validator } from '@cfworker/json-schema';
import {
  type ApiDocument,
  DocumentError,
  type Operation,
  type Schema,
  standalone,
} from '../../description/document.ts';
import { findIn } from '../../description/stated.ts';
import { withDoubles } from '../../json.ts';
import type { Place } from '../place.ts';
import { sampleOf } from '../sample.ts';
import { nodesAt } from './node.ts';
import { noJson, type SchemaProblem, toProblems, toRangeProblem } from './problems.ts';

/**
 * Finds what is wrong with a value, once for each object; none where it fits. Large integers may be
 * bigints. Only the first items of a long list are checked.
 */
export type FindProblems = (value: unknown) => SchemaProblem[];

/** A validator for each response schema of the document, by operation and status. */
export type ResponseValidators = {
  find(operation: Operation, status: number): FindProblems | undefined;
};

// The library's pattern takes exponential time, and the text comes from the target.
format.url = (text) => URL.canParse(text);

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Compiles all response schemas. Throws a DocumentError for one that cannot be compiled. */
export function compileResponses(document: ApiDocument): ResponseValidators {
  const validators = new Map<string, FindProblems>();
  for (const { id, responses } of document.operations) {
    for (const { status, schema } of responses) {
      if (!schema) continue;
      try {
        validators.set(`${id} ${status}`, compile(document, schema));
      } catch (error) {
        throw new DocumentError(
          `The schema of the ${status} of ${id} cannot be compiled: ${(error as Error).message}`,
        );
      }
    }
  }
  return {
    find: ({ id, responses }, status) =>
      validators.get(`${id} ${findIn(responses, status)?.status}`),
  };
}

/**
 * Compiles the schemas of all request bodies, by the operation's id. Throws a DocumentError for one
 * that cannot be compiled.
 */
export function compileBodies(document: ApiDocument): ReadonlyMap<string, FindProblems> {
  const bodies = document.operations.flatMap(({ id, body }): [string, FindProblems][] => {
    if (!body) return [];
    try {
      return [[id, compile(document, body.schema)]];
    } catch (error) {
      throw new DocumentError(
        `The schema of the body of ${id} cannot be compiled: ${(error as Error).message}`,
      );
    }
  });
  return new Map(bodies);
}

function compile(document: ApiDocument, schema: Schema): FindProblems {
  const validator = new Validator(standalone(document, schema) as object, '2020-12', false);
  // An unknown type or a dead $ref shows only when a value is validated.
  validator.validate({});
  const found = new WeakMap<object, SchemaProblem[]>();
  const find = (value: unknown, body: unknown): SchemaProblem[] => {
    const plain = withDoubles(value);
    const { errors } = validator.validate(plain as never);
    const reported = value === body ? errors : errors.filter((error) => !isOfLength(error));
    const outside = largeIntegers(value).flatMap((place) => {
      const node = nodesAt(document, schema, place).find((one) => one.schema.format === 'int64');
      return node ? [toRangeProblem(place, node, value)] : [];
    });
    return [...toProblems(reported, { document, schema, value: body, plain }), ...outside];
  };
  return (body) => {
    if (body === undefined) return [noJson];
    const value = sampleOf(body);
    if (typeof value !== 'object' || value === null) return find(value, body);
    const problems = found.get(value) ?? find(value, body);
    found.set(value, problems);
    return problems;
  };
}

/**
 * Whether an error says that a list lacks items, which may be among those that were not checked.
 */
function isOfLength({ keyword, instanceLocation }: OutputUnit): boolean {
  return instanceLocation === '#' && ['minItems', 'contains', 'minContains'].includes(keyword);
}

/** The places of integers that no int64 can be. */
function largeIntegers(value: unknown, place: Place = []): Place[] {
  if (typeof value === 'bigint') return value < int64.min || value > int64.max ? [place] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => largeIntegers(inner, [...place, key]));
}
