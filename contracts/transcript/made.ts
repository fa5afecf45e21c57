import { toInstant } from '../../common/instant.ts';
import { leavesIn, membersOf } from '../../common/json.ts';
import { unescaped } from '../../common/path-template.ts';
import { lettersOf, toPlainName } from '../../common/words.ts';
import type { Resource } from '../../openapi/index.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { type Answer, type Exchange, headerValue, isAnswered } from './exchange.ts';
import { type Item, idOf, itemIn } from './items.ts';

/** Whether an exchange is a create that the target answered with a success. */
export function isMade(exchange: Exchange): exchange is Answer {
  const { adds = false } = rowOf(exchange.case.operation?.kind);
  return adds && isAnswered(exchange) && exchange.response.status < 300;
}

/** The id of the item that a create made, where it is proven to be the run's own. */
export function ownIdOf(create: Exchange | undefined): string | undefined {
  return create?.made?.whose === 'own' ? create.made.id : undefined;
}

/**
 * Returns the id of a created item from its answer: from the item, from a member named like the id
 * or the path parameter (`silenceID`), or from `Location` (RFC 9110 §10.2.2).
 */
export function idInAnswer(answer: Exchange, resource: Resource): string | undefined {
  const { idProperty, operations } = resource;
  const { read, update, replace, delete: remove } = operations;
  const members = membersOf(answer.response?.json) ?? {};
  const parameters = [read, update, replace, remove].map((one) => one && idParameterOf(one));
  const wanted = [idProperty, ...parameters].map((one) => one && toPlainName(one));
  const all = Object.keys(members).filter((one) => wanted.includes(toPlainName(one)));
  const [named] = all;
  // A job has an id of its own beside the one that paths ask for.
  const ofJob = all.find((one) => toPlainName(one) !== wanted[0]);
  return (
    (ofJob === undefined ? undefined : idOf(members, ofJob)) ??
    idOf(itemIn(answer), idProperty) ??
    idOf(members, idProperty) ??
    (named === undefined ? undefined : idOf(members, named)) ??
    idInLocation(answer, resource)
  );
}

function idInLocation(answer: Exchange, { path }: Resource): string | undefined {
  const location = headerValue(answer, 'Location');
  if (location === undefined || !URL.canParse(location, 'http://localhost')) return undefined;
  const segments = new URL(location, 'http://localhost').pathname.split('/').filter(Boolean);
  const last = segments.at(-1);
  const isCollection = segments.length < 2 || last === path.split('/').at(-1);
  return last === undefined || isCollection ? undefined : unescaped(last);
}

/**
 * Whether a value shows what a request sent and nobody else sends, in the letters and digits of a
 * text, as the same number, or as the same instant; undefined where the request sent no such thing.
 * `isMarked` says of a value whether only this run sends it.
 */
export function showsSent(
  value: unknown,
  sent: unknown,
  isMarked: (leaf: unknown) => boolean,
): boolean | undefined {
  const wanted = leavesOf(sent).filter(isMarked);
  if (wanted.length === 0) return undefined;
  const shown = leavesOf(value);
  return wanted.some((one) => shown.some((leaf) => isAlike(leaf, one, isMarked)));
}

function isAlike(shown: unknown, sent: unknown, isMarked: (leaf: unknown) => boolean): boolean {
  if (typeof shown !== 'string' || typeof sent !== 'string') return String(shown) === String(sent);
  const [left, right] = [lettersOf(shown), lettersOf(sent)];
  const isCut = right.includes(left) && isMarked(shown);
  return left.includes(right) || isCut || toInstant(shown) === toInstant(sent);
}

/** The texts and numbers that a JSON value holds. */
export function leavesOf(value: unknown): unknown[] {
  const isTelling = (leaf: unknown) =>
    leaf !== null && !['undefined', 'boolean'].includes(typeof leaf);
  return leavesIn(value).flatMap(([leaf]) => (isTelling(leaf) ? [leaf] : []));
}

/** An instant before which an item says that it was created; undefined where it says none. */
export function createdAt(item: Item): number | undefined {
  const instants = Object.entries(item).flatMap(([name, value]) => {
    const instant = /creat/i.test(name) ? toInstant(value) : Number.NaN;
    return Number.isNaN(instant) ? [] : [instant];
  });
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** Clocks this close, in milliseconds, are taken for one. */
const clockGap = 60_000;

/** Tells whether an item says that it was created after a time, in Unix milliseconds. */
export function isCreatedSince(create: Exchange, shown: Item, time: number): boolean {
  const date = Date.parse(headerValue(create, 'Date') ?? '');
  const ahead = Number.isNaN(date) ? 0 : date - create.endedAt;
  const created = createdAt(shown);
  return created !== undefined && created >= time + ahead - clockGap;
}
