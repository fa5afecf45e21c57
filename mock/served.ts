import { DocumentError } from '../common/cli/usage-error.ts';
import type { Api } from '../openapi/index.ts';
import { listRulesOf } from '../openapi/model/lists.ts';
import { createToErrorForm, type ToErrorForm } from './documented/error-forms.ts';
import type { OwnBehaviours } from './extras/behaviours/read-behaviours.ts';
import type { Pins } from './extras/pins/pins.ts';
import { type Cors, createCors, documentedHeaderNames } from './http/cors.ts';
import {
  createToDocumentedHeaders,
  type ToLimitHeaders,
  toPlanHeaders,
  toPlanHeadersIfCounted,
} from './http/limit-headers.ts';
import { createWriteXml, type WriteXml } from './http/xml/write-xml.ts';
import { IndexedFilters } from './items/find-items.ts';
import type { GivenData } from './items/given-items.ts';
import { createMakeSeeds, findMisfits, type NamedItems, withReports } from './items/seeds.ts';
import { type CompileSchema, compilerOf, toSentences } from './json/validator.ts';
import type { LimitMode } from './limits/limiter.ts';
import type { ApiKey, LimitPolicy } from './limits/plans.ts';
import type { Log } from './log.ts';
import { type Fingerprint, hashItems, hashText } from './sandboxes/fingerprint.ts';
import { cacheSeeds, createToInitialState, type MakeSeeds } from './sandboxes/open-sandboxes.ts';
import type { SandboxSettings } from './sandboxes/sandbox-options.ts';
import type { InitialState, ToInitialState } from './sandboxes/sandbox-state.ts';
import { scopesOf } from './state/scopes.ts';

/** Holds the contents of a mock's files, which may change while the mock runs. */
export type ServedFiles = {
  document: Api;
  namedItems: NamedItems;
  policy: LimitPolicy;
  /** Selects the limits: of plans, of the headers that the document describes, or none. */
  limits: 'plans' | 'documented' | 'none';
  keys: readonly ApiKey[];
  /** Items to begin with instead of generated ones. */
  data?: GivenData | undefined;
  /** Pins unspecified behaviours, if given. */
  pins?: Pins | undefined;
  /** Answers operations by code of the user. */
  behaviours?: OwnBehaviours | undefined;
};

/** Adds the data that the mock derives from its files before it serves them. */
export type PreparedFiles = ServedFiles & {
  indexed: IndexedFilters;
  compileSchema: CompileSchema;
  makeSeeds: MakeSeeds;
  /** The initial state of sandboxes without options of their own. */
  initialState: InitialState;
  toInitialState: ToInitialState;
  writeXml: WriteXml;
  /** Undefined where the document describes errors as the twin has them, or none. */
  toErrorForm: ToErrorForm | undefined;
  toLimitHeaders: ToLimitHeaders;
  cors: Cors;
};

/** The settings of the mock's initial state. */
export type StartSettings = Pick<SandboxSettings, 'seed'> & {
  items: number;
  /** As far as the document has limits, where undefined. */
  rateLimits?: LimitMode;
};

export type PrepareOptions = {
  settings: StartSettings & { cors: boolean };
  log: Pick<Log, 'warn'>;
  /** Holds the data served now; unchanged parts are reused. */
  before?: PreparedFiles;
};

/**
 * Prepares what a twin serves. Throws DocumentError where the document cannot be served, or where
 * named items were changed and do not fit it.
 */
export async function prepareServed(
  served: ServedFiles,
  options: PrepareOptions,
): Promise<PreparedFiles> {
  const { before } = options;
  const { seed, items: count } = options.settings;
  const items = await prepareItems(served, options);
  const initialState = {
    options: {},
    settings: {
      seed,
      ...(!served.data && { items: count }),
      rateLimits: toLimitMode(served, options.settings.rateLimits),
      policy: served.policy,
    },
    seeds: items.seeds,
  };
  const writeXml = createWriteXml(served.document);
  const prepared = {
    ...served,
    indexed: new IndexedFilters(served.document.resources, before?.indexed),
    compileSchema: items.compileSchema,
    makeSeeds: items.makeSeeds,
    initialState,
    toInitialState: createToInitialState(initialState, items.makeSeeds),
    writeXml,
    toErrorForm: createToErrorForm(served.document, writeXml),
    toLimitHeaders: chooseLimitHeaders(served),
    cors: createCors(options.settings.cors, documentedHeaderNames(served.document)),
  };
  if (before) ensureChangedItemsFit(prepared, before.namedItems);
  return prepared;
}

/** Returns the limit mode. By default, another document is limited only as far as it describes. */
function toLimitMode({ document, limits }: ServedFiles, given: LimitMode | undefined): LimitMode {
  if (given !== undefined) return given;
  if (limits === 'plans') return 'enforce';
  if (limits === 'none') return 'off';
  return document.limits?.perMinute === undefined ? 'observe' : 'enforce';
}

function chooseLimitHeaders({ document, limits }: ServedFiles): ToLimitHeaders {
  if (limits === 'plans') return toPlanHeaders;
  const { headers } = document.limits ?? { headers: [] };
  return headers.length > 0 ? createToDocumentedHeaders({ headers }) : toPlanHeadersIfCounted;
}

/** Returns the facts that decide about the items of a mock, as hashes where they are long. */
export function toFingerprint({ document, data, initialState }: PreparedFiles): Fingerprint {
  const { settings, seeds } = initialState;
  // Which open lists are collections is up to the data.
  const described = [...document.resources, ...document.singletons].filter(({ isOpen }) => !isOpen);
  const kinds = described.map((resource) => {
    const { name, idProperty, item, operations } = resource;
    const { filters } = listRulesOf(operations.list);
    const scopes = scopesOf(resource);
    return { name, idProperty, item, filters, ...(scopes.length > 0 && { scopes }) };
  });
  return {
    seed: settings.seed,
    pets: settings.items,
    document: hashText(JSON.stringify(kinds)),
    data: data?.itemsHash,
    items: hashItems(seeds),
  };
}

/** Makes the seeds, unless document, named items and data are the same as before. */
async function prepareItems(
  { document, namedItems, data }: ServedFiles,
  { settings, log, before }: PrepareOptions,
) {
  const isSame = before?.document === document && before.namedItems === namedItems;
  if (isSame && before.data === data) return { ...before, seeds: before.initialState.seeds };
  const compileSchema = compilerOf(document);
  const makeSeeds = createMakeSeeds(document, namedItems, compileSchema);
  const cached = cacheSeeds(makeSeeds);
  if (data) return { compileSchema, makeSeeds: cached, seeds: data.collections };
  const reports = { count: settings.items, report: log.warn };
  const seeds = withReports(document, await makeSeeds(settings), reports);
  return { compileSchema, makeSeeds: cached, seeds };
}

/**
 * Checks that changed named items fit the document; unchanged ones may belong to another document.
 */
function ensureChangedItemsFit(
  { document, namedItems, compileSchema }: PreparedFiles,
  before: NamedItems,
): void {
  for (const resource of document.resources) {
    const { name } = resource;
    const text = namedItems[name] ?? '[]';
    const isChanged = before[name] !== undefined && before[name] !== text;
    const misfits = isChanged && findMisfits(text, resource, compileSchema);
    if (misfits)
      throw new DocumentError(
        `The named items of ${name} do not match the document. ${toSentences(misfits)}`,
      );
  }
}
