import { toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import { runSuite } from './run-suite.ts';
import { toTextPage } from './to-page.ts';
import { type RunTool, ToolError, type Tools } from './twin-client.ts';

const verify: RunTool = async (
  client,
  { action, target, keys, only = [], allowWrites, skip = 0 },
  signal,
) => {
  if (action === 'report' || (skip > 0 && client.memory.report !== undefined)) {
    if (client.memory.report === undefined) throw new ToolError('Nothing was verified yet.');
    return toTextPage(client.memory.report, { skip });
  }
  const report = await runSuite(client, 'verify', {
    args: [
      ...(target === undefined ? [] : [`--target=${target}`, '--no-mock']),
      ...only.map((name: string) => `--only=${name}`),
      allowWrites ? '--allow-writes' : '--read-only',
      ...(action === 'plan' ? ['--plan'] : []),
    ],
    keys,
    signal,
  });
  client.memory.report = report;
  return toTextPage(report);
};

const suggestOverlay: RunTool = async (client, { recordings = [], baseUrl, skip }, signal) => {
  if (recordings.length > 0) {
    const args = [...toBase(baseUrl), '--', ...recordings];
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
};

const fidelity: RunTool = async (client, { recordings, baseUrl, overlay, skip }, signal) => {
  const tried = overlay === undefined ? [] : [`--overlay=${overlay}`];
  const args = [...toBase(baseUrl), ...tried, '--', ...recordings];
  return toTextPage(await runSuite(client, 'fidelity', { args, signal }), { skip });
};

function toBase(baseUrl: string | undefined): string[] {
  return baseUrl === undefined ? [] : [`--base-url=${baseUrl}`];
}

/** The tools that compare deployments, recordings and the document. */
export const suiteTools: Tools = { verify, suggest_overlay: suggestOverlay, fidelity };
