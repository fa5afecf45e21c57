import { verify } from '../../package/verify.ts';

/** Verifies a deployment alone, and lets the run create there. */
export function verifyWrites(
  url: string,
  spec: string,
  options: Parameters<typeof verify>[0] = {},
) {
  return verify({ allowWrites: true, twin: false, target: { url, keys: [] }, spec, ...options });
}
