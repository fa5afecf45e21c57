import { Validator } from '@cfworker/json-schema';
import { type ApiDocument, DocumentError, type Operation, resolveSchema, type Schema, standalone } from '../document.ts';
import { findIn } from '../stated.ts';
import { withDoubles } from './json.ts';

/** What is wrong with a value: where (a JSON pointer, `` for the whole) and how. */
export type SchemaProblem = { pointer: string; problem: string };

/** Finds what is wrong with a value; none where it fits. Large integers may be bigints. */
export type FindProblems = (value: unknown) => SchemaProblem[];

/** A validator for each response schema of the document, by operation and status. */
export type ResponseValidators = { find(operation: Operation, status: number): FindProblems | undefined };

const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** Compiles all response schemas. Throws a DocumentError for one that cannot be compiled. */
export function compileResponses(document: ApiDocument): ResponseValidators {
  const validators = new Map<string, FindProblems>();
  for (const { id, responses } of document.operations) {
    for (const { status, schema } of responses) {
      if (!schema) continue;
      try {
        validators.set(`${id} ${status}`, compile(document, schema));
      } catch (error) {
        throw new DocumentError(`The schema of the ${status} of ${id} cannot be compiled: ${(error as Error).message}`);
      }
    }
  }
  return { find: ({ id, responses }, status) => validators.get(`${id} ${findIn(responses, status)?.status}`) };
}

function compile(document: ApiDocument, schema: Schema): FindProblems {
  const validator = new Validator(standalone(document, schema) as object, '2020-12', false);
  // An unknown type or a dead $ref shows only when a value is validated.
  validator.validate({});
  const isInteger = integersOf(document, schema);
  return (value) => {
    if (value === undefined) return [{ pointer: '', problem: 'The body is empty or no JSON.' }];
    const outside = largeIntegers(value).filter(({ integer }) => isInteger && (integer < int64.least || integer > int64.most));
    const { errors } = validator.validate(withDoubles(value) as never);
    const leaves = errors.filter(
      ({ keyword }) => !['properties', 'items', 'allOf', '$ref', 'prefixItems', 'additionalProperties'].includes(keyword),
    );
    return [
      ...leaves.map(({ instanceLocation, error }) => ({ pointer: instanceLocation.replace(/^#/, ''), problem: error })),
      ...outside.map(({ pointer }) => ({ pointer, problem: 'The integer is outside int64.' })),
    ];
  };
}

/** Whether the schema speaks of int64 anywhere that it leads to. */
function integersOf(document: ApiDocument, schema: Schema, depth = 0): boolean {
  const resolved = resolveSchema(document, schema);
  if (resolved.format === 'int64') return true;
  const inner = [
    ...Object.values((resolved.properties ?? {}) as object),
    resolved.items,
    ...((resolved.allOf ?? []) as unknown[]),
  ];
  return (
    depth < 10 && inner.some((one) => typeof one === 'object' && one !== null && integersOf(document, one as Schema, depth + 1))
  );
}

function largeIntegers(value: unknown, pointer = ''): { pointer: string; integer: bigint }[] {
  if (typeof value === 'bigint') return [{ pointer, integer: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => largeIntegers(inner, `${pointer}/${key}`));
}
