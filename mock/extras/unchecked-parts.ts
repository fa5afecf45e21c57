import type { IncomingMessage } from 'node:http';
import { once } from '../../common/once-per.ts';
import type { Operation } from '../../openapi/index.ts';
import type { Call } from '../behaviours/behaviour.ts';
import type { Extra } from '../extra.ts';
import { toTolerance } from '../http/tolerance.ts';
import { looseCompilerOf } from '../json/validator.ts';
import { type Preferences, readPreferences } from './forced/preferences.ts';
import { createAdvise } from './unchecked/advise.ts';

/**
 * Admits every caller, answers unknown ids with examples, and stores nothing, as far as settings or the
 * preferences of a request ask for it. A stateless mock holds no value to its bounds.
 */
export const unchecked: Extra = ({ served, settings, host: { log } }) => {
  const tolerance = toTolerance(settings);
  const { isStateless, givesExamples } = tolerance;
  const { document } = served;
  const checksBounds = settings.strictRequests || document.hint.requests === 'strict';
  const isLoose = isStateless && !checksBounds;
  return {
    values: () => (isLoose ? { compileSchema: looseCompilerOf(document) } : {}),
    steps: [
      {
        phase: 'before sending',
        order: 5,
        // Clients of the Pet Store expect its refusals, and nobody gets the key of a real service.
        of: () =>
          served.limits === 'plans' || settings.forwardKey !== undefined
            ? undefined
            : createAdvise({ document, tolerance, log }),
      },
      {
        phase: 'around credentials',
        order: 5,
        // Nobody gets the key of a real service by a preference.
        of: (operation) =>
          settings.forwardKey === undefined
            ? (call, authenticate) => {
                const found = authenticate(call);
                if (!found.refusal) return found;
                const { stateless = false, auth } = preferencesOf(call.request, operation);
                return auth === 'any' || (stateless && auth === undefined) ? {} : found;
              }
            : undefined,
      },
      {
        phase: 'before behaviour',
        order: 5,
        of: (operation) => (call, next) => {
          call.isStateless = preferencesOf(call.request, operation).stateless ?? isStateless;
          return next(call);
        },
      },
      {
        phase: 'around behaviour',
        order: 5,
        of(operation, calls) {
          const step = once(async () => {
            const { createUncheckedStep } = await import('./unchecked/unchecked.ts');
            return createUncheckedStep(operation, calls, served);
          });
          return (call, next) => {
            const own = preferencesOf(call.source as Call['source'] & IncomingMessage, operation);
            const stateless = own.stateless ?? isStateless;
            const byDefault = own.stateless || givesExamples ? 'example' : 'refuse';
            const examples = (own['unknown-ids'] ?? byDefault) === 'example';
            if (!stateless && !examples) return next(call);
            return step().then((one) => one(call, next, { stateless, examples }));
          };
        },
      },
    ],
  };
};

const none: Preferences = {};

/** Returns the preferences of a request, or none if they cannot be read; most requests have none. */
function preferencesOf(request: IncomingMessage, operation: Operation): Preferences {
  const { headers, url = '' } = request;
  if (headers.prefer === undefined && !url.includes('__')) return none;
  const read = readPreferences(request, operation) ?? none;
  return 'problem' in read ? none : read;
}
