import type { Call, RequestSource } from '../behaviours/behaviour.ts';
import type { Extra } from '../extra.ts';
import { once } from '../json/once-per.ts';
import { parsePrefer } from './forced/preferences.ts';

/**
 * Admits every caller, answers unknown ids with examples, and stores nothing, as far as settings or the
 * preferences of a request ask for it.
 */
export const unchecked: Extra = ({ served, settings }) => {
  const { stateless, unknownIds } = settings;
  const isStateless = ({ source }: Call) => stateless || prefers(source, 'stateless', 'true');
  const isUnchecked = (call: Call) =>
    unknownIds === 'example' || prefers(call.source, 'unknown-ids', 'example') || isStateless(call);
  const admitsAnyone = (request: RequestSource) =>
    prefers(request, 'auth', 'any') || prefers(request, 'stateless', 'true');
  return {
    steps: [
      {
        phase: 'around credentials',
        order: 5,
        of: () => (call, authenticate) => {
          const found = authenticate(call);
          return found.refusal && admitsAnyone(call.request) ? {} : found;
        },
      },
      {
        phase: 'around behaviour',
        order: 5,
        of(operation, calls) {
          const step = once(async () => {
            const { createUncheckedStep } = await import('./unchecked/unchecked.ts');
            return createUncheckedStep(operation, calls, { served, isStateless });
          });
          return (call, next) =>
            isUnchecked(call) ? step().then((one) => one(call, next)) : next(call);
        },
      },
    ],
  };
};

/** Whether a request has a preference (RFC 7240 §2) with a value, or with none. */
function prefers({ headers }: Pick<RequestSource, 'headers'>, name: string, value: string) {
  const { prefer } = headers;
  if (typeof prefer !== 'string') return false;
  const text = parsePrefer(prefer).get(name);
  return text === value || (text === '' && value === 'true');
}
