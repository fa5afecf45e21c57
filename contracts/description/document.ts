import { stat } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { exactParser, withDoubles } from './exact-parser.ts';
import { type Operation, toOperations } from './operation.ts';
import { withoutOwnCircles } from './own-circles.ts';
import { type Pin, type Pinned, toPin, toPinned } from './pinned.ts';
import { type Resource, resourcesOf } from './resources.ts';
import { reuseUnchanged } from './reuse-unchanged.ts';
import {
  checkReferences,
  DocumentError,
  type FlatSchema,
  flatten,
  type RawDocument,
  resolve,
  type Schema,
} from './schema.ts';
import { type Section, type StatedClause, toClauses, toSections } from './sections.ts';

export type { Operation, Parameter, Provenance, ResponseDescription } from './operation.ts';
export { boundedPageSize, type Resource } from './resources.ts';
export { DocumentError, type FlatSchema, type Schema } from './schema.ts';
export type { Section, StatedClause } from './sections.ts';

/** A plan's figures, or `custom` where a contract sets them. */
export type PlanFigures = { perMinute: number; perDay: number } | 'custom';

/** Something that the interface leaves open: the question, what the twin does, and why. */
export type Silence = {
  id: string;
  source: string;
  question: string;
  twin: string;
  assumed: string;
  /** What a deployment does, where the document was pinned to one. */
  pin?: Pin;
};

export type ApiDocument = {
  /** The file that it was read from, as it was named. */
  file: string;
  title: string;
  version: string;
  /** The path that all servers end with, e.g. `/v1`. */
  basePath: string;
  operations: Operation[];
  resources: Resource[];
  plans: Record<string, PlanFigures>;
  /** What each section of the interface states, where the document says so. */
  sections: Section[];
  /** The clauses that the contract suite checks, where the document words them. */
  clauses: StatedClause[];
  silences: Silence[];
  /** The deployment that the silences are pinned to, if they are. */
  pinned?: Pinned;
  /** The document itself, with external `$ref`s brought in. */
  raw: RawDocument;
  /**
   * The same for readers: with integers that a double cannot hold as bigints, and with what contains
   * itself in an extension or an example.
   */
  exact: RawDocument;
};

/** The file of the Pet Store Service's own document. */
export const builtInDocument = fileURLToPath(new URL('../openapi.yaml', import.meta.url));

export type IndexOptions = {
  /**
   * Whether paths may be the same but for the names of their parameters, which nobody can call apart
   * and everybody can read.
   */
  allowsSamePaths?: boolean;
};

export type LoadOptions = IndexOptions & { files?: Set<string> };

/**
 * Reads an OpenAPI 3.1 document (YAML or JSON, `$ref`s to other files included) and indexes it.
 * `files` gets the absolute path of each file that is read, also where one of them is wrong. Throws
 * {@link DocumentError}.
 */
export async function loadDocument(
  file: string,
  { files = new Set(), ...options }: LoadOptions = {},
): Promise<ApiDocument> {
  files.add(resolvePath(file));
  if (file === builtInDocument && !options.allowsSamePaths) return loadBuiltIn(file);
  return load(file, { files, ...options });
}

/** It refers to no other file, and who tests with twins loads it for each of them. */
const loadBuiltIn = reuseUnchanged((file) => load(file, { files: new Set() }));

async function load(
  file: string,
  { files, ...options }: IndexOptions & { files: Set<string> },
): Promise<ApiDocument> {
  const found = await stat(file).catch(() => {
    throw new DocumentError(`There is no document at ${file}. Name an OpenAPI 3.1 file.`);
  });
  if (found.isDirectory())
    throw new DocumentError(`${file} is a folder. Name an OpenAPI 3.1 file.`);
  const parser = new $RefParser();
  let raw: RawDocument;
  try {
    raw = (await parser.bundle(file, {
      resolve: { http: false },
      parse: { exact: exactParser },
    })) as RawDocument;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const isEmpty = reason.endsWith('is not a valid JSON Schema');
    throw new DocumentError(
      `${file} cannot be read as a document: ${isEmpty ? 'it contains no object.' : reason}`,
    );
  } finally {
    for (const path of pathsOf(parser)) files.add(path);
  }
  return indexDocument(raw, file, options);
}

