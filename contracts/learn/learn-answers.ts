import type { Scope } from '../../common/expression.ts';
import { isObject, isSame, toJson } from '../../common/json.ts';
import { isJsonMedia, toEssence } from '../../common/media-type.ts';
import { withAt } from '../../common/property-path.ts';
import { textsIn } from '../data/collect-items.ts';
import { headerOf } from '../fidelity/compare-answers.ts';
import type { Round } from '../fidelity/replay-all.ts';
import { valuesOf } from '../transcript/exchange.ts';
import {
  explainOptional,
  explainsAll,
  explainValue,
  quoted,
  type Sample,
} from './explain-value.ts';
import {
  type CallFacts,
  explainForm,
  type LearnOptions,
  toScope,
  without,
} from './learn-members.ts';
import { byOperation, type Line, toLine } from './lines.ts';
import { createKeep, isOfService } from './may-keep.ts';
import type { Observation } from './observe.ts';

/** Learns the answers to errors, by the codes that the mock has for them, and those of successes. */
export function learnAnswers(all: readonly Observation[], options: LearnOptions): Line[] {
  return [...learnErrors(all), ...learnSuccesses(all, options)];
}

/** Learns the answer to paths that the document does not have. */
export function learnUnknownPaths({ runs }: Pick<Round, 'runs'>): Line[] {
  const code = 'unknown_path';
  const seen = [...runs].flatMap(([file, all]) =>
    all.flatMap((replayed) =>
      !replayed.operation && replayed.error?.code === code && replayed.outcome === 'refusal'
        ? [{ call: `${file} ${replayed.number}`, replayed, ...nothing }]
        : [],
    ),
  );
  return [learnError(code, seen) ?? []].flat();
}

const nothing = {
  path: {},
  query: {},
  body: undefined,
  before: undefined,
  parent: undefined,
  singles: {},
  serial: 0,
};

function learnErrors(all: readonly Observation[]): Line[] {
  // A credential that is refused says nothing of what the mock found before it.
  const isOfKey = ({ response, error }: Observation['replayed']) =>
    response.status === 401 && error?.step !== 'credentials';
  const refused = all.filter(
    ({ replayed }) =>
      replayed.error !== undefined &&
      replayed.outcome === 'refusal' &&
      replayed.twinOutcome === 'refusal' &&
      !isOfKey(replayed),
  );
  const byCode = Map.groupBy(refused, ({ replayed }) => replayed.error?.code ?? '');
  return [...byCode].flatMap(([code, seen]) => {
    const groups = byOperation(seen);
    const isOfAll = groups.length > 1 || seen.every(isBeforeOperation);
    const whole = isOfAll ? learnError(code, seen) : undefined;
    if (whole && isWhole(whole, seen)) return [whole];
    return groups.flatMap((own) => {
      const line = learnError(code, own);
      return line ? [{ ...line, operation: own[0].operation }] : [];
    });
  });
}

/** Whether the mock refused a call before it mattered which operation was called. */
function isBeforeOperation({ replayed: { error } }: Observation): boolean {
  return ['routing', 'credentials', 'limits'].includes(error?.step ?? '');
}

/** Whether a line has every member of the answers that it was learned from. */
function isWhole({ value }: Line, seen: readonly Observation[]): boolean {
  const countOf = (one: unknown): number =>
    typeof one === 'object' && one !== null
      ? Object.values(one).reduce<number>((sum, inner) => sum + countOf(inner), 1)
      : 1;
  const { body } = value as { body?: unknown };
  // What each operation may say better is no answer of all.
  if (toJson(body).includes('{error.message}')) return false;
  return seen.every(({ replayed }) => countOf(replayed.response.json) === countOf(body));
}

/** Learns one answer for all of some refusals; undefined where they are alike, or have none in common. */
function learnError(code: string, seen: readonly CallFacts[]): Line | undefined {
  if (seen.every(({ replayed }) => replayed.differences.length === 0)) return undefined;
  const [first] = seen;
  const status = first?.replayed.response.status;
  if (!first || seen.some(({ replayed }) => replayed.response.status !== status)) return undefined;
  // An item that the deployment has was lost before: no error of this kind.
  if (code === 'not_found' && ![200, 400, 403, 404, 410].includes(status ?? 0)) return undefined;
  // Where the mock answers errors, it knows only the item that it compared a version of.
  const itemOf = (one: CallFacts) => (code === 'precondition_failed' ? one.before : undefined);
  const toErrorScope = (one: CallFacts) =>
    ({
      error: {},
      ...toScope({ ...one, before: undefined, parent: undefined, singles: {} }, itemOf(one)),
    }) as Scope;
  const body = learnBody(
    seen.map(toErrorScope),
    seen.map(({ replayed }) => replayed.response.json),
  );
  const isStatus = seen.some(({ replayed }) => replayed.twin?.status !== status);
  const headers = learnHeaders(seen, toErrorScope);
  if (body !== undefined && seen.some(({ replayed }) => isPoorer(body, replayed))) return undefined;
  if (body === undefined && !isStatus && !headers) return undefined;
  const value = {
    ...(isStatus && { status }),
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
  };
  return toLine(seen, { rule: ['errors', code], value });
}

