import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '../common/cli/usage-error.ts';
import { resourcesOf } from './collections/find-resources.ts';
import type { Resource } from './collections/resource.ts';
import { findSingletons } from './collections/singletons.ts';
import { type DocumentedLimits, findDocumentedLimits } from './documented-limits.ts';
import { withDoubles } from './exact-parser.ts';
import { type DocumentHint, toDocumentHint } from './hint.ts';
import { type Operation, toOperations } from './operation.ts';
import { type Pin, type Pinned, toPin, toPinned } from './pinned.ts';
import { type MakeUsableOptions, makeUsable, type Written } from './reading/make-usable.ts';
import type { OverlaidOptions } from './reading/read-overlaid.ts';
import { isUrl, readSource, type Source } from './reading/read-source.ts';
import type { RawDocument } from './schema.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { type Section, type StatedClause, toClauses, toSections } from './sections.ts';
import { definedSchemes, type SecurityScheme } from './security.ts';
import { basePathsOf, toServerUrl } from './servers.ts';
import { type Sourced, source } from './source.ts';

export { boundedPageSize } from './collections/list-parameters.ts';
export type { Resource } from './collections/resource.ts';
export type { Operation, Parameter, Provenance, ResponseDescription } from './operation.ts';
export type { Written } from './reading/make-usable.ts';
export { type DocumentWarning, describeWarnings } from './reading/warnings.ts';
export type { FlatSchema, Schema } from './schema.ts';
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

export type ApiDocument = Sourced & {
  /** The file that it was read from, as it was named. */
  file: string;
  title: string;
  version: string;
  /** The path that all servers end with, e.g. `/v1`. */
  basePath: string;
  operations: Operation[];
  resources: Resource[];
  /** The single objects that have a path of their own, such as `/me`. */
  singletons: Resource[];
  /** Collections below items of others, where `resources` has only those that have one path. */
  nested?: readonly Resource[];
  plans: Record<string, PlanFigures>;
  /** The limits that it describes otherwise: by `x-rate-limit` or headers of responses. */
  limits?: DocumentedLimits;
  /** What it says of a twin's defaults. */
  hint: DocumentHint;
  /** What each section of the interface states, where the document says so. */
  sections: Section[];
  /** The clauses that the contract suite checks, where the document words them. */
  clauses: StatedClause[];
  silences: Silence[];
  /** The deployment that the silences are pinned to, if they are. */
  pinned?: Pinned;
  /** How it was written. */
  written: Written;
  /** What its schemas say. */
  schemas: Schemas;
  /** The ways in that it defines, whether operations use them or not. */
  securitySchemes: readonly SecurityScheme[];
  /** The URLs of its servers. */
  serverUrls: readonly string[];
  /** Returns the whole as OpenAPI 3.1 or 3.2, for libraries and pages that read documents themselves. */
  asOpenApi: () => RawDocument;
  /** The same with integers that a double cannot hold as bigints. */
  exact: { schemas: Schemas; asOpenApi: () => RawDocument };
};

/** The file of the Pet Store Service's own document. */
export const builtInDocument = fileURLToPath(new URL('../contracts/openapi.yaml', import.meta.url));

export type IndexOptions = Omit<MakeUsableOptions, 'file'> &
  Partial<Pick<Source, 'hasDoublesOnly'>>;

export type LoadOptions = Pick<IndexOptions, 'isStrict'> & Partial<OverlaidOptions>;

/**
 * Reads a document of OpenAPI 3.0 to 3.2 or Swagger 2.0 (YAML or JSON, `$ref`s to other files
 * included) from a file or a URL, applies overlays to it, and indexes it. `files` gets the absolute path of each file that
 * is read, also where one of them is wrong. Throws {@link DocumentError}.
 */
export async function loadDocument(
  file: string,
  { files = new Set(), ...options }: LoadOptions = {},
): Promise<ApiDocument> {
  if (!isUrl(file)) files.add(resolvePath(file));
  if (file === builtInDocument && options.overlay === undefined) return loadBuiltIn();
  return load(file, { files, ...options });
}

/** The built-in document by its text, of which only the latest is kept. */
const builtIn = new Map<string, Promise<ApiDocument>>();

/** It refers to no other file, and who tests with twins loads it for each of them. */
async function loadBuiltIn(): Promise<ApiDocument> {
  const text = await readFile(builtInDocument, 'utf8');
  const document = builtIn.get(text) ?? load(builtInDocument, { files: new Set() });
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

async function load(
  file: string,
  { files, overlay, allowRefs, ...options }: IndexOptions & OverlaidOptions,
): Promise<ApiDocument> {
  const { document, ...read } = await readGiven(file, { files, overlay, allowRefs });
  return indexDocument(document, file, { ...options, ...read, isOwn: true });
}

/** Indexes a document that is already parsed. Throws {@link DocumentError}. */
export function indexDocument(
  given: RawDocument,
  file = 'The document',
  { hasDoublesOnly = false, ...options }: IndexOptions = {},
): ApiDocument {
  try {
    const { document: exact, written } = makeUsable(given, { ...options, file });
    const raw = hasDoublesOnly ? exact : withDoubles(exact);
    return {
      file,
      ...indexParts(raw),
      written,
      ...readingOf(raw),
      exact: readingOf(exact),
      [source]: { raw, exact },
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

function readingOf(raw: RawDocument) {
  return { schemas: createSchemas(raw), asOpenApi: () => raw };
}

type IndexedParts = Omit<
  ApiDocument,
  'file' | 'written' | 'schemas' | 'asOpenApi' | 'exact' | typeof source
>;

/** A part of the document is wrong; the message lacks the file. */
class PartError extends Error {}

function indexParts(raw: RawDocument): IndexedParts {
  try {
    const operations = toOperations(raw);
    const limits = findDocumentedLimits(raw, operations);
    const resources = resourcesOf(raw, operations);
    const singletons = findSingletons(raw, operations, resources);
    markHeads(operations);
    return {
      title: String(raw.info?.title ?? 'Untitled'),
      version: String(raw.info?.version ?? ''),
      basePath: basePathsOf(raw)[0] ?? '',
      serverUrls: (raw.servers ?? []).map(toServerUrl),
      securitySchemes: definedSchemes(raw),
      operations,
      resources,
      singletons,
      plans: toPlans(raw['x-rate-limits']?.plans ?? {}),
      ...(limits && { limits }),
      hint: toDocumentHint(raw),
      sections: toSections(raw),
      clauses: toClauses(raw),
      silences: toSilences(raw['x-silences'] ?? []),
      ...(raw['x-pinned'] !== undefined && { pinned: toPinned(raw['x-pinned']) }),
    };
  } catch (error) {
    throw error instanceof DocumentError ? new PartError(error.message) : error;
  }
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

/** All collections, those that are nested too. */
export function collectionsOf({
  resources,
  nested = [],
}: Pick<ApiDocument, 'resources' | 'nested'>): Resource[] {
  return [...resources, ...nested];
}

/** The resource that an operation works on, if any; also one that is nested. */
export function findResource(
  { resources, nested = [] }: Pick<ApiDocument, 'resources' | 'nested'>,
  operation: Operation | undefined,
): Resource | undefined {
  const isMeant = ({ name }: Resource) => name === operation?.resource;
  return operation && (resources.find(isMeant) ?? nested.find(isMeant));
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
