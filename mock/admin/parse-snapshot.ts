import type { ApiDocument } from '../../contracts/description/document.ts';
import { type ClockState, isInstant, parseInstant } from '../clock.ts';
import { parseGivenItems } from '../items/given-items.ts';
import { maxProblems, type Problem } from '../json/problems.ts';
import { quote } from '../json/quote.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { KeyUsage, LimiterState } from '../limits/limiter.ts';
import type { ApiKey, LimitPolicy } from '../limits/plans.ts';
import type { ToInitialState } from '../sandboxes/sandbox.ts';
import { SandboxOptionError } from '../sandboxes/sandbox-options.ts';
import type { SandboxState } from '../sandboxes/sandbox-state.ts';
import { checkDomains } from './check-domains.ts';
import { createFindHostProblem } from './domain-handlers.ts';
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
  | { state?: never; problems: readonly Problem[] };

/** Reads a snapshot that fits the schema of the admin's document; `doubles` is the same for a validator. */
export type ParseSnapshot = (body: SnapshotBody, doubles: unknown) => Promise<ParsedSnapshot>;

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
  const { document, compileSchema, keys, toInitialState } = options;
  const findHostProblem = createFindHostProblem(options.allowedHosts);
  return async (body, doubles) => {
    const given = { value: body, doubles };
    const how = { document, compileSchema, maxProblems, areStored: true };
    const { collections, problems: ofItems } = await parseGivenItems(given, how);
    if (ofItems) return { problems: ofItems };
    const problems: Problem[] = [];
    // Only items have integers beyond those of a double.
    const fields = doubles as SnapshotBody;
    // After the items, as the files of the twin may be reloaded while those are read.
    if (fields.createdAt !== undefined) toInstant(fields.createdAt, '/createdAt', problems);
    const initialState = await toInitialState(fields.settings ?? {}).catch((error) => {
      if (!(error instanceof SandboxOptionError)) throw error;
      problems.push({ pointer: '/settings', problem: `"settings": ${error.message}` });
    });
    const clock = toClock(fields.clock, problems);
    const known = { keys, policy: initialState?.settings.policy };
    const limits = toLimits(fields.keys ?? [], known, problems);
    const { domains } = fields;
    if (domains) await checkDomains(domains, problems, findHostProblem);
    if (problems.length > 0 || !initialState) return { problems };
    const all = { ...initialState.seeds, ...collections };
    const state: SandboxState = { initialState, clock, limits, collections: all };
    if (domains) state.domains = domains;
    return { state };
  };
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
