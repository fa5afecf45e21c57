import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { DocumentError, UsageError } from '../../common/cli/usage-error.ts';
import { namedItemsFile, readNamedItems } from '../../fixtures/named-items.ts';
import { type Api, compile, type DocumentWarning, type ReadDocument } from '../../openapi/index.ts';
import { withOpenLists } from '../../openapi/model/api.ts';
import { describeWarnings } from '../../openapi/model/warnings.ts';
import type { GivenData } from '../items/given-items.ts';
import { parseExact } from '../json/exact-json.ts';
import {
  type ApiKey,
  type LimitPolicy,
  PolicyError,
  parseKeys,
  parsePlans,
} from '../limits/plans.ts';
import { toFigures } from '../limits/windows.ts';
import type { ServedFiles } from '../served.ts';
import { readJsonFile } from '../settings/read-file.ts';
import type { Config } from '../settings/settings.ts';

export type ReadServedOptions = {
  /**
   * The content of a plans file, merged over that of the file itself, and of files of keys, of data
   * of pins, of behaviours and of an overlay, replacing them.
   */
  given?: {
    plans?: unknown;
    keys?: unknown;
    data?: unknown;
    pins?: unknown;
    behaviours?: unknown;
    overlay?: object;
  };
  /** Called with the absolute path of each file that is read, even if one of them is wrong. */
  files?: Set<string>;
  /** The result of the previous reading; equal parts are reused as the same objects. */
  before?: ServedFiles;
  /** The document, if it was read before. */
  read?: ReadDocument | undefined;
};

/** Reads the files that the settings name. Throws {@link UsageError} or DocumentError. */
export async function readServed(
  config: Config,
  { given = {}, files = new Set(), before, read }: ReadServedOptions,
): Promise<ServedFiles> {
  const own = builtIn('contracts/openapi.yaml');
  const stated = await compile(config.spec ?? own, {
    files,
    overlay: given.overlay ?? config.overlay,
    allowRefs: config.allowRefs,
    isStrict: config.strictSpec,
    pins: given.pins ?? config.pins,
    read,
  });
  refuseOwnPaths(stated, config.spec ?? own);
  if (before) refuseNewFaults(stated, before.document);
  const data = await openGiven(config.data, { given: given.data, files });
  const found = data ? withOpenLists(stated, await data.names(before?.data)) : stated;
  const document = before ? reuseDocument(found, before.document) : found;
  const ownFigures = [config.plans, config.keys, given.plans, given.keys];
  const hasPlans = config.spec === undefined || ownFigures.some((one) => one !== undefined);
  const limits = hasPlans ? 'plans' : limitsOf(found);
  let policy = readPolicy(config.plans, {
    stated: found.plans,
    perMinute: limits === 'documented' ? found.limits?.perMinute : undefined,
    given: given.plans,
    files,
  });
  const keys = readKeys(config.keys, { plans: policy.plans, given: given.keys, files });
  const namedItems = await readAllNamedItems(found, files);
  const arePinsSame = before?.pins !== undefined && before.document === document;
  const pins = arePinsSame ? before.pins : await readPinned(document, given.pins ?? config.pins);
  if (pins?.ban !== undefined) policy = { ...policy, ban: pins.ban };
  const served: ServedFiles = {
    document,
    namedItems: reuse(namedItems, before?.namedItems),
    policy: reuse(policy, before?.policy),
    limits,
    keys: reuse(keys, before?.keys),
  };
  if (pins) served.pins = pins;
  const behaviours = {
    given: given.behaviours,
    file: config.behaviours,
    before: before?.behaviours,
  };
  if (Object.values(behaviours).some((one) => one !== undefined)) {
    const { readBehaviours } = await import('../extras/behaviours/read-behaviours.ts');
    served.behaviours = await readBehaviours({ ...behaviours, document, files });
  }
  if (data) {
    const isSame = before?.data?.textHash === data.textHash && before.document === document;
    served.data = isSame ? before.data : await data.read(document);
  }
  return served;
}

/** The value of before where both say the same. */
function reuse<Value>(value: Value, before: Value | undefined): Value {
  return before !== undefined && isDeepStrictEqual(before, value) ? before : value;
}

/** Reads the answers that a document is pinned to; undefined without any. Throws {@link DocumentError}. */
async function readPinned(document: Api, given: unknown): Promise<ServedFiles['pins']> {
  if (given === undefined) return undefined;
  const { readPins } = await import('../extras/pinned-parts.ts');
  try {
    return readPins(document);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DocumentError(`${typeof given === 'string' ? given : 'pins'}: ${error.message}`);
  }
}

