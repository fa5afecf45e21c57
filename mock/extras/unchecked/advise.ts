import { toExcerpt } from '../../../common/look/visible.ts';
import type { Api } from '../../../openapi/index.ts';
import type { Step } from '../../call/steps.ts';
import { createIsDescribedPath } from '../../http/express-path.ts';
import type { Tolerance } from '../../http/tolerance.ts';
import type { Reason } from '../../journal/reason.ts';
import type { Log } from '../../log.ts';

/** A refusal that an option prevents: what was refused, and the option. */
type Advice = { because: string; option: string };

type AdviseOptions = { document: Api; tolerance: Tolerance; log: Pick<Log, 'info'> };

/**
 * Creates the step that names the option which would have prevented a refusal, for callers who
 * expect a mock without state: in the journal each time, and in the log the first time.
 */
export function createAdvise(options: AdviseOptions): Step<'before sending'> {
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
