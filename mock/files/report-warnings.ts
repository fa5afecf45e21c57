import { type ApiDocument, describeWarnings } from '../../contracts/description/document.ts';
import type { Log } from '../log.ts';

const advice = 'GET /__admin/version lists them; --strict-spec refuses such a document.';

/** Logs what of a document cannot be used. */
export function reportWarnings({ file, written }: ApiDocument, log: Pick<Log, 'warn'>): void {
  const line = describeWarnings(file, written.warnings, advice);
  if (line !== undefined) log.warn(line);
}
