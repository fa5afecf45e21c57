import type { ApiDocument } from '../../contracts/description/document.ts';
import type { ExtraParts } from '../extra.ts';
import { createEarlyStep } from './pins/early-mistakes.ts';
import { toInputRules } from './pins/input-rules.ts';
import { createPinnedBehaviours } from './pins/pinned-items.ts';
import { createPinnedCors, createPinnedDeprecation, createPinnedSend } from './pins/pinned-send.ts';
import type { Pins } from './pins/pins.ts';

/** What pins change of the calls of a document. */
export function toPinnedParts(pins: Pins, document: ApiDocument): ExtraParts {
  return {
    behaviourInstead: createPinnedBehaviours(pins, document),
    wrapSend: (send) => createPinnedSend(send, pins),
    stepsInsteadOf: (operation, calls) => ({
      'before admission': createEarlyStep(operation, pins, calls),
    }),
    changeCalls: (calls) => ({
      ...calls,
      cors: pins.cors ? createPinnedCors(calls.cors, pins.cors) : calls.cors,
      countsElsewhere: pins.freeElsewhere !== true,
      inputRules: (operation) => toInputRules(operation, document, pins),
      deprecationOf(operation) {
        const made = calls.deprecationOf(operation);
        return made && createPinnedDeprecation(made, pins);
      },
    }),
  };
}
