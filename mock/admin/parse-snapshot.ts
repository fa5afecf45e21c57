import { setImmediate } from 'node:timers/promises';
import type { ApiDocument, Resource, Schema } from '../../contracts/description/document.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { pointerTo } from '../../contracts/description/property-path.ts';
import { type ClockState, isInstant, parseInstant } from '../clock.ts';
import { createIdLedger, createNoteKey } from '../items/item-ids.ts';
import { schemaOfItem } from '../items/item-schema.ts';
import { toStoredItem } from '../items/stored-item.ts';
import { oncePer } from '../json/once-per.ts';
import { maxProblems, type Problem } from '../json/problems.ts';
import { quote } from '../json/quote.ts';
import type { CompileSchema, Validate } from '../json/validator.ts';
import type { KeyUsage, LimiterState } from '../limits/limiter.ts';
import type { ApiKey, LimitPolicy } from '../limits/plans.ts';
import type { ToInitialState } from '../sandboxes/sandbox.ts';
import { SandboxOptionError } from '../sandboxes/sandbox-options.ts';
import type { SandboxState } from '../sandboxes/sandbox-state.ts';
import type { Contents, StoredItem } from '../state/store.ts';
import { checkDomains } from './check-domains.ts';
import { createFindHostProblem } from './domain-answers.ts';
import {
  addProblem,
  type KeyFields,
  type SnapshotFields,
  type WindowFields,
  windowSteps,
} from './snapshot-text.ts';

/** A snapshot in JSON, its items parsed; large integers are bigints. */
export type SnapshotBody = SnapshotFields & {
  collections: Record<string, { next: number; items: Record<string, unknown>[] }>;
};

/** What a snapshot stands for, or what is wrong with it. */
export type ParsedSnapshot =
  | { state: SandboxState; problems?: never }
  | { state?: never; problems: Problem[] };

/**
 * Reads a snapshot that fits the schema of the admin's document; `doubles` is the same for a
 * validator, and `bytes` its size.
 */
export type ParseSnapshot = (
  body: SnapshotBody,
  doubles: unknown,
  bytes: number,
) => Promise<ParsedSnapshot>;

export type ParseSnapshotOptions = {
  document: ApiDocument;
  compileSchema: CompileSchema;
  keys: readonly ApiKey[];
  toInitialState: ToInitialState;
  /** The hosts of the twin itself, which are no domains of a project. */
  allowedHosts: readonly string[];
};

/** Makes the reader of snapshots, which holds all of one before anything is made of it. */
export function createParseSnapshot(options: ParseSnapshotOptions): ParseSnapshot {
  const { document, keys, toInitialState } = options;
  const findHostProblem = createFindHostProblem(options.allowedHosts);
  let validate: Validate | undefined;
  return async (body, doubles, bytes) => {
    validate ??= options.compileSchema(schemaOfCollections(document), 'writeOnly');
    const problems: Problem[] = validate(doubles, bytes) ?? [];
    if (problems.length > 0) return { problems };
    // Only items have integers beyond those of a double.
    const fields = doubles as SnapshotBody;
    const inContents: Problem[] = [];
    const given: [name: string, Contents][] = [];
    for (const resource of [...document.resources, ...document.singletons])
      if (Object.hasOwn(body.collections, resource.name))
        given.push([resource.name, await toContents(resource, body.collections, inContents)]);
    const collections = Object.fromEntries(given);
    // After the items, as the files of the twin may be reloaded while those are read.
    if (fields.createdAt !== undefined) toInstant(fields.createdAt, '/createdAt', problems);
    const initialState = await toInitialState(fields.settings ?? {}).catch((error) => {
      if (!(error instanceof SandboxOptionError)) throw error;
      problems.push({ pointer: '/settings', problem: `"settings": ${error.message}` });
    });
    const clock = toClock(fields.clock, problems);
    const limits = toLimits(
      fields.keys ?? [],
      { keys, policy: initialState?.settings.policy },
      problems,
    );
    if (fields.domains) await checkDomains(fields.domains, problems, findHostProblem);
    problems.push(...inContents.slice(0, maxProblems - problems.length));
    if (problems.length > 0 || !initialState) return { problems };
    return {
      state: {
        initialState,
        clock,
        limits,
        ...(fields.domains && { domains: fields.domains }),
        collections: { ...initialState.seeds, ...collections },
      },
    };
  };
}

/** A schema of a snapshot that says what collections the document has and what their items are. */
const schemaOfCollections = oncePer(({ resources, singletons }: ApiDocument): Schema => {
  const ofItems = [...resources, ...singletons].map((resource) => {
    const items = { type: 'array', items: schemaOfItem(resource) };
    return [resource.name, { type: 'object', properties: { items } }];
  });
  return {
    type: 'object',
    properties: {
      collections: {
        type: 'object',
        properties: Object.fromEntries(ofItems),
        additionalProperties: false,
      },
    },
  };
});

