import { type ApiDocument, DocumentError } from '../../../contracts/description/document.ts';
import { pinRows } from './answers.ts';
import { PinError } from './parse-answer.ts';
import type { Pins } from './pins.ts';

/**
 * How the twin behaves by the pins of a document; undefined where it has none. Throws a
 * DocumentError for a silence that cannot be pinned, and for an answer that it cannot have.
 */
export function readPins({ silences }: Pick<ApiDocument, 'silences'>): Pins | undefined {
  const pinned = silences.filter(({ pin }) => pin !== undefined);
  if (pinned.length === 0) return undefined;
  const pins: Pins = { errors: {} };
  for (const { id, pin } of pinned) {
    const row = Object.hasOwn(pinRows, id) ? pinRows[id] : undefined;
    if (row === undefined || typeof row === 'string')
      throw new DocumentError(
        `The pin of ${id} cannot be used: ${row ?? 'the twin has no setting for this silence'}.`,
      );
    try {
      const { errors, ...change } = row.parse(pin?.answer);
      Object.assign(pins, change);
      Object.assign(pins.errors, errors);
    } catch (error) {
      if (!(error instanceof PinError)) throw error;
      throw new DocumentError(
        `The pin of ${id} cannot be used: its answer ${error.message}. It can be ${row.answers}.`,
      );
    }
  }
  return pins;
}
