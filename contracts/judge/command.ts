import { createCommand } from '../command/create-command.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { builtInDocument, loadDocument } from '../description/document.ts';
import { RecordingError } from '../har/recording-error.ts';
import { toHelpText } from './help-text.ts';
import { limitMemory } from './limit-memory.ts';
import { options as table } from './options.ts';
import { runJudge } from './run-judge.ts';

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run.
 */
export const runCommand = createCommand({
  name: 'judge',
  table,
  toHelpText,
  example: '--key KEY',
  takesFiles: true,
  expected: [RecordingError],
  async run(options, { files, env }) {
    limitMemory();
    const { spec = builtInDocument, allowRefs } = options;
    const document = withoutNested(await loadDocument(spec, { allowRefs }));
    reportWarnings('judge', document, { isRefusable: false });
    return runJudge(files, options, { document, env });
  },
});
