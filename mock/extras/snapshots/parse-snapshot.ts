import type { Api } from '../../../openapi/index.ts';
import { type ClockState, isInstant, parseInstant } from '../../clock.ts';
import type { DomainsState } from '../../domains/domains-state.ts';
import { hostName, toDomainKind, toHostName } from '../../domains/host-name.ts';
import { parseGivenItems } from '../../items/given-items.ts';
import { toDoubles } from '../../json/exact-json.ts';
import { maxProblems, type Problem } from '../../json/problems.ts';
import { quote } from '../../json/quote.ts';
import type { CompileSchema } from '../../json/validator.ts';
import { indexAt, type KeyUsage } from '../../limits/decide.ts';
import type { LimiterState } from '../../limits/limiter.ts';
import type { ApiKey, LimitPolicy } from '../../limits/plans.ts';
import { byPeriod } from '../../limits/windows.ts';
import { SandboxOptionError } from '../../sandboxes/sandbox-options.ts';
import type { SavedState, ToInitialState } from '../../sandboxes/sandbox-state.ts';
import type { TasksState } from '../../tasks/tasks.ts';
import { createFindHostProblem, type FindHostProblem } from '../domains/domain-handlers.ts';
import { maxZoneSize, sizeOf } from '../domains/zone.ts';
import type { KeyFields, SnapshotFields, TaskFields } from './snapshot-text.ts';

/** A snapshot in JSON, its items parsed; large integers are bigints. */
export type SnapshotBody = SnapshotFields & {
  collections: Record<string, { next: number; items: Record<string, unknown>[] }>;
};

/** The parsed snapshot, or its problems. */
export type ParsedSnapshot =
  | { state: SavedState; problems?: never }
  | { state?: never; problems: readonly Problem[] };

/** Reads a snapshot that fits the schema of the admin's document. */
export type ParseSnapshot = (body: SnapshotBody) => Promise<ParsedSnapshot>;

export type ParseSnapshotOptions = {
  document: Api;
  compileSchema: CompileSchema;
  keys: readonly ApiKey[];
  toInitialState: ToInitialState;
  /** The hosts of the twin itself, which are no domains of a project. */
  allowedHosts: readonly string[];
};

/** Creates the reader of snapshots, which validates a whole snapshot before any use of it. */
export function createParseSnapshot(options: ParseSnapshotOptions): ParseSnapshot {
  const { document, compileSchema, keys, toInitialState } = options;
  const findHostProblem = createFindHostProblem(options.allowedHosts);
  return async ({ collections: given, ...others }) => {
    // Items alone have exact numbers.
    const fields = {
      ...(toDoubles(others) as typeof others),
      ...(given && { collections: given }),
    };
    const how = { document, compileSchema, maxProblems, areStored: true };
    const { collections, problems: ofItems } = await parseGivenItems(fields, how);
    if (ofItems) return { problems: ofItems };
    const problems: Problem[] = [];
    const report: Report = (place, problem) => {
      if (problems.length < maxProblems)
        problems.push({ pointer: `/${place}`, problem: `"${place}" ${problem}.` });
    };
    // After the items, as the files of the twin may be reloaded while those are read.
    if (fields.createdAt !== undefined) toInstant(fields.createdAt, 'createdAt', report);
    const initialState = await toInitialState(fields.settings ?? {}).catch((error) => {
      if (!(error instanceof SandboxOptionError)) throw error;
      problems.push({ pointer: '/settings', problem: `"settings": ${error.message}` });
    });
    const clock = toClock(fields.clock, report);
    const known = { keys, policy: initialState?.settings.policy };
    const limits = toLimits(fields.keys ?? [], known, report);
    const { domains } = fields;
    if (domains) await checkDomains(domains, within(report, 'domains'), findHostProblem);
    const tasks = fields.tasks && toTasks(fields.tasks, report);
    if (problems.length > 0 || !initialState) return { problems };
    const all = { ...initialState.seeds, ...collections };
    const state: SavedState = { options: initialState.options, clock, limits, collections: all };
    if (domains) state.domains = domains;
    if (tasks) state.tasks = tasks;
    return { state };
  };
}

