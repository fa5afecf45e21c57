import { onTestFinished } from 'vitest';
import { builtInDocument } from '../../common/built-in-document.ts';
import { readRunOptions } from '../../contracts/command/options.ts';
import type { Report } from '../../contracts/report/events.ts';
import type { VerifyOptions, VerifyTarget } from '../../contracts/verify/options.ts';
import { verify as verifyInTime } from '../../contracts/verify/verify.ts';
import { compile } from '../../openapi/index.ts';
import { broken } from '../../tools/lab/broken.ts';
import { type DeploymentOptions, openDeployment } from '../../tools/lab/deployment.ts';
import { fair } from '../../tools/lab/fair.ts';
import { skippingWaits } from './skip-waits.ts';

const verify = skippingWaits(verifyInTime);

/** Keys of the deployments of the lab. */
export const labKeys = {
  free: { plan: 'free', secret: 'k-free-1' },
  otherFree: { plan: 'free', secret: 'k-free-2' },
  pro: { plan: 'pro', secret: 'k-pro-1' },
  business: { plan: 'business', secret: 'k-business' },
};

type Settings = Partial<Pick<VerifyTarget, 'keys' | 'probeLimits' | 'fill'>> &
  Pick<VerifyOptions, 'baseline'> &
  Parameters<typeof readRunOptions>[0];

/**
 * Judges a deployment that ends with the test, with two free keys and one of pro. It tries no
 * limit, by default adds no animals to try a bound and waits for no limit.
 */
export async function verifyDeployment(
  deployment: DeploymentOptions,
  {
    keys = [labKeys.free, labKeys.otherFree, labKeys.pro],
    probeLimits = false,
    fill = false,
    baseline = [],
    ...options
  }: Settings = {},
): Promise<{ report: Report; calls: number }> {
  const { url, close, calls } = await openDeployment(deployment);
  onTestFinished(close);
  const report = await verify({
    document: await compile(builtInDocument),
    targets: [{ name: 'target', url, keys, writes: true, probeLimits, fill }],
    baseline,
    ...readRunOptions({ wait: 0, ...options }),
    onEvent: () => {},
  });
  return { report, calls: calls() };
}

/** The deployment of a row of the lab. */
export function rowOf(id: string): DeploymentOptions {
  const row = [...broken, ...fair].find((one) => one.id === id);
  if (!row) throw new Error(`The lab has no row ${id}.`);
  const { settings, mutate } = row;
  return { ...(settings && { settings }), ...(mutate && { mutate }) };
}

export { resultOf } from './verify-writes.ts';
