import type { Report } from '../../contracts/report/events.ts';
import { verify as verifyInTime } from '../../package/verify.ts';
import { skippingWaits } from './skip-waits.ts';
import { writeJson } from './write-json.ts';

const verifyAtOnce = skippingWaits(verifyInTime);

/** Verifies from code, and waits for nothing, unless a twin runs beside in a process of its own. */
export const verify: typeof verifyInTime = (settings) =>
  settings?.twin === false ? verifyAtOnce(settings) : verifyInTime(settings);

/** Verifies a deployment of a document or its file alone, and lets the run create there. */
export async function verifyWrites(
  url: string,
  document: string | object,
  options: Parameters<typeof verify>[0] = {},
): Promise<Report> {
  const spec = typeof document === 'string' ? document : await writeJson(document);
  return verify({ allowWrites: true, twin: false, target: { url, keys: [] }, spec, ...options });
}

/** The check, the verdict and the message of each finding. */
export function foundIn({ findings }: Report): string[][] {
  return findings.map(({ check, verdict, message }) => [check, verdict, message]);
}

/** The ids of the clauses that a target keeps. */
export function keptBy({ clauses }: Report, target = 'target'): string[] {
  return clauses.flatMap(({ id, results }) => (results[target]?.verdict === 'kept' ? [id] : []));
}

/** The result of a clause on the target. */
export function resultOf({ clauses }: Report, id: string) {
  return clauses.find((clause) => clause.id === id)?.results.target;
}
