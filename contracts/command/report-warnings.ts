import { type ApiDocument, describeWarnings } from '../description/document.ts';
import { say } from '../look/print.ts';

/**
 * Says on standard error what of a document a command cannot use; `isRefusable` says whether it has an
 * option that refuses such a document.
 */
export function reportWarnings(
  command: string,
  { file, written }: ApiDocument,
  { isRefusable = true }: { isRefusable?: boolean } = {},
): void {
  const warnings = describeWarnings(file, written.warnings, isRefusable ? advice : '');
  if (warnings !== undefined) say(command, warnings);
}

const advice = '--strict-spec refuses such a document.';
