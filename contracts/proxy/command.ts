import { createCommand } from '../command/create-command.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { builtInDocument, loadDocument } from '../description/document.ts';
import { toHelpText } from './help-text.ts';
import { options as table } from './options.ts';
import { runProxy } from './run-proxy.ts';

/**
 * Runs the command and gives its exit code, once it is ended: 0 nothing gates, 1 something does, 2 it
 * could not run.
 */
export const runCommand = createCommand({
  name: 'proxy',
  table,
  toHelpText,
  example: '--target URL or --key KEY',
  repeated: {
    target: '--target is given twice, and a proxy has one. Start another one for it.',
  },
  async run(options, { env }) {
    const { spec = builtInDocument, allowRefs } = options;
    const document = withoutNested(await loadDocument(spec, { allowRefs }));
    reportWarnings('proxy', document, { isRefusable: false });
    return runProxy(options, { document, env });
  },
});
