import type { IncomingMessage } from 'node:http';
import { toExcerpt } from '../../common/look/visible.ts';
import { once } from '../../common/once-per.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import type { Call } from '../behaviours/behaviour.ts';
import type { Step } from '../call/steps.ts';
import type { Extra } from '../extra.ts';
import { createIsDescribedPath } from '../http/express-path.ts';
import { type Tolerance, toTolerance } from '../http/tolerance.ts';
import type { Reason } from '../journal/reason.ts';
import { looseCompilerOf } from '../json/validator.ts';
import type { Log } from '../log.ts';
import { type Preferences, readPreferences } from './forced/preferences.ts';

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
        onPreference: true,
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
        onPreference: !isStateless,
        of: (operation) => (call, next) => {
          call.isStateless = preferencesOf(call.request, operation).stateless ?? isStateless;
          return next(call);
        },
      },
      {
        phase: 'around behaviour',
        order: 5,
        onPreference: !isStateless && !givesExamples,
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

/** Returns the preferences of a request; none if they cannot be read. */
function preferencesOf(request: IncomingMessage, operation: Operation): Preferences {
  const read = readPreferences(request, operation) ?? {};
  return 'problem' in read ? {} : read;
}

/** A refusal that an option prevents: what was refused, and the option. */
type Advice = { because: string; option: string };

type AdviseOptions = { document: Api; tolerance: Tolerance; log: Pick<Log, 'info'> };

/**
 * Creates the step that names the option which would have prevented a refusal, for callers who
 * expect a mock without state: in the journal each time, and in the log the first time.
 */
function createAdvise(options: AdviseOptions): Step<'before sending'> {
  const find = createFindAdvice(options);
  const told = new Set<string>();
  return (sending, send) => {
    const { response, answer, reason } = sending;
    const own = 'error' in answer ? answer.error?.code : undefined;
    // An answer in the form of the document has a code of its own, or none.
    const code = reason.error ?? own;
    const advice = code === undefined ? undefined : find(code, reason, response.req.path);
    if (!advice) return send(sending);
    const { because, option } = advice;
    const sentence = `Start with ${option}, or with --stateless for tests of a mock without state.`;
    if (!told.has(option)) {
      told.add(option);
      const call = `${response.req.method} ${toExcerpt(response.req.path, 100)}`;
      options.log.info(`${call} is answered ${answer.status}, as ${because}. ${sentence}`);
    }
    send({ ...sending, reason: { ...reason, advice: sentence } });
  };
}

function createFindAdvice({ document, tolerance }: AdviseOptions) {
  const { basePath } = document;
  const isDescribed = createIsDescribedPath(document);
  return (code: string, reason: Reason, path: string): Advice | undefined => {
    if (reason.step === 'credentials' && code.endsWith('_api_key') && !tolerance.admitsAnyone)
      return { because: 'it has no known key', option: '--auth any' };
    const isUnknownId = code === 'not_found' && reason.step === 'behaviour';
    if (isUnknownId && !tolerance.givesExamples)
      return { because: 'there is no such item', option: '--unknown-ids example' };
    if (code === 'unknown_path' && !tolerance.isBaseOptional && isDescribed(basePath + path))
      return { because: `the API is under ${basePath}`, option: '--base-path optional' };
    return undefined;
  };
}
