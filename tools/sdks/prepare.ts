import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GoModule, Lab, Loose } from './lab.ts';
import { runTool } from './run-tool.ts';

/** Installed SDKs, and the documents of their services. */
export type PreparedLabs = {
  load(name: string): Promise<Loose>;
  /** The file of a lab's document. */
  documentOf(lab: Lab): string;
};

/**
 * Installs what the labs need, and further packages, into a folder of the system's own for temporary
 * files, unless it is there.
 */
export async function prepareLabs(
  labs: readonly Lab[],
  { name = 'sdks', more = [] }: { name?: string; more?: readonly string[] } = {},
): Promise<PreparedLabs> {
  const folder = join(tmpdir(), `petstore-twin-${name}`);
  const packages = [...labs.flatMap(({ sdk, packages = [] }) => [sdk, ...packages]), ...more];
  const modules = labs.flatMap(({ document: { from } }) => (typeof from === 'string' ? [] : from));
  const documentOf = ({ name, document }: Lab) =>
    join(folder, `${name}.${/\.ya?ml$/.test(document.file) ? 'yaml' : 'json'}`);
  const prepared = JSON.stringify([packages, modules]);
  if (readIfThere(join(folder, 'prepared.json')) !== prepared) {
    process.stderr.write(`Fetching SDKs and documents into ${folder} ...\n`);
    mkdirSync(folder, { recursive: true });
    install(folder, packages);
    const folders = download(folder, modules);
    for (const lab of labs) {
      const { from, file, edit = (text: string) => text } = lab.document;
      const source =
        typeof from === 'string' ? join(folder, 'node_modules', from) : folders.get(from.path);
      writeFileSync(documentOf(lab), edit(readFileSync(join(source ?? '', file), 'utf8')));
    }
    writeFileSync(join(folder, 'load.mjs'), 'export const load = (name) => import(name);\n');
    writeFileSync(join(folder, 'prepared.json'), prepared);
  }
  const { load } = await import(join(folder, 'load.mjs'));
  return { load, documentOf };
}

function install(folder: string, packages: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run(folder, 'npm', ['install', ...flags, ...packages]);
}

/** Downloads modules of Go, and gives the folder of each by its path. */
function download(folder: string, modules: readonly GoModule[]): Map<string, string> {
  writeFileSync(join(folder, 'go.mod'), 'module sdks\n\ngo 1.21\n');
  const sums = modules.flatMap(({ path, version, sums: [module, goMod] }) => [
    `${path} ${version} ${module}`,
    `${path} ${version}/go.mod ${goMod}`,
  ]);
  writeFileSync(join(folder, 'go.sum'), `${sums.join('\n')}\n`);
  return new Map(
    modules.map(({ path, version }) => {
      const args = ['mod', 'download', '-json', `${path}@${version}`];
      return [path, JSON.parse(run(folder, 'go', args)).Dir];
    }),
  );
}

function run(cwd: string, command: string, args: readonly string[]): string {
  return runTool(cwd, command, args, { GOMODCACHE: join(cwd, 'go'), GOFLAGS: '-modcacherw' });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