/** Whether a body lacks a member that the recorded answer and that of the mock have. */
function isPoorer(body: unknown, { response, twin }: Observation['replayed']): boolean {
  const [known, recorded, own] = [body, response.json, twin?.json].map((one) =>
    Object.keys(isObject(one) ? one : {}),
  );
  return own?.some((name) => recorded?.includes(name) && !known?.includes(name)) === true;
}

/**
 * Learns headers that the recorded answers lack or have and the mock has not, and of what their entity
 * tags are made; undefined where they have what the mock has.
 */
export function learnHeaders<One extends Pick<Observation, 'replayed'>>(
  seen: readonly One[],
  toScope: (one: One) => Scope,
  more: readonly string[] = [],
): Record<string, string> | undefined {
  const differing = seen.flatMap(({ replayed: { differences } }) =>
    differences.flatMap(({ kind, at }) => (kind === 'header' ? [at] : [])),
  );
  const entries = [...new Set([...differing, ...more, 'etag'])].flatMap(
    (name): [string, string][] => {
      const samples = seen.map((one) => ({
        value: headerOf(one.replayed.response, name),
        scope: toScope(one),
      }));
      if (more.includes(name) && samples.every(({ value }) => value === undefined)) return [];
      // What never differs is told apart from nothing by the mock's own tag.
      const isMade = new Set(samples.map(({ value }) => value)).size > 1;
      const isOfTag = name === 'etag' && !differing.includes(name);
      if (isOfTag && !isMade) return [];
      const keep = createKeep(seen, { name, keepValues: false });
      const explain = (some: readonly Sample[]) =>
        explainValue(some, { mayKeep: keep })?.expression;
      const isNow = explain(samples.map((one) => toVersion(one))) === '{number(now)}';
      const made = explain(samples) ?? (isNow ? '"{number(now)}"' : undefined);
      return typeof made === 'string' ? [[name, made]] : [];
    },
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A sample with the number in an entity tag in its place. */
function toVersion({ value, scope }: Sample): Sample {
  return { scope, value: Number(String(value).replaceAll('"', '')) };
}

/** The name of a value, and whether one may be kept that so many bodies have. */
type BodyOptions = { name?: string; keep?: typeof isOfService };

/**
 * Learns a body from some of it: what all have in common, with names in place of what differs. The
 * names are those that a scope has at each observation.
 */
export function learnBody(
  scopes: readonly Scope[],
  bodies: readonly unknown[],
  { name = '', keep = isOfService }: BodyOptions = {},
): unknown {
  const [first] = bodies;
  if (bodies.some((one) => one === undefined))
    return explainOptional(
      bodies.map((value, at) => ({ value, scope: scopes[at] as Scope })),
      name,
    );
  const learnAt = (key: string | number, inner = name) => {
    const values = bodies.map((one) => (one as Record<string | number, unknown>)[key]);
    return learnBody(scopes, values, { name: inner, keep });
  };
  if (Array.isArray(first)) {
    const isAlike = bodies.every((one) => Array.isArray(one) && one.length === first.length);
    if (!isAlike) return undefined;
    const items = first.map((_, at) => learnAt(at));
    return items.includes(undefined) ? undefined : items;
  }
  if (isObject(first)) {
    if (!bodies.every(isObject)) return undefined;
    const isWhole = bodies.every((one, at) => isSame(one, scopes[at]?.item));
    if (isWhole && Object.keys(first).length > 1) return '{item}';
    const keys = new Set(bodies.flatMap((one) => Object.keys(one)));
    const entries = [...keys].map((key) => [key, learnAt(key, key)]);
    const known = entries.filter(([, one]) => one !== undefined);
    return known.length > 0 || entries.length === 0 ? Object.fromEntries(known) : undefined;
  }
  const samples = bodies.map((value, at) => ({ value, scope: scopes[at] as Scope }));
  // What the item has is that of another one next time.
  if (/^[\w$@-]+$/.test(name) && scopes.every(({ item }) => isObject(item)))
    if (explainsAll(`{${name}}`, samples)) return `{${name}}`;
  const mayKeep = (value: unknown) => keep(value, name, bodies.length);
  const isOne = bodies.every((one) => isSame(one, first));
  if (isOne && mayKeep(first) && !scopes.some((scope) => namesSent(first, scope)))
    return quoted(first);
  const isKept = (value: unknown) => mayKeep(value) && !(isOne && value === first);
  const found = explainValue(samples, { mayKeep: isKept })?.expression;
  // A message that nothing explains is that of the mock, as documents ask for one.
  if (isMessage(first) && hasError(scopes)) return found ?? '{error.message}';
  return found ?? (typeof first === 'string' && !isOne ? explainForm(samples, name) : undefined);
}

/** Whether a text has several words, as messages have. */
function isMessage(value: unknown): boolean {
  return typeof value === 'string' && /\S\s+\S/.test(value);
}

function hasError(scopes: readonly Scope[]): boolean {
  return scopes.every(({ error }) => error !== undefined);
}

/** Whether a message has a text of the call in it, so that it is another one for another call. */
function namesSent(message: unknown, { path, query, body }: Scope): boolean {
  if (typeof message !== 'string') return false;
  return textsIn([path, query, body]).some((one) => one.length > 2 && message.includes(one));
}

/** Learns the status, the headers and, where the mock has no content or another one, the body of successes. */
function learnSuccesses(all: readonly Observation[], options: LearnOptions): Line[] {
  const succeeded = all.filter(
    ({ replayed: { outcome, twinOutcome } }) => outcome === 'success' && twinOutcome === 'success',
  );
  return byOperation(succeeded).flatMap((seen): Line[] => {
    const [{ operation }] = seen;
    const statuses = new Set(seen.map(({ replayed }) => replayed.response.status));
    const [status] = statuses;
    const isOther = seen.some(({ replayed }) => replayed.twin?.status !== status);
    // What was deleted is known as it was before.
    const headers = {
      ...learnHeaders(seen, (one) =>
        toScope(one, operation.kind === 'delete' ? one.before : one.after),
      ),
      ...learnMediaType(seen),
    };
    const found = {
      status: statuses.size === 1 && isOther ? status : undefined,
      headers: Object.keys(headers).length > 0 ? headers : undefined,
      body: learnSuccessBody(seen, options),
    };
    return Object.entries(found).flatMap(([name, value]) =>
      value === undefined ? [] : [toLine(seen, { operation, rule: [name], value })],
    );
  });
}

/** Learns the media type of texts, where all have one and the mock has another one. */
function learnMediaType(seen: readonly Observation[]): Record<string, string> | undefined {
  const types = new Set(
    seen.flatMap(({ replayed }) => valuesOf(replayed.response.headers, 'Content-Type')),
  );
  const [type = ''] = types;
  const isOfText = (one: unknown) => one !== '' && !isJsonMedia(toEssence(String(one)));
  const isOther = seen.some(({ replayed }) =>
    replayed.differences.some(({ kind, twin }) => kind === 'media type' && isOfText(twin)),
  );
  return isOther && types.size === 1 && isOfText(type) ? { 'Content-Type': type } : undefined;
}

/** Learns the body of deletions, and of actions to which the mock answers nothing: often the item. */
function learnSuccessBody(seen: readonly Observation[], { keepValues }: LearnOptions): unknown {
  const isOther = ({ operation: { kind }, replayed: { differences } }: Observation) =>
    differences.some((one) =>
      kind === 'delete' ? one.kind !== 'header' : one.kind === 'media type' && one.twin === '',
    );
  const [{ operation } = {}] = seen;
  const { itemsAt = [] } = operation ?? {};
  const held = `/${itemsAt.join('/')}`;
  const isAround = ({ replayed: { differences } }: Observation) =>
    differences.some(({ at }) => at.startsWith('/') && !`${at}/`.startsWith(`${held}/`));
  const isWrapped =
    operation?.method !== 'GET' && itemsAt.length > 0 && !seen.some(isOther) && seen.some(isAround);
  if (!seen.some(isOther) && !isWrapped) return undefined;
  const bodies = seen.map(({ replayed }) => replayed.response.json);
  const isItem = ({ before }: Observation, at: number) =>
    before &&
    isObject(bodies[at]) &&
    Object.keys(before).every((name) => name in (bodies[at] as object));
  if (seen.every((one, at) => one.operation.kind !== 'delete' && isItem(one, at))) return '{item}';
  const scopes = seen.map((one) => toScope({ ...one, singles: {} }, one.before));
  // An answer to a success shows items, and no text of the service's own.
  const keep: BodyOptions['keep'] = (value, name, samples) =>
    createKeep(seen, { name, keepValues })(value, samples);
  if (!isWrapped) return learnBody(scopes, bodies, { keep });
  const path = itemsAt.join('.');
  const around = bodies.map((one) => (isObject(one) ? without(one, [path]) : one));
  const learned = learnBody(scopes, around, { keep });
  return isObject(learned) ? withAt(learned, path, '{item}') : undefined;
}