/** Indexes a document that is already parsed. Throws {@link DocumentError}. */
export function indexDocument(
  exact: RawDocument,
  file = 'The document',
  options: IndexOptions = {},
): ApiDocument {
  const raw = isObject(exact) ? withoutOwnCircles(withDoubles(exact)) : exact;
  if (!/^3\.1\./.test(String(raw?.openapi)))
    throw new DocumentError(`${file} is not an OpenAPI 3.1 document: ${describeVersion(raw)}.`);
  let operations: Operation[];
  let resources: Resource[];
  let basePath: string;
  let sections: Section[];
  let clauses: StatedClause[];
  let silences: Silence[];
  let plans: ApiDocument['plans'];
  let pinned: Pinned | undefined;
  try {
    checkReferences(raw);
    operations = toOperations(raw, options);
    resources = resourcesOf(raw, operations);
    basePath = toBasePath(raw.servers ?? []);
    plans = toPlans(raw['x-rate-limits']?.plans ?? {});
    sections = toSections(raw);
    clauses = toClauses(raw);
    silences = toSilences(raw['x-silences'] ?? []);
    pinned = raw['x-pinned'] === undefined ? undefined : toPinned(raw['x-pinned']);
  } catch (error) {
    if (error instanceof DocumentError)
      throw new DocumentError(`${file} cannot be used: ${error.message}.`);
    if (!(error instanceof TypeError)) throw error;
    throw new DocumentError(`${file} is not valid OpenAPI 3.1; an OpenAPI linter shows where.`);
  }
  if (operations.length === 0)
    throw new DocumentError(`${file} describes no operation under "paths".`);
  const twice = operations.find(
    (one, index) => operations.findIndex((other) => other.id === one.id) !== index,
  );
  if (twice) throw new DocumentError(`${file} uses the operationId "${twice.id}" twice.`);
  return {
    file,
    title: String(raw.info?.title ?? 'Untitled'),
    version: String(raw.info?.version ?? ''),
    basePath,
    operations,
    resources,
    plans,
    sections,
    clauses,
    silences,
    ...(pinned && { pinned }),
    raw,
    exact,
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function describeVersion(raw: RawDocument | null): string {
  if (raw?.swagger !== undefined)
    return `it is Swagger ${raw.swagger}. Convert it to OpenAPI 3.1 first`;
  if (raw?.openapi === undefined) return '"openapi" is missing; it must be 3.1.x';
  return `"openapi" must be 3.1.x, but is ${raw.openapi}`;
}

/** The schema with the document around it, so that a validator can follow its `$ref`s. */
export function standalone(document: ApiDocument, schema: Schema): Schema {
  return { ...document.raw, ...schema };
}

/** The schema itself, its `$ref` followed. */
export function resolveSchema(document: ApiDocument, schema: Schema): Schema {
  return resolve(document.raw, schema);
}

/** The schema, its `$ref` followed, beside its properties. */
export function describeSchema(
  document: ApiDocument,
  schema: Schema,
): FlatSchema & { schema: Schema } {
  return { schema: resolve(document.raw, schema), ...flatten(document.raw, schema) };
}

/**
 * The files that a parser read or tried to read; of the latter it gives the paths as they stand in
 * a URL.
 */
function pathsOf({ $refs }: $RefParser): string[] {
  const read = new Set($refs.paths('file'));
  const tried = $refs.paths().filter((path) => !read.has(path) && !/^https?:/.test(path));
  return [...read, ...tried.map(decoded)].map((path) => resolvePath(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function toBasePath(servers: unknown): string {
  if (!Array.isArray(servers)) throw new DocumentError('servers must be a list');
  const [server] = servers as RawDocument[];
  if (server !== undefined && typeof server?.url !== 'string')
    throw new DocumentError('servers[0].url must be a string');
  const url = String(server?.url ?? '/').replace(
    /\{(.+?)\}/g,
    (_, name) => server?.variables?.[name]?.default ?? name,
  );
  if (!URL.canParse(url, 'http://localhost'))
    throw new DocumentError(`server "${url}" is not a URL`);
  return new URL(url, 'http://localhost').pathname.replace(/\/+$/, '');
}

function toPlans(plans: RawDocument): ApiDocument['plans'] {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
  for (const [name, figures] of Object.entries(plans))
    if (figures !== 'custom' && !(isCount(figures?.perMinute) && isCount(figures?.perDay)))
      throw new DocumentError(
        `x-rate-limits.plans.${name} must be "custom", or have perMinute and perDay as numbers above 0`,
      );
  return plans;
}

function toSilences(nodes: unknown): Silence[] {
  if (!Array.isArray(nodes)) throw new DocumentError('x-silences must be a list');
  return nodes.map(({ 'x-assumed': assumed, 'x-pin': pin, ...silence }) => ({
    ...silence,
    assumed,
    ...(pin !== undefined && { pin: toPin(pin, silence.id) }),
  }));
}

/** The resource that an operation works on, if any. */
export function findResource(
  { resources }: Pick<ApiDocument, 'resources'>,
  operation: Operation | undefined,
): Resource | undefined {
  return operation && resources.find(({ name }) => name === operation.resource);
}