/** The data to begin with, yet to be held against a document; undefined without any. */
async function openGiven(
  file: string | undefined,
  options: { given: unknown; files: Set<string> },
) {
  if (file === undefined && options.given === undefined) return undefined;
  const { namesOfData, openData, readData } = await import('./read-data.ts');
  const source = await openData(file, options);
  return (
    source && {
      textHash: source.textHash,
      names: (before: GivenData | undefined) => namesOfData(source, before),
      read: (document: Api) => readData(source, document),
    }
  );
}

/**
 * The document of before where both say the same; with the very same text, where they differ in
 * which of their open lists are collections.
 */
function reuseDocument(document: Api, before: Api): Api {
  if (!isDeepStrictEqual(before.exact.asOpenApi(), document.exact.asOpenApi())) return document;
  const namesOf = ({ resources }: Api) => resources.map(({ name }) => name);
  const isSame = isDeepStrictEqual(namesOf(before), namesOf(document));
  return isSame ? before : { ...document, schemas: before.schemas };
}

/**
 * Who saves a document again has just made the mistakes that it did not have before, or is about to
 * go on writing.
 */
function refuseNewFaults({ file, written }: Api, before: Api): void {
  const toLine = ({ pointer, problem }: DocumentWarning) => `${pointer} ${problem}`;
  const known = new Set(before.written.warnings.map(toLine));
  const others = written.warnings.filter((warning) => !known.has(toLine(warning)));
  const problem = describeWarnings(file, others);
  if (problem !== undefined) throw new DocumentError(problem);
}

/** The twin answers some paths itself, so the document cannot have operations there. */
function refuseOwnPaths({ basePath, operations }: Api, file: string): void {
  const taken = operations.find(({ path }) =>
    /^\/(__admin(\/|$)|sandboxes\/)/i.test(basePath + path),
  );
  if (taken)
    throw new DocumentError(
      `${file} describes ${taken.path}, which the mock answers itself. Put the API below another path, with "servers".`,
    );
}

/** Which limits a document of others has: by plans, by headers, or none. */
function limitsOf({ plans, limits }: Api): ServedFiles['limits'] {
  if (Object.keys(plans).length > 0) return 'plans';
  return limits ? 'documented' : 'none';
}

type PolicyOptions = {
  stated: Api['plans'];
  /**
   * The requests a minute that replace those of each built-in plan, if the document states them.
   */
  perMinute: number | undefined;
  given: unknown;
  files: Set<string>;
};

function readPolicy(
  file: string | undefined,
  { stated, perMinute, given, files }: PolicyOptions,
): LimitPolicy {
  const fixture = { flag: '--plans', path: 'fixtures/plans.json' };
  let policy = parseFile(fixture, files, (value) => parsePlans(value, stated));
  if (perMinute !== undefined) policy = withOneLimit(policy, perMinute);
  if (file !== undefined)
    policy = parseFile({ flag: '--plans', file }, files, (value) => parsePlans(value, {}, policy));
  return given === undefined ? policy : explained('plans', () => parsePlans(given, {}, policy));
}

/** The plans with this many calls a minute each, and as many as that allows in longer windows. */
function withOneLimit({ plans, ban }: LimitPolicy, perMinute: number): LimitPolicy {
  const figures = toFigures(({ seconds }) => (perMinute * seconds) / 60);
  const entries = Object.entries(plans).map(([name, plan]) => [name, { ...plan, ...figures }]);
  return { plans: Object.fromEntries(entries), ban };
}

type KeysOptions = { plans: LimitPolicy['plans']; given: unknown; files: Set<string> };

function readKeys(file: string | undefined, { plans, given, files }: KeysOptions): ApiKey[] {
  const nameOf = (_: string, index: number) => `key-${index + 1}`;
  if (given !== undefined) return explained('keys', () => parseKeys(given, plans, nameOf));
  const flag = '--keys';
  return file === undefined
    ? parseFile({ flag, path: 'fixtures/keys.json' }, files, (value) =>
        parseKeys(value, plans, (key) => key),
      )
    : parseFile({ flag, file }, files, (value) => parseKeys(value, plans, nameOf));
}

/** Parses a file that a flag names, or one of the package by its path. */
function parseFile<Parsed>(
  { flag, file, path = '' }: { flag: string; file?: string; path?: string },
  files: Set<string>,
  parse: (value: unknown) => Parsed,
): Parsed {
  const read = file ?? builtIn(path);
  files.add(resolve(read));
  const value = readJsonFile(read, flag);
  return explained(file === undefined ? path : `${flag} ${file}`, () => parse(value));
}

async function readAllNamedItems(
  { resources }: Api,
  files: Set<string>,
): Promise<ServedFiles['namedItems']> {
  const texts = resources.map(async ({ name }) => {
    const file = namedItemsFile(name);
    files.add(file);
    const text = await readNamedItems(name);
    try {
      parseExact(text);
    } catch (error) {
      throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}.`);
    }
    return [name, text] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

function explained<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof PolicyError ? new UsageError(`${file}: ${error.message}`) : error;
  }
}

function builtIn(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
