import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { isObject } from '../../../common/json.ts';
import { moduleExtension } from '../../../common/look/browser-code.ts';
import { messageOf } from '../../../common/look/visible.ts';
import type { Api } from '../../../openapi/index.ts';
import { toKey } from '../../../openapi/model/operation.ts';
import { findNamedOperations } from '../../documented/named-operations.ts';
import { quote } from '../../json/quote.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Behaviour, Behaviours, Task } from './define.ts';
import { startLimit } from './run.ts';
import { toShown, whereIs } from './where.ts';

/** A behaviour of an operation, with the file and line of its definition if known. */
export type OwnBehaviour = { name: string; act: Behaviour; at: string };

/** Behaviours by the operations of a document, and tasks by their names. */
export type ResolvedBehaviours = {
  /** By {@link toKey}. */
  operations: ReadonlyMap<string, OwnBehaviour>;
  tasks: Readonly<Record<string, Task>>;
};

/** Behaviours from a file, or from code. */
export type OwnBehaviours = ResolvedBehaviours & {
  /** The file as messages name it, or what stands for it. */
  source: string;
  module: LoadedModule | undefined;
  /** The operations and the names of tasks that sandboxes may have otherwise. */
  used: { operations: ReadonlySet<string>; tasks: ReadonlySet<string> };
};

/** A loaded file: its exports, its text, and the texts of all its imports. */
type LoadedModule = { given: unknown; text: string; texts: ReadonlyMap<string, string> };

export type ReadBehavioursOptions = {
  document: Api;
  /** Behaviours of code instead of a file. */
  given: unknown;
  file: string | undefined;
  /** Receives the absolute path of each file, even if a file is invalid. */
  files: Set<string>;
  before: OwnBehaviours | undefined;
};

/**
 * Loads behaviours and finds their operations. A file that has not changed is not loaded again. Throws
 * {@link UsageError}.
 */
export async function readBehaviours({
  document,
  given,
  file,
  files,
  before,
}: ReadBehavioursOptions): Promise<OwnBehaviours> {
  const path = file === undefined ? undefined : resolve(file);
  const module = path === undefined ? undefined : await loadModule(path, files, before?.module);
  const source = path === undefined ? 'behaviours' : toShown(path);
  const { given: found, text } = module ?? { given: given ?? {} };
  const { used } = before ?? nothing;
  return { ...resolveBehaviours(found, document, { source, text }), source, module, used };
}

const nothing: OwnBehaviours = {
  ...{ operations: new Map(), tasks: {}, source: '', module: undefined },
  used: { operations: new Set(), tasks: new Set() },
};

const usedName = 'behaviours';

/** Returns the behaviours that a sandbox uses instead, if any. */
export function usedIn({ given }: Sandbox): ResolvedBehaviours | undefined {
  return given.get(usedName) as ResolvedBehaviours | undefined;
}

/**
 * Reads what a sandbox is to do instead: `use` has one do so, once `own` is served. Throws
 * {@link UsageError}.
 */
export function readUsed(
  own: OwnBehaviours = nothing,
  document: Api,
  given: Behaviours,
): { own: OwnBehaviours; use: (sandbox: Sandbox) => void } {
  const next = resolveBehaviours(given, document, { source: 'behaviours.use()' });
  const used = {
    operations: own.used.operations.union(new Set(next.operations.keys())),
    tasks: own.used.tasks.union(new Set(Object.keys(next.tasks))),
  };
  const use = (sandbox: Sandbox) => {
    const before = usedIn(sandbox);
    sandbox.given.set(usedName, {
      operations: new Map([...(before?.operations ?? []), ...next.operations]),
      tasks: { ...before?.tasks, ...next.tasks },
    });
  };
  return { own: { ...own, used }, use };
}

