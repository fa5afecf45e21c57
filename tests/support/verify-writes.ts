import { verify as verifyInTime } from '../../package/verify.ts';
import { skippingWaits } from './skip-waits.ts';

const verifyAtOnce = skippingWaits(verifyInTime);

/** Verifies from code, and waits for nothing, unless a twin runs beside in a process of its own. */
export const verify: typeof verifyInTime = (settings) =>
  settings?.twin === false ? verifyAtOnce(settings) : verifyInTime(settings);

/** Verifies a deployment alone, and lets the run create there. */
export function verifyWrites(
  url: string,
  spec: string,
  options: Parameters<typeof verify>[0] = {},
) {
  return verify({ allowWrites: true, twin: false, target: { url, keys: [] }, spec, ...options });
}
