import { stringifyExact } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import type { Api, MakeOptions, Mark, Schema } from '../../openapi/index.ts';
import { generateValue, mendValue } from '../../openapi/values/generate.ts';
import { withinTries } from '../../openapi/values/make-options.ts';
import { parseExact } from './exact-json.ts';
import { compilerOf, fits, type Problem, toSentences } from './validator.ts';

/** JSON text that was made for a schema, and what of it does not fit, if anything. */
export type MadeJson = { text: string; problems?: readonly Problem[] };

/**
 * Makes JSON for a schema: the first example that fits, else a generated value, else the first
 * example with its invalid parts regenerated. The same seed gives the same JSON. If nothing fits,
 * returns the last attempt with its problems. Undefined if nothing can be made.
 */
export type MakeFitting = (
  schema: Schema,
  options: { seed: number; examples?: readonly unknown[]; own?: boolean; full?: boolean },
) => MadeJson | undefined;

/** Bounds the seeds that are tried if a schema has rules beyond the generator. */
const maxSeeds = 8;

/** Makes the JSON of answers, by the schemas of a document. */
export const makerOf = oncePer((document: Api) => createMakeFitting(document, 'writeOnly'));

/** Creates a JSON generator for schemas. Properties with the mark are not required. */
export function createMakeFitting(document: Api, mark: Mark): MakeFitting {
  const toExact = (value: unknown): unknown => document.exact.of?.(value ?? null) ?? value;
  const means: Means = {
    describe: document.schemas[mark === 'writeOnly' ? 'describeShown' : 'describeSent'],
    fits: (schema, value) => fits(document, schema, toExact(value), mark),
  };
  return (schema, { seed, examples = [], own = true, full = true }) => {
    let last: MadeJson | undefined;
    const within = { ...means, fits: withinTries(means.fits) };
    for (const make of waysToMake(schema, { seed, examples, own, full }, within)) {
      let value: unknown;
      try {
        value = make();
      } catch {
        // Not every pattern can be met.
        continue;
      }
      const text = stringifyExact(toExact(value) ?? null);
      const problems = compilerOf(document)(schema, mark)(parseExact(text));
      if (!problems) return { text };
      last = { text, problems };
    }
    return last;
  };
}

type GenerateRequest = { seed: number; examples: readonly unknown[]; own: boolean; full: boolean };
type Means = Required<Pick<MakeOptions, 'describe' | 'fits'>>;

/** The ways to make a value, the best first. */
function* waysToMake(
  schema: Schema,
  { seed, examples, own, full }: GenerateRequest,
  { describe, fits }: Means,
): Generator<() => unknown> {
  for (const example of examples) yield () => example;
  const [first] = examples;
  if (first !== undefined) yield () => mendValue(first, schema, { seed, describe, fits, own });
  yield () => generateValue(schema, { seed, describe, own, full });
  yield () => generateValue(schema, { seed, describe, own, full, fits });
  for (let other = 0; other < maxSeeds; other++)
    yield () => generateValue(schema, { seed: seed + other, describe, fits, full: false });
}

/** Returns the problems of generated JSON as sentences. */
export function describeMisfit({ problems = [] }: MadeJson): string {
  return toSentences(problems);
}
