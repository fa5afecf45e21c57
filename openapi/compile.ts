import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { builtInDocument } from '../common/built-in-document.ts';
import { DocumentError } from '../common/cli/usage-error.ts';
import { withDoubles, withExact } from '../common/exact-yaml.ts';
import { toPinned } from '../common/prose/pinned.ts';
import { toClauses, toSections } from '../common/prose/sections.ts';
import { toPlans, toSilences } from '../common/prose/silences.ts';
import { textOf } from '../common/text-of.ts';
import { resourcesOf } from './collections/find-resources.ts';
import { findSingletons } from './collections/singletons.ts';
import { findDocumentedLimits } from './documented-limits.ts';
import { toDocumentHint } from './hint.ts';
import type { Api } from './model/api.ts';
import type { Operation } from './model/operation.ts';
import type { Resource } from './model/resource.ts';
import { toOperations } from './operation.ts';
import {
  type MakeUsableOptions,
  makeUsable,
  type UsableDocument,
  versionOf,
} from './reading/make-usable.ts';
import type { OverlaidOptions } from './reading/read-overlaid.ts';
import { isUrl, readSource, type Source } from './reading/read-source.ts';
import type { Rules } from './rules.ts';
import type { RawDocument, Schema } from './schema.ts';
import { createSchemas } from './schemas.ts';
import { definedSchemes } from './security.ts';
import { basePathsOf, toServerUrl } from './servers.ts';

export type CompileOptions = Pick<MakeUsableOptions, 'isStrict'> &
  Partial<OverlaidOptions> & {
    /** A file of answers to the silences of the document, as an overlay, or a parsed one. */
    pins?: string | object | undefined;
    /** Whether to suppose nothing of answers that the document does not describe. */
    isStated?: boolean | undefined;
    /** The document as `readDocument` has read it with the same overlays. */
    read?: ReadDocument | undefined;
  };

/**
 * Compiles a document of OpenAPI 3.0 to 3.2 or Swagger 2.0: parsed, or read from a file or a URL with
 * the files that it refers to. Overlays and pins are applied to it. `files` gets the absolute path of
 * each file that is read, also where one of them is wrong. Throws {@link DocumentError}.
 */
export function compile(
  source: RawDocument,
  options?: Pick<MakeUsableOptions, 'isStrict' | 'file'> & Pick<CompileOptions, 'isStated'>,
): Api;
export function compile(source: string, options?: CompileOptions): Promise<Api>;
export function compile(
  source: string | RawDocument,
  options: CompileOptions & { file?: string } = {},
): Api | Promise<Api> {
  return typeof source === 'string' ? read(source, options) : compileTree(source, options);
}

/** The name of a document's API, and the path that it is below. */
export type DocumentHead = { title: string; version: string; basePath: string };

/** A document that is read, to be compiled once, and the files that it is in. */
export type ReadDocument = Awaited<ReturnType<typeof readGiven>> & {
  head: DocumentHead;
  files: ReadonlySet<string>;
};

/** Reads a document without compiling it. Throws {@link DocumentError} where it is none. */
export async function readDocument(
  file: string,
  { overlay, allowRefs }: Pick<CompileOptions, 'overlay' | 'allowRefs'> = {},
): Promise<ReadDocument> {
  const files = new Set<string>();
  const read = await readGiven(file, { files, overlay, allowRefs });
  versionOf(read.document, file);
  return { ...read, files, head: headOf(read.document) };
}

/** Reads the head of a document of any version. */
function headOf(raw: RawDocument): DocumentHead {
  const { info, basePath = basePathsOf(raw)[0] ?? '' } = raw;
  return {
    title: textOf(info?.title ?? 'Untitled'),
    version: textOf(info?.version ?? ''),
    basePath: textOf(basePath).replace(/\/+$/, ''),
  };
}

async function read(
  file: string,
  { files = new Set(), pins, ...options }: CompileOptions,
): Promise<Api> {
  if (!isUrl(file)) files.add(resolvePath(file));
  const isBuiltIn = file === builtInDocument && options.overlay === undefined;
  const stated = await (isBuiltIn ? readBuiltIn() : readOther(file, { files, ...options }));
  if (pins === undefined) return stated;
  const { pin } = await import('./reading/read-overlaid.ts');
  return pin(stated, pins, { files, compile: compileTree });
}

/** The built-in document by its text, of which only the latest is kept. */
const builtIn = new Map<string, Promise<Api>>();

/** It refers to no other file, and who tests with twins loads it for each of them. */
async function readBuiltIn(): Promise<Api> {
  const text = await readFile(builtInDocument, 'utf8');
  const document = builtIn.get(text) ?? readOther(builtInDocument, { files: new Set() });
  builtIn.clear();
  builtIn.set(text, document);
  return document;
}

/** Reads a document; overlays are loaded where there are any. */
async function readGiven(file: string, { overlay, ...options }: OverlaidOptions) {
  if (overlay === undefined) return readSource(file, options);
  const { readOverlaid } = await import('./reading/read-overlaid.ts');
  return readOverlaid(file, { overlay, ...options });
}

