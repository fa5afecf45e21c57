import { toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import { runSuite } from './run-suite.ts';
import { toTextPage } from './to-page.ts';
import { skip, type Tool, text, texts, toggle } from './tool.ts';
import { ToolError } from './twin-client.ts';

const recordings = texts('Files of recorded calls, as HTTP Archives (.har).');
const baseUrl = text('The base URL of the service in the recordings.');

const verify: Tool = {
  name: 'verify',
  title: 'Verify a deployment against the document',
  description:
    'Sends calls to a deployment, and judges its answers by the document: findings with the exchange that shows each. Creates nothing unless "allowWrites". "plan" lists the calls without sending any, "report" shows the last report again. It may take a minute.',
  properties: {
    action: text('What to do.', ['plan', 'run', 'report']),
    target: text('The base URL of the deployment; the mock itself unless given.'),
    keys: texts('API keys of the deployment: KEY, or NAME=KEY with its plan or security scheme.'),
    only: texts('Only these operations or checks.'),
    allowWrites: toggle('Creates items on the target, and changes and deletes only those.'),
    skip,
  },
  required: ['action'],
  effect: 'changes',
  async run(client, { action, target, keys, only = [], allowWrites, skip }, signal) {
    if (action === 'report' || (skip !== undefined && client.memory.report !== undefined)) {
      if (client.memory.report === undefined) throw new ToolError('Nothing was verified yet.');
      return toTextPage(client.memory.report, { skip });
    }
    const report = await runSuite(client, 'verify', {
      args: [
        ...(target === undefined ? [] : ['--target', target, '--no-mock']),
        ...only.flatMap((name: string) => ['--only', name]),
        allowWrites ? '--allow-writes' : '--read-only',
        ...(action === 'plan' ? ['--plan'] : []),
      ],
      keys,
      signal,
    });
    client.memory.report = report;
    return toTextPage(report);
  },
};

const suggestOverlay: Tool = {
  name: 'suggest_overlay',
  title: 'Suggest an overlay',
  description:
    'Shows an OpenAPI Overlay that gives operations state in the mock which the document alone does not, with the reason for each line. With recordings of the real service: an overlay with what these show and the document does not say. Start the mock with --overlay FILE.',
  properties: { recordings, baseUrl, skip },
  effect: 'reads',
  async run(client, { recordings = [], baseUrl, skip }, signal) {
    if (recordings.length > 0) {
      const args = [...recordings, ...toBase(baseUrl)];
      return toTextPage(await runSuite(client, 'learn', { args, signal }), { skip });
    }
    const document = await client.document();
    const { operations } = explain(document);
    const lacking = operations.filter(({ answers }) => answers !== 'store');
    const actions = lacking.flatMap(({ id, because, overlay }) =>
      overlay ? [{ description: `${id}: ${because}`, ...overlay }] : [],
    );
    const info = { title: `State for ${document.title}`, version: '1' };
    const without = lacking.filter(({ overlay }) => !overlay);
    return toTextPage(
      [
        ...(actions.length > 0
          ? [toDocumentYaml({ overlay: '1.1.0', info, actions })]
          : ['No line of an overlay would give an operation state.']),
        ...(without.length > 0 ? ['Without state, and no line helps:'] : []),
        ...without.map(
          ({ id, because, remedy }) => `${id}: ${because}${remedy ? `; ${remedy}` : ''}`,
        ),
      ].join('\n'),
      { skip },
    );
  },
};

const fidelity: Tool = {
  name: 'fidelity',
  title: 'How faithful is the mock?',
  description:
    'Sends recorded calls of the real service to a mock of the document, and says how many answers are alike and how the others differ.',
  properties: {
    recordings,
    baseUrl,
    overlay: text('The file of an overlay to try.'),
    skip,
  },
  required: ['recordings'],
  effect: 'reads',
  async run(client, { recordings, baseUrl, overlay, skip }, signal) {
    const tried = overlay === undefined ? [] : ['--overlay', overlay];
    const args = [...recordings, ...toBase(baseUrl), ...tried];
    return toTextPage(await runSuite(client, 'fidelity', { args, signal }), { skip });
  },
};

function toBase(baseUrl: string | undefined): string[] {
  return baseUrl === undefined ? [] : ['--base-url', baseUrl];
}

/** The tools that compare deployments, recordings and the document. */
export const suiteTools: readonly Tool[] = [verify, suggestOverlay, fidelity];
