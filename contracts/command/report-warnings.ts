import { say } from '../../common/look/print.ts';
import { type ApiDocument, describeWarnings } from '../../openapi/document.ts';

/** Says on standard error what of a document a command cannot use. */
export function reportWarnings(command: string, { file, written }: ApiDocument): void {
  const warnings = describeWarnings(
    file,
    written.warnings,
    '--strict-spec refuses such a document.',
  );
  if (warnings !== undefined) say(command, warnings);
}
