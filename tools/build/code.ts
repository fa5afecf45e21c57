import { dirname, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import packageJson from '../../package.json' with { type: 'json' };
import { licensesOf } from './licenses.ts';

/** Names the entry that browsers load, which shares nothing with code for Node. */
const browserEntry = 'package/msw';

/** Entry files: started by path, named by package.json, or loaded by such files. */
const entries = [
  ...['twin', 'playwright', 'verify', 'vitest'].flatMap((name) => [
    `package/imports/${name}`,
    `package/${name}`,
  ]),
  'package/bin',
  browserEntry,
  'mock/main',
  'contracts/proxy/judge-worker',
];

type ModulesOf = (id: string) => { importedIds: string[]; dynamicallyImportedIds: string[] } | null;

/**
 * Bundles the code for Node into a few chunks, and returns the licences of bundled libraries. A
 * module keeps its URL in the project, so it finds the files beside it.
 */
export async function bundleForNode(root: string, target: string): Promise<string[]> {
  const others = Object.keys({ ...packageJson.dependencies, ...packageJson.peerDependencies });
  const toFile = (entry: string) => `${root}${entry}.ts`;
  let toChunk: ((id: string) => string | null) | undefined;
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, toFile(entry)])),
    platform: 'node',
    // Of packages that come in two forms, the one whose unused parts can be left out.
    resolve: { mainFields: ['module', 'main'] },
    transform: {
      target: `node${packageJson.engines.node.slice('>='.length)}`,
      inject: { 'RegExp.escape': [`${root}tools/build/escape-pattern.ts`, 'escapePattern'] },
    },
    external: (id) => others.some((name) => id === name || id.startsWith(`${name}/`)),
    preserveEntrySignatures: 'allow-extension',
    plugins: [importSoon, keepUrls(root)],
  });
  const { output } = await bundle.write({
    dir: target,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    // V8 reads texts of ASCII alone in half the memory, and hashes them faster.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'by use',
          name: (id, context) => {
            toChunk ??= chooseChunks(toFile, (one) => context.getModuleInfo(one));
            return toChunk(id);
          },
        },
      ],
    },
  });
  return licensesOf(output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])));
}

/**
 * Imports modules eagerly that a checkout loads on demand, as a separate chunk would be one more
 * file to read.
 */
const importSoon: Plugin = {
  name: 'import-soon',
  transform(code) {
    const names: string[] = [];
    const changed = code.replace(
      /await import\(\s*('\.[\w./-]*\/(?:banner|in-process|follow-files|read-overlaid|read-data|read-identity|own-identity|(?:behaviour|pinned|forward|webhook)-parts|create-security|lenient|read-behaviours|task-runner|where)\.ts')\s*\)/g,
      (_, path: string) => `soon${names.push(path) - 1}`,
    );
    if (names.length === 0) return null;
    const imports = names.map((path, index) => `import * as soon${index} from ${path};\n`);
    return { code: imports.join('') + changed, map: null };
  },
};

/** Gives each module its URL in the project, below the folder that chunks are in. */
function keepUrls(root: string): Plugin {
  return {
    name: 'keep-urls',
    transform(code, id) {
      const isOwn = id.startsWith(root) && !id.includes('/node_modules/');
      if (!isOwn || !code.includes('import.meta.url')) return null;
      const path = relative(root, id).replace(/\.ts$/, '.js');
      const url = `new URL(${JSON.stringify(path)}, packageRoot).href`;
      const kept = code
        // What a module requires is in the package too.
        .replace('const require = createRequire(import.meta.url);', '')
        .replaceAll('import.meta.url', url);
      return { code: kept, map: null };
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('packageRoot')) return null;
      const up = `${relative(dirname(fileName), '.') || '.'}/`;
      const root = `const packageRoot = new URL('${up}', import.meta.url);\n`;
      return {
        code: `${/^#!.*\n/.exec(code)?.[0] ?? ''}${root}${code.replace(/^#!.*\n/, '')}`,
        map: null,
      };
    },
  };
}

/**
 * Chooses few chunks, so that a start reads few files and no unneeded ones: the code shared by the
 * mock and the suite, and the code of each. The bundler chooses the rest: modules loaded on demand,
 * and modules for an old Node, stay separate.
 */
function chooseChunks(toFile: (entry: string) => string, modulesOf: ModulesOf) {
  const closure = (...ids: string[]) => {
    const found = new Set<string>();
    for (const queue = ids; queue.length > 0; ) {
      const id = queue.pop() as string;
      if (found.has(id)) continue;
      found.add(id);
      queue.push(...(modulesOf(id)?.importedIds ?? []));
    }
    return found;
  };
  const alone = closure(toFile('package/bin'), toFile(browserEntry));
  // With the process, so that a start loads no chunk that modules on demand share.
  const twin = closure(toFile('package/twin'), toFile('mock/process/serve'));
  // The mock is started by a module of its own.
  const late = [...twin, toFile('mock/main')]
    .flatMap((id) => modulesOf(id)?.dynamicallyImportedIds ?? [])
    .map((id) => closure(id));
  const suite = closure(
    ...['package/suite', 'package/verify', 'contracts/proxy/judge-worker'].map(toFile),
  );
  // What acts when it is loaded stands alone.
  const acting = entries.filter((one) => !['package/twin', 'package/verify'].includes(one));
  const started = new Set(acting.map(toFile));
  return (id: string): string | null => {
    if (alone.has(id) || started.has(id)) return null;
    if (twin.has(id)) return suite.has(id) ? 'shared' : 'twin';
    const uses = late.filter((one) => one.has(id)).length;
    if (suite.has(id)) return uses > 0 ? 'shared-late' : 'suite';
    return uses > 1 ? 'late' : null;
  };
}
