import { say } from '../../common/look/print.ts';
import type { Api } from '../../openapi/index.ts';
import { describeWarnings } from '../../openapi/model/warnings.ts';

/** Says on standard error what of a document a command cannot use. */
export function reportWarnings(command: string, { file, written }: Api): void {
  const warnings = describeWarnings(
    file,
    written.warnings,
    '--strict-spec refuses such a document.',
  );
  if (warnings !== undefined) say(command, warnings);
}
