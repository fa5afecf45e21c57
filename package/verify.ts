import { builtInDocument } from '../common/built-in-document.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { parseMockUrl, toBaseUrl } from '../contracts/base-url.ts';
import { type GivenRunOptions, readRunOptions, runOptions } from '../contracts/command/options.ts';
import { runSuite } from '../contracts/command/run-suite.ts';
import { needsKey } from '../contracts/command/verify-target.ts';
import { readToJudge } from '../contracts/document/read-document.ts';
import { type BaselineEntry, parseBaseline, readBaseline } from '../contracts/judging/baseline.ts';
import { createResponseJudge, type JudgeResponse } from '../contracts/judging/judge-response.ts';
import type { Report, RunEvent } from '../contracts/report/events.ts';
import { type Format, formatReport as format, formats } from '../contracts/report/files.ts';
import type { VerifyTarget } from '../contracts/verify/options.ts';
import type { Api } from '../openapi/index.ts';

import { nameSettings } from './name-settings.ts';

export type { BaselineEntry } from '../contracts/judging/baseline.ts';
export type { JudgeResponse, JudgeResponseOptions } from '../contracts/judging/judge-response.ts';
export type * from '../contracts/report/events.ts';
export type { FetchResponse, SentDetails } from '../contracts/transcript/observed-exchange.ts';

/** An API key, with its plan if known. */
export type ApiKey = string | { key: string; plan?: string };

/**
 * Options of a verification: those of the command `verify`, in camel case (`max-requests`:
 * `maxRequests`).
 */
export interface VerifySettings extends GivenRunOptions {
  /**
   * The deployment to verify: its base URL, including `/v1`, and keys that nobody else uses during
   * the run. Beyond loopback, nothing is created and no limit exhausted, unless `allowWrites` and
   * `probeLimits` are set; with a `spec` of your own, nothing is created without `allowWrites`.
   * `headers` are sent with every call.
   */
  target?: {
    url: string;
    keys: readonly ApiKey[];
    headers?: Readonly<Record<string, string>>;
  };
  /**
   * The twin to compare with: `true` (the default without a target) starts one, an address uses a
   * running one.
   */
  twin?: boolean | { url: string; keys?: readonly ApiKey[] };
  /** Known findings, or the JSON file that lists them. */
  baseline?: string | readonly BaselineEntry[];
  /** Called for each event of the run. */
  onEvent?: (event: RunEvent) => void;
  /**
   * Interrupts the run when it aborts: requests under way are cut off, and the report has what was
   * found until then. Its verdict is `incomplete` if that is no drift. Rejects with the reason if
   * the run has not begun.
   */
  signal?: AbortSignal;
}

/**
 * Runs the contract suite against a deployment, the twin, or both, and resolves to its report;
 * `verdict` is the result. Rejects with an Error if it cannot run, which says what to change.
 */
export async function verify(settings: VerifySettings = {}): Promise<Report> {
  try {
    return await run(settings);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = nameSettings(error.message, settingNames, { key: 'keys', 'mock-url': 'twin' });
    throw message === error.message ? error : new UsageError(message, { cause: error });
  }
}

const ownNames = ['target', 'keys', 'twin', 'baseline', 'onEvent', 'signal'];
const settingNames = [...ownNames, ...Object.keys(runOptions)];

/** Throws UsageError for what is no signal, and the reason of one that is aborted. */
function ensureSignal(signal: unknown): void {
  if (signal === undefined) return;
  if (typeof (signal as AbortSignal | null)?.throwIfAborted !== 'function')
    throw new UsageError('signal must be an AbortSignal.');
  (signal as AbortSignal).throwIfAborted();
}

async function run(settings: VerifySettings): Promise<Report> {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new UsageError('The settings of verify must be an object, such as { strict: true }.');
  const {
    target,
    twin = target === undefined,
    baseline = [],
    onEvent,
    signal,
    ...given
  } = settings;
  if (!target && !twin)
    throw new UsageError('There is nothing to verify. Give a target, or do not turn off the mock.');
  ensureSignal(signal);
  const options = readRunOptions(given, ['target', 'twin', 'baseline', 'onEvent', 'signal']);
  const document = await readToJudge(options);
  const url = target && toBaseUrl(target.url, document, process.env);
  const known =
    typeof baseline === 'string'
      ? await readBaseline(baseline)
      : parseBaseline(baseline, 'baseline');
  const own = target?.headers ? { headers: target.headers } : {};
  const deployment =
    url === undefined ? undefined : { url, keys: toKeys(target?.keys, document), ...own };
  const mock =
    typeof twin === 'object'
      ? {
          url: parseMockUrl(twin.url, document),
          keys: twin.keys && toKeys(twin.keys, document),
        }
      : {};
  return runSuite(options, {
    document,
    deployment,
    mock: twin ? mock : undefined,
    baseline: known,
    ...(signal && { signal, cutsOff: true }),
    onEvent: onEvent ?? (() => {}),
  });
}

/**
 * The report as the text of a file. `strict` says which findings fail, as it did for the run. Throws
 * an Error where there is no such form.
 */
export function formatReport(
  report: Report,
  form: Format,
  { strict = false }: { strict?: boolean } = {},
): string {
  if (!Object.hasOwn(formats, form))
    throw new UsageError(
      `There is no form of report "${form}". Forms are ${Object.keys(formats).join(', ')}.`,
    );
  return format(report, form, { strict });
}

/**
 * Loads a document, by default the Pet Store Service's own, to check single responses against it.
 * Rejects with an Error if the document cannot be used.
 */
export async function openResponseJudge({
  spec = builtInDocument,
  allowRefs,
}: {
  spec?: string;
  allowRefs?: string;
} = {}): Promise<JudgeResponse> {
  return createResponseJudge(await readToJudge({ spec, allowRefs }));
}

function toKeys(keys: readonly ApiKey[] = [], document: Api): VerifyTarget['keys'] {
  const { plans } = document;
  if (keys.length === 0 && needsKey(document))
    throw new UsageError(
      'A target needs a key. Give it as text, or with its plan as { key, plan }.',
    );
  return keys.map((given) => {
    const { key, plan } = typeof given === 'string' ? { key: given, plan: undefined } : given;
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new UsageError('A key must be printable ASCII without spaces.');
    if (plan === undefined) return { secret: key };
    if (!Object.hasOwn(plans, plan))
      throw new UsageError(
        `"${plan}" is not a plan. Plans are ${Object.keys(plans).join(', ')}; leave out a plan that you do not know.`,
      );
    return { secret: key, plan };
  });
}