function toClock(fields: SnapshotFields['clock'], report: Report): ClockState {
  if (fields?.frozenAt !== undefined)
    return { frozenAt: toInstant(fields.frozenAt, 'clock/frozenAt', report) };
  const offset = Number(fields?.offsetMillis ?? 0);
  if (!isInstant(Date.now() + offset))
    report(
      'clock/offsetMillis',
      'must leave the clock after 1970 and before the last instant of ECMAScript',
    );
  return { offset };
}

type KeyRules = { keys: readonly ApiKey[]; policy: LimitPolicy | undefined };

function toLimits(
  fields: readonly KeyFields[],
  { keys, policy }: KeyRules,
  report: Report,
): LimiterState {
  const limits = new Map<string, KeyUsage>();
  const names = keys.map(({ name }) => name);
  const plans = Object.keys(policy?.plans ?? {});
  for (const [index, given] of fields.entries()) {
    const { name, plan } = given;
    const ofKey = within(report, `keys/${index}`);
    const key = keys.find((one) => one.name === name)?.key;
    if (key === undefined) ofKey('name', mustBeOneOf(names, name));
    else if (limits.has(key)) ofKey('name', 'is used twice');
    else limits.set(key, toUsage(given, ofKey));
    if (policy && plan !== undefined && !plans.includes(plan))
      ofKey('plan', mustBeOneOf(plans, plan));
  }
  return limits;
}

function mustBeOneOf(known: readonly string[], got: string): string {
  return `must be one of ${known.join(', ')}, but is ${quote(got)}`;
}

function toUsage(fields: KeyFields, report: Report): KeyUsage {
  const { strikes = [], ban, plan } = fields;
  const counters = byPeriod((row) => {
    const entries = (fields[row.saved] ?? []).map(({ from, calls }, index) => {
      const at = toInstant(from, `${row.saved}/${index}/from`, report);
      return [indexAt(row, at), calls] as const;
    });
    return new Map(entries);
  });
  const usage: KeyUsage = {
    ...counters,
    strikes: strikes.map((text, index) => toInstant(text, `strikes/${index}`, report)),
  };
  if (ban) usage.ban = { until: toInstant(ban.until, 'ban/until', report), seconds: ban.seconds };
  if (plan !== undefined) usage.plan = plan;
  return usage;
}

/** Tasks in the order in which they are due; their ids say which was added last. */
function toTasks(given: readonly TaskFields[], report: Report): TasksState {
  const list = given.map((task, index) => {
    const place = `tasks/${index}`;
    if (given.findIndex(({ id }) => id === task.id) < index) report(`${place}/id`, 'is used twice');
    return { ...task, due: toInstant(task.due, `${place}/due`, report) };
  });
  const last = Math.max(0, ...list.map(({ id }) => Number(id.replace('task-', ''))));
  return { last, list: list.toSorted((left, right) => left.due - right.due) };
}

/** Unix milliseconds; 0 where there is a problem. */
function toInstant(text: string, place: string, report: Report): number {
  const instant = parseInstant(text);
  if (isInstant(instant)) return instant;
  report(place, `must be a date and time in ISO 8601, from 1970 on, but is ${quote(text)}`);
  return 0;
}

/** Takes what is wrong at a place. */
type Report = (place: string, problem: string) => void;

/** Reports what is wrong below a place. */
function within(report: Report, above: string): Report {
  return (place, problem) => report(`${above}/${place}`, problem);
}

/** Notes names that domains of a snapshot cannot have, and more records than there is room for. */
async function checkDomains(
  given: DomainsState,
  report: Report,
  findHostProblem: FindHostProblem,
): Promise<void> {
  const { domains, redirects, zone } = given;
  const checkHost = async (place: string, name: string) => {
    if (toHostName(name) !== name)
      report(place, `must be ${hostName} in lower case, but is ${quote(name)}`);
    const problem =
      findHostProblem(name)?.replace(/\.$/, '') ??
      ((await toDomainKind(name)) ? undefined : 'must be a name below a public suffix');
    if (problem !== undefined) report(place, problem);
  };
  for (const [index, { name }] of domains.entries()) await checkHost(`domains/${index}/name`, name);
  for (const [index, { from }] of redirects.entries())
    await checkHost(`redirects/${index}/from`, from);
  if (sizeOf(zone) > maxZoneSize)
    report('zone', `has more than ${maxZoneSize} changes and records together`);
}