async function readOther(
  file: string,
  {
    files,
    overlay,
    allowRefs,
    read = undefined,
    ...options
  }: Pick<CompileOptions, 'isStrict' | 'isStated' | 'read'> & OverlaidOptions,
): Promise<Api> {
  for (const one of read?.files ?? []) files.add(one);
  const { document, ...source } = read ?? (await readGiven(file, { files, overlay, allowRefs }));
  return compileTree(document, { ...options, ...source, file, isOwn: true });
}

function compileTree(
  given: RawDocument,
  {
    file = 'The document',
    hasDoublesOnly = false,
    isStated,
    ...options
  }: Partial<
    MakeUsableOptions & Pick<Source, 'hasDoublesOnly'> & Pick<CompileOptions, 'isStated'>
  > = {},
): Api {
  try {
    const { document: exact, ...usable } = makeUsable(given, { ...options, file });
    const { value: raw, exact: integers } = hasDoublesOnly
      ? { value: exact, exact: new Map() }
      : withDoubles(exact);
    return {
      file,
      ...indexParts(raw, isStated),
      ...usable,
      schemas: createSchemas(raw),
      asOpenApi: () => raw,
      exact: {
        asOpenApi: () => exact,
        ...(integers.size > 0 && { of: (value) => withExact(value, integers) }),
      },
    };
  } catch (error) {
    if (error instanceof PartError)
      throw new DocumentError(`${file} cannot be used: ${error.message}.`);
    if (error instanceof RangeError)
      throw new DocumentError(`${file} is nested too deeply to be used.`);
    if (!(error instanceof TypeError)) throw error;
    throw new DocumentError(`${file} is not valid OpenAPI; an OpenAPI linter shows where.`);
  }
}

type IndexedParts = Omit<Api, 'file' | keyof UsableDocument | 'schemas' | 'asOpenApi' | 'exact'>;

/** A part of the document is wrong; the message lacks the file. */
class PartError extends Error {}

function indexParts(raw: RawDocument, isStated: boolean | undefined): IndexedParts {
  try {
    const operations = toOperations(raw);
    const limits = findDocumentedLimits(raw, operations);
    const { resources, places } = resourcesOf(raw, operations, { isStated });
    const singletons = findSingletons(raw, operations, resources);
    markHeads(operations);
    const hint = toDocumentHint(raw);
    describeMembers([...resources, ...singletons], hint.rules?.members);
    return {
      ...headOf(raw),
      serverUrls: (raw.servers ?? []).map(toServerUrl),
      securitySchemes: definedSchemes(raw),
      operations,
      resources,
      places,
      singletons,
      plans: toPlans(raw['x-rate-limits']?.plans ?? {}),
      ...(limits && { limits }),
      hint,
      sections: toSections(raw),
      clauses: toClauses(raw),
      silences: toSilences(raw['x-silences'] ?? []),
      ...(raw['x-pinned'] !== undefined && { pinned: toPinned(raw['x-pinned']) }),
    };
  } catch (error) {
    throw error instanceof DocumentError ? new PartError(error.message) : error;
  }
}

/** Lets items have the members that `x-twin` names; those that are described may be `null` or any text. */
function describeMembers(resources: readonly Resource[], members: Rules['members'] = {}): void {
  for (const resource of resources) {
    const names = Object.hasOwn(members, resource.path) ? (members[resource.path] ?? []) : [];
    if (names.length === 0) continue;
    const { properties, others = [] } = resource.item;
    const described = names.filter((name) => Object.hasOwn(properties, name));
    const nullable = described.map((name) => [name, orNull(properties[name] as Schema)] as const);
    const patterns = names.map((name) => `^${RegExp.escape(name)}$`);
    resource.item = {
      ...{ ...resource.item, properties: { ...properties, ...Object.fromEntries(nullable) } },
      others: [...others, ...patterns],
    };
  }
}

/** A schema that allows `null`, too, and texts of any form. */
function orNull({ format, ...schema }: Schema): Schema {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] };
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = [...new Set([...[type].flat(), 'null'])];
  return { ...schema, type: types, ...(values && { enum: [...values, null] }) };
}

/**
 * Marks the HEAD operations with the GET at their path: HEAD is the same without content (RFC 9110
 * §9.3.2). They take the parameters of the GET too.
 */
function markHeads(operations: readonly Operation[]): void {
  const gets = new Map(
    operations.filter(({ method }) => method === 'GET').map((one) => [one.path, one]),
  );
  for (const operation of operations) {
    const get = gets.get(operation.path);
    if (operation.method !== 'HEAD' || operation.kind || operation.hint || !get) continue;
    operation.answersAs = get;
    const isOwn = (one: Operation['parameters'][number]) =>
      operation.parameters.some((own) => own.name === one.name && own.in === one.in);
    const others = get.parameters.filter((one) => one.in === 'query' && !one.required);
    operation.parameters = [...operation.parameters, ...others.filter((one) => !isOwn(one))];
  }
}