/** How many items are read in a turn, before other requests have theirs: some 10 ms of work. */
const itemsPerTurn = 2000;

async function toContents(
  resource: Resource,
  collections: SnapshotBody['collections'],
  problems: Problem[],
): Promise<Contents> {
  const { items, next } = collections[resource.name] as SnapshotBody['collections'][string];
  const where = `/collections/${toToken(resource.name)}`;
  const ids = createIdLedger(resource.idSchema);
  const noteKey = createNoteKey(resource, ids);
  const stored: StoredItem[] = [];
  for (const [index, fields] of items.entries()) {
    if (index % itemsPerTurn === itemsPerTurn - 1) await setImmediate();
    const item = toStoredItem(resource, fields);
    const { key, first } = noteKey(fields, item.id, index);
    if (first !== undefined)
      addProblem(
        problems,
        `${where}/items/${index}${pointerTo(resource.idProperty)}`,
        `is "${item.id}", as is that of item ${first}; ids must differ`,
      );
    stored.push(key === undefined ? item : { ...item, id: key });
  }
  if (ids.last >= next)
    addProblem(
      problems,
      `${where}/next`,
      `must be more than ${ids.last}, which an item has for its id, but is ${next}`,
    );
  return { items: stored, next };
}

function toClock(fields: SnapshotFields['clock'], problems: Problem[]): ClockState {
  if (fields?.frozenAt !== undefined)
    return { frozenAt: toInstant(fields.frozenAt, '/clock/frozenAt', problems) };
  const offset = Number(fields?.offsetMillis ?? 0);
  if (!isInstant(Date.now() + offset))
    addProblem(
      problems,
      '/clock/offsetMillis',
      'must leave the clock after 1970 and before the last instant of ECMAScript',
    );
  return { offset };
}

type Known = { keys: readonly ApiKey[]; policy: LimitPolicy | undefined };

function toLimits(
  fields: readonly KeyFields[],
  { keys, policy }: Known,
  problems: Problem[],
): LimiterState {
  const limits = new Map<string, KeyUsage>();
  const names = keys.map(({ name }) => name);
  const steps = windowSteps(policy);
  for (const [index, given] of fields.entries()) {
    const where = `/keys/${index}`;
    const key = keys.find(({ name }) => name === given.name)?.key;
    if (key === undefined) addProblem(problems, `${where}/name`, mustBeOneOf(names, given.name));
    else if (limits.has(key)) addProblem(problems, `${where}/name`, 'is used twice');
    else limits.set(key, toUsage(given, { where, steps }, problems));
    if (policy && given.plan !== undefined && !Object.hasOwn(policy.plans, given.plan))
      addProblem(problems, `${where}/plan`, mustBeOneOf(Object.keys(policy.plans), given.plan));
  }
  return limits;
}

function mustBeOneOf(known: readonly string[], got: string): string {
  return `must be one of ${known.join(', ')}, but is ${quote(got)}`;
}

function toUsage(
  { minutes = [], days = [], strikes = [], ban, plan }: KeyFields,
  { where, steps }: { where: string; steps: ReturnType<typeof windowSteps> },
  problems: Problem[],
): KeyUsage {
  const instantAt = (text: string, pointer: string) =>
    toInstant(text, `${where}/${pointer}`, problems);
  const toCounters = (windows: WindowFields[], field: keyof typeof steps) => {
    const counters = new Map<number, number>();
    for (const [index, { from, calls }] of windows.entries()) {
      const pointer = `${field}/${index}/from`;
      const at = instantAt(from, pointer) / steps[field];
      if (!Number.isInteger(at))
        addProblem(
          problems,
          `${where}/${pointer}`,
          steps[field] === 60_000 || field === 'days'
            ? `must be the beginning of one of the UTC ${field}`
            : `must be the beginning of a window of ${steps[field] / 1000} s in UTC`,
        );
      if (counters.has(at)) addProblem(problems, `${where}/${pointer}`, `is used twice`);
      counters.set(at, calls);
    }
    return counters;
  };
  return {
    minute: toCounters(minutes, 'minutes'),
    day: toCounters(days, 'days'),
    strikes: strikes.map((text, index) => instantAt(text, `strikes/${index}`)),
    ...(ban && { ban: { until: instantAt(ban.until, 'ban/until'), seconds: ban.seconds } }),
    ...(plan !== undefined && { plan }),
  };
}

/** Unix milliseconds; 0 where there is a problem. */
function toInstant(text: string, pointer: string, problems: Problem[]): number {
  const instant = parseInstant(text);
  if (isInstant(instant)) return instant;
  addProblem(
    problems,
    pointer,
    `must be a date and time in ISO 8601, from 1970 on, but is ${quote(text)}`,
  );
  return 0;
}