/** Finds the operations that behaviours are named after. */
function resolveBehaviours(
  given: unknown,
  document: Api,
  { source, text = '' }: { source: string; text?: string | undefined },
): ResolvedBehaviours {
  if (!isObject(given))
    throw new UsageError(
      `${source} must give an object of behaviours: export default defineBehaviours({ ... }).`,
    );
  const { tasks = {}, ...behaviours } = given as Record<string, unknown>;
  const operations = new Map<string, OwnBehaviour>();
  for (const [name, act] of Object.entries(behaviours)) {
    if (act === undefined) continue;
    ensureFunction(act, name, source);
    const behaviour = { name, act: act as Behaviour, at: placeIn(text, name, source) };
    for (const operation of findNamedOperations(document, name, source)) {
      const known = operations.get(toKey(operation));
      if (known)
        throw new UsageError(
          `${source} gives ${operation.id} two behaviours: ${known.name} and ${name}.`,
        );
      operations.set(toKey(operation), behaviour);
    }
  }
  if (!isObject(tasks))
    throw new UsageError(`"tasks" in ${source} must be an object of functions.`);
  for (const [name, task] of Object.entries(tasks)) ensureFunction(task, `tasks.${name}`, source);
  return { operations, tasks: tasks as Record<string, Task> };
}

function ensureFunction(value: unknown, name: string, source: string): void {
  if (typeof value !== 'function')
    throw new UsageError(`${quote(name)} in ${source} must be a function, but is ${typeof value}.`);
}

/** The line of a file on which a behaviour is defined, as far as its text shows it. */
function placeIn(text: string, name: string, source: string): string {
  const escaped = RegExp.escape(name);
  const defined = new RegExp(`^\\s*(?:async\\s+)?\\*?\\s*['"\`]?${escaped}['"\`]?\\s*[(:,]`);
  const line = text.split('\n').findIndex((one) => defined.test(one)) + 1;
  return line > 0 ? `${source}:${line}` : source;
}

const version = 'twin-version';

/** The files that each version of a module imports by a relative path. */
const importsOf = new Map<string, Set<string>>();

/** The package, also in a checkout that was never built, and where npx runs what no project has. */
const ownPackage = new URL(
  `../../../package/${moduleExtension === '.ts' ? 'twin.ts' : 'imports/twin.js'}`,
  import.meta.url,
).href;

/** Makes Node reload the imports of a new version of a module. */
function followImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const [, number] = /[?&]twin-version=(\d+)$/.exec(context.parentURL ?? '') ?? [];
      const imports = number === undefined ? undefined : importsOf.get(number);
      if (imports && specifier === 'petstore-twin') return { url: ownPackage, shortCircuit: true };
      const found = next(specifier, context);
      if (!imports || !/^\.\.?\//.test(specifier) || !found.url.startsWith('file:')) return found;
      imports.add(fileURLToPath(found.url));
      return { ...found, url: `${found.url}?${version}=${number}` };
    },
  });
}

async function loadModule(
  path: string,
  files: Set<string>,
  before: LoadedModule | undefined,
): Promise<LoadedModule> {
  const known = [...(before?.texts.keys() ?? [])];
  for (const file of [path, ...known]) files.add(file);
  if (before && isDeepStrictEqual(before.texts, await readTexts(known))) return before;
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new UsageError(`--behaviours ${path} cannot be read: ${error.code}.`);
  });
  if (importsOf.size === 0) followImports();
  const number = String(importsOf.size + 1);
  const imports = new Set([path]);
  importsOf.set(number, imports);
  const limit = startLimit('it did not load');
  try {
    const loading = import(`${pathToFileURL(path).href}?${version}=${number}`);
    const { default: given } = await Promise.race([loading, limit.passed]);
    return { given, text, texts: await readTexts([...imports]) };
  } catch (error) {
    const at = whereIs(error) ?? toShown(path);
    const problem = messageOf(error).replace(/\?twin-version=\d+/g, '');
    throw new UsageError(`The behaviours at ${at} cannot be loaded: ${problem}`);
  } finally {
    limit.clear();
    for (const file of imports) files.add(file);
  }
}

/** The texts of files; that of one that cannot be read is empty. */
async function readTexts(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const read = async (file: string) =>
    [file, await readFile(file, 'utf8').catch(() => '')] as const;
  return new Map(await Promise.all(files.map(read)));
}
