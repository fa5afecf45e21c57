import type { FlatSchema, Schema } from '../../contracts/description/document.ts';
import { generateValue } from '../../fixtures/generate.ts';
import { ownValue } from '../../fixtures/make.ts';
import { oncePer } from '../json/once-per.ts';
import { type ErrorFacts, isFact } from './error-facts.ts';

/** The value of a member of an error that has to be there; undefined where none fits. */
export type FillUnknown = (schema: Schema, member: { name: string; facts: ErrorFacts }) => unknown;

type FillUnknownOptions = {
  describe: (schema: Schema) => FlatSchema & { schema: Schema };
  fits: (schema: Schema, value: unknown) => boolean;
  /** Whether enough parts were looked at, asked before each. */
  isSpent: () => boolean;
};

/** A schema may hold itself. */
const maxDepth = 6;

/**
 * Makes values for what nothing is known of: the schema's own example where the name tells that it
 * would say nothing false of the error, else nothing, an empty value or the error's message. Only a
 * text whose format or pattern allows none of these is made up.
 */
export function createFillUnknown({ describe, fits, isSpent }: FillUnknownOptions): FillUnknown {
  const generated = oncePer((node: Schema) =>
    generateValue(node, { seed: 1, describe, own: true }),
  );
  const fillMembers = (
    { properties, required }: FlatSchema,
    facts: ErrorFacts,
    depth: number,
  ): unknown =>
    Object.fromEntries(
      required.flatMap((name) => {
        const schema = properties[name];
        const value = schema === undefined ? '' : fill(schema, { name, facts }, depth + 1);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );

  const fill = (
    node: Schema,
    { name, facts }: { name: string; facts: ErrorFacts },
    depth = 0,
  ): unknown => {
    if (depth > maxDepth || isSpent()) return undefined;
    const { schema, ...members } = describe(node);
    const { message, now } = facts;
    const time = new Date(now).toISOString();
    const alternatives = (schema.oneOf ?? schema.anyOf ?? []) as readonly Schema[];
    const ways: (() => unknown)[] = [
      () => (isFact(name) ? undefined : ownValue(schema)),
      () => schema.const,
      ...([schema.type].flat().includes('null') ? [() => null] : []),
      ...['', 0, false].map((value) => () => value),
      () => fillMembers(members, facts, depth),
      () => [],
      () => [fill((schema.items ?? {}) as Schema, { name, facts }, depth + 1)],
      ...alternatives.map((one) => () => fill(one, { name, facts }, depth + 1)),
      ...[message, time, time.slice(0, 10), 'about:blank'].map((value) => () => value),
      () => generated(node),
    ];
    for (const way of ways) {
      try {
        const value = way();
        if (value !== undefined && fits(node, value)) return value;
      } catch {
        // Not every pattern can be met.
      }
    }
    return undefined;
  };
  return fill;
}
