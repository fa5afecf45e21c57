import { DocumentError } from '../../common/cli/usage-error.ts';
import { stringifyExact } from '../../common/json-text.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Api } from '../../openapi/index.ts';
import { createDeprecation } from '../call/deprecation.ts';
import type { ExtraParts } from '../extra.ts';
import { createCors } from '../http/cors.ts';
import { pinRows } from './pins/answers.ts';
import { toInputRules } from './pins/input-rules.ts';
import { PinError } from './pins/parse-answer.ts';
import { createPinnedStep } from './pins/pinned-items.ts';
import { createPinnedDeprecation, createPinnedSend } from './pins/pinned-send.ts';
import type { Pins } from './pins/pins.ts';

/** Returns the parts by which pins change the calls of a document. */
export function toPinnedParts(pins: Pins, document: Api): ExtraParts {
  return {
    steps: [
      { phase: 'around kind', order: 20, of: createPinnedStep(pins, document) },
      { phase: 'before sending', order: 10, of: () => createPinnedSend(pins) },
    ],
    values: () => ({
      ...(pins.cors === 'none' && { cors: createCors(false) }),
      inputRules: (operation) => toInputRules(operation, document, pins),
      deprecationOf(operation) {
        const made = createDeprecation(operation, document);
        return made && createPinnedDeprecation(made, pins);
      },
    }),
  };
}

/**
 * How the twin behaves by the pins of a document; undefined where it has none. Throws a
 * DocumentError for a silence that cannot be pinned, and for an answer that it cannot have.
 */
export function readPins({ silences }: Pick<Api, 'silences'>): Pins | undefined {
  const pinned = silences.filter(({ pin }) => pin !== undefined);
  if (pinned.length === 0) return undefined;
  const pins: Pins = { errors: {} };
  for (const { id, pin } of pinned) {
    const row = Object.hasOwn(pinRows, id) ? pinRows[id] : undefined;
    if (row === undefined || typeof row === 'string')
      throw new DocumentError(
        `The pin of ${id} cannot be used: ${row ?? 'the mock has no setting for this silence'}.`,
      );
    try {
      const { errors, ...change } = row.parse(pin?.answer);
      Object.assign(pins, change);
      Object.assign(pins.errors, errors);
    } catch (error) {
      if (!(error instanceof PinError)) throw error;
      throw new DocumentError(
        `The pin of ${id} cannot be used: ${toExcerpt(stringifyExact(pin?.answer) ?? 'nothing', 80)} is not one of its values: ${row.answers}.`,
      );
    }
  }
  return pins;
}
