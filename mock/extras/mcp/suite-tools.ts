import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notWritable, toDocumentJson, toDocumentYaml } from '../../../reference/document-files.ts';
import { explain } from '../../explain/explanation.ts';
import { toTextPage } from './to-page.ts';
import { type RunTool, ToolError, type Tools, type TwinClient } from './twin-client.ts';

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

type SuiteRun = {
  args: readonly string[];
  /** Keys of a target, which no list of processes shows. */
  keys?: readonly string[];
  signal: AbortSignal;
};

const isSource = import.meta.url.endsWith('.ts');
const entry = isSource ? '../../../contracts/main.ts' : '../../../package/bin.js';

/**
 * Runs a command of the contract suite on the document of a twin, in a process of its own, and returns
 * what it printed, and the overlay that `learn` wrote. Throws {@link ToolError} with the sentence of
 * a command that cannot run.
 */
async function runSuite(
  { document, isLocal, root }: TwinClient,
  command: 'verify' | 'learn' | 'fidelity',
  { args, keys = [], signal }: SuiteRun,
): Promise<string> {
  // Whoever calls from elsewhere may not read files here, or call what this machine reaches.
  if (!isLocal)
    throw new ToolError(
      `Files and deployments are those of your machine: run "petstore-twin mcp --url ${root}" there.`,
    );
  const json = toDocumentJson((await document()).exact.asOpenApi());
  if (json === undefined) throw new ToolError(notWritable);
  const folder = await mkdtemp(join(tmpdir(), 'twin-'));
  const [spec, overlay] = [join(folder, 'openapi.json'), join(folder, 'learned.overlay.yaml')];
  try {
    await writeFile(spec, json);
    const own = command === 'learn' ? ['--spec', spec, '--out', overlay] : ['--spec', spec];
    const program = fileURLToPath(new URL(entry, import.meta.url));
    const { out, err } = await run([program, command, ...own, ...args], { keys, signal });
    if (out === '') throw new ToolError(err.trim().replace(/^petstore-twin \w+: /, ''));
    return command === 'learn' ? await readFile(overlay, 'utf8').catch(() => out) : out;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(
  args: readonly string[],
  { keys, signal }: { keys: readonly string[]; signal: AbortSignal },
): Promise<{ out: string; err: string }> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('TWIN_'));
  const env = { ...Object.fromEntries(others), NO_COLOR: '1', TARGET_KEYS: keys.join('\n') };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, signal, maxBuffer: 2 ** 26 }, (_, out, err) =>
      resolve({ out, err }),
    );
  });
}
