import type { Report } from '../report/events.ts';
import { ensureKey, narrowSecurity, toGivenKeys } from './given-keys.ts';
import { type GivenRunOptions, type Options, readRunOptions } from './options.ts';
import { runSuite, type SuiteRun } from './run-suite.ts';

/** A deployment that is asked what it does; `who` begins the message for a missing key. */
export type AskedDeployment = Omit<SuiteRun, 'deployment' | 'mock' | 'isOpen'> & {
  url: string;
  keys: Options['key'];
  who?: string;
};

/**
 * Calls a deployment as `verify` does, without a mock beside it. Throws a {@link UsageError} where it
 * cannot be called.
 */
export function askDeployment(
  given: GivenRunOptions,
  { url, keys, who, ...run }: AskedDeployment,
): Promise<Report> {
  const { document } = run;
  narrowSecurity(document, { isOpen: false, keys });
  ensureKey(keys, document, who);
  const deployment = { url, keys: toGivenKeys(keys, document) };
  return runSuite(readRunOptions(given), { ...run, deployment });
}
