import { DocumentError } from '../cli/usage-error.ts';
import type { JsonObject } from '../json.ts';
import { type Pin, toPin } from './pinned.ts';

/** A plan's figures, or `custom` where a contract sets them. */
export type PlanFigures = { perMinute: number; perDay: number } | 'custom';

/** Something that the interface leaves open: the question, what the twin does, and why. */
export type Silence = {
  id: string;
  source: string;
  question: string;
  twin: string;
  assumed: string;
  /** The answer of a deployment, where the document was pinned to one. */
  pin?: Pin;
};

/** Reads `x-rate-limits.plans`. Throws {@link DocumentError}. */
export function toPlans(plans: JsonObject): Record<string, PlanFigures> {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
  for (const [name, figures] of Object.entries(plans))
    if (figures !== 'custom' && !(isCount(figures?.perMinute) && isCount(figures?.perDay)))
      throw new DocumentError(
        `x-rate-limits.plans.${name} must be "custom", or have perMinute and perDay as numbers above 0`,
      );
  return plans;
}

/** Reads `x-silences`. Throws {@link DocumentError}. */
export function toSilences(nodes: unknown): Silence[] {
  if (!Array.isArray(nodes)) throw new DocumentError('x-silences must be a list');
  return nodes.map(({ 'x-assumed': assumed, 'x-pin': pin, ...silence }) => ({
    ...silence,
    assumed,
    ...(pin !== undefined && { pin: toPin(pin, silence.id) }),
  }));
}
