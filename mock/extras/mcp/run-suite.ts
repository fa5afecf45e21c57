import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notWritable, toDocumentJson } from '../../../reference/document-files.ts';
import { ToolError, type TwinClient } from './twin-client.ts';

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
export async function runSuite(
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
