import { isSame, toJson } from '../../common/json.ts';
import { topOf } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import type { Change } from '../cases/case.ts';
import { mayBeComputed, saysComputed } from '../document/computed.ts';
import { statedSuccesses } from '../document/stated.ts';
import { type CreatedValues, createdAs } from '../transcript/created-items.ts';
import { type Item, itemWithId } from '../transcript/items.ts';
import { madeChanges, type TriedChange } from '../transcript/ledger.ts';
import type { Transcript } from '../transcript/transcript.ts';
import {
  aboutMember,
  type Check,
  type Clause,
  called,
  type Judge,
  shown,
  shownMember,
  type Violation,
} from './check.ts';
import { pointerTo } from './needs.ts';

/** An item as a response showed it after a change. */
type ChangedItem = {
  change: TriedChange['change'];
  id: string;
  look: TriedChange['looks'][number];
  item: Item;
};

/** Facts about an item: how it was created, and which properties its deployment may compute. */
type ItemFacts = CreatedValues & {
  resource: Resource | undefined;
  /** Whether the deployment computes a property, by the document or as the item was created. */
  isComputed: (name: string) => boolean;
  clause: Clause;
  /** The clauses that a change breaks which sets nothing, and one which leaves what it must not. */
  ofNothing: Pick<Violation, 'clause'>;
  ofLeft: Pick<Violation, 'clause'>;
};

/** The kind and the method of the changes that a check is about. */
const changing = { updated: ['update', 'PATCH'], replaced: ['replace', 'PUT'] } as const;

/** Creates a check of changes of some kinds, by what an RFC says of them. */
export function createChangeCheck(
  hows: readonly Change[],
  given: Pick<Check, 'id' | 'unheld' | 'needs' | 'isStatedByNeed'> &
    Pick<Clause, 'source' | 'text'>,
): Check {
  const { source, text, ...check } = given;
  const clause: Clause = { basis: 'standard', source, text };
  const of = check.id === 'updated' || check.id === 'replaced' ? check.id : undefined;
  return {
    ...check,
    clause,
    cases: ['change', 'look'],
    needsCases: ['list', 'read', 'create', 'change', 'items'],
    ...(of && { findStated: (document) => statedChange(collectionsOf(document), of) }),
    judge(transcript, judge) {
      for (const how of hows) judgeChanges(transcript, judge, { how, clause, check: of });
    },
  };
}

/**
 * Finds where a document states that items of these collections are changed, as a JSON pointer. The
 * document describes a success at the path of an item, and a read of that item.
 */
function statedChange(
  resources: readonly Resource[],
  check: keyof typeof changing,
): string | undefined {
  const [kind, method] = changing[check];
  const found = resources
    .flatMap(({ operations }) => (operations.read && operations[kind]) ?? [])
    .find((one) => one.method === method && idParameterOf(one) && statedSuccesses(one).length > 0);
  return found && pointerTo(found);
}

/**
 * Holds the changes of a kind against what is seen of the item afterwards: what was sent replaces
 * what was there, in whatever form, and what was not sent stays as it was, or, where the whole item
 * is replaced, does not. A deployment may compute some properties itself: `clause`, which rests on
 * an RFC alone, is that of what may be such a property.
 */
function judgeChanges(
  transcript: Transcript,
  judge: Judge,
  { how, clause, check }: { how: Change; clause: Clause; check: keyof typeof changing | undefined },
): void {
  const { document } = transcript;
  const made = madeChanges(transcript, how).filter(
    ({ change }) => check === undefined || change.case.method === changing[check][1],
  );
  const isOpen = check !== undefined && !document.clauses.some(({ id }) => id === check);
  const seen = made.flatMap(({ change, looks }) =>
    looks.flatMap((look): ChangedItem[] => {
      const { id } = change.case.purpose;
      const resource = findResource(document, look.case.operation);
      const item = resource && itemWithId(look, resource, id);
      return item ? [{ change, id, look, item }] : [];
    }),
  );
  const ofItem = Map.groupBy(seen, ({ id, look }) => `${look.case.operation?.resource} ${id}`);
  for (const changes of ofItem.values()) {
    const [{ id, look }] = changes as [ChangedItem];
    const resource = findResource(document, look.case.operation);
    const created = createdAs(transcript, resource, id);
    // What holds the id may have the version of the item, which every change moves.
    const holder = resource?.idHolder && topOf(resource.idProperty);
    const isComputed = (name: string) =>
      name === holder ||
      created.madeOtherwise.has(name) ||
      saysComputed(document, resource?.item.properties[name]);
    const source = resource && check && statedChange([resource], check);
    const stated: Clause = source ? { ...clause, basis: 'stated', source } : clause;
    const about = {
      ...{ ...created, resource, isComputed, clause },
      ofNothing: isOpen ? { clause: stated } : {},
      ofLeft: isOpen ? { clause } : {},
    };
    judgeSet(judge, changes, about);
    for (const one of changes) judgeSame(judge, one, about);
    for (const one of changes) judgeLeft(judge, one, about);
  }
}

/** Whether a value that was sent is as it was before. */
function isIgnored({ look, item }: ChangedItem, name: string): boolean {
  return isSame(item[name], valueBefore(look, name));
}

const valueBefore = ({ case: { purpose } }: ChangedItem['look'], name: string) =>
  purpose.expected.changed[name]?.from;

const namesSet = ({ look }: ChangedItem) => Object.keys(look.case.purpose.expected.changed);

/** A property that a change sends, with what was seen of it afterwards. */
type SentProperty = ChangedItem & { name: string };

/** Judges the properties that changes sent. A deployment may keep or compute some, but not all. */
function judgeSet(judge: Judge, changes: readonly ChangedItem[], about: ItemFacts): void {
  const sent = changes.flatMap((one): SentProperty[] =>
    namesSet(one).map((name) => ({ ...one, name })),
  );
  const set = sent.filter((one) => !isIgnored(one, one.name));
  const ignored = sent.filter((one) => !set.includes(one) && !about.isComputed(one.name));
  const isOneSet = set.length > 0;
  const ofItems = [...Map.groupBy(ignored, ({ id }) => id).values()];
  const found = isOneSet ? ignored.map((one) => [one]) : ofItems;
  for (const one of set) judge.hold(true, one.change, () => toIgnored([one]));
  // What is never shown may have been set all the same.
  const isSure = ({ name, look }: SentProperty) =>
    !mayBeComputed(name) && valueBefore(look, name) !== undefined;
  for (const group of found)
    judge.hold(false, (group[0] as SentProperty).change, () => ({
      ...toIgnored(group),
      ...(!isOneSet && group.some(isSure) ? about.ofNothing : { clause: about.clause }),
    }));
  const [first] = sent;
  if (first && !isOneSet && ignored.length === 0)
    judge.inconclusive(`${called(first.change)} sets only what the deployment computes itself`);
}

function toIgnored(all: readonly SentProperty[]): Omit<Violation, 'exchange'> {
  const sent = [...new Map(all.map((one) => [one.name, one])).values()];
  const [{ change, id, look }] = sent as [SentProperty];
  const names = sent.map(({ name }) => name);
  const values = sent.map((one) => {
    const { to } = one.look.case.purpose.expected.changed[one.name] ?? {};
    return `"${one.name}": ${shown(to)}`;
  });
  return {
    message: `${called(change)} answers ${change.response.status}, but ${quote(names)} ${names.length === 1 ? 'is as it was' : 'are as they were'}`,
    expected: `${values.join(', ')}, in ${called(look)}`,
    actual: sent.map(({ item, name }) => members(item, [name])).join(', '),
    ...aboutMember(id, ...names),
  };
}

/**
 * Judges the properties that a patch does not name. Those that a deployment may compute are left
 * out.
 */
function judgeSame(judge: Judge, { change, id, look, item }: ChangedItem, about: ItemFacts): void {
  const { same } = look.case.purpose.expected;
  const names = Object.keys(same).filter((name) => !about.isComputed(name) && !mayBeComputed(name));
  if (names.length === 0) return;
  const lost = names.filter((name) => !isSame(item[name], same[name]));
  const isLost = (name: string) =>
    isEmpty(item[name]) || isDefault(item[name], name, about) || !(name in item);
  const { required = [] } = about.resource?.item ?? {};
  const optional = names.filter((name) => !required.includes(name));
  const isReplaced = (optional.length > 0 ? optional : names).every(
    (name) => lost.includes(name) && isLost(name),
  );
  judge.hold(lost.length === 0, change, () => ({
    message: `${called(change)} changes ${quote(lost)}, which the patch does not name`,
    expected: `${members(same, lost)}, as before`,
    actual: members(item, lost),
    ...aboutMember(id, ...lost),
    ...(!isReplaced && { clause: about.clause }),
  }));
}

/** Judges the properties that a replacement leaves out. */
function judgeLeft(judge: Judge, seen: ChangedItem, about: ItemFacts): void {
  const { change, id, look, item } = seen;
  const { left = {} } = look.case.purpose.expected;
  const names = Object.keys(left).filter(
    (name) =>
      !about.isComputed(name) && !mayBeComputed(name) && !isDefault(left[name], name, about),
  );
  const set = namesSet(seen);
  const isDone = set.length === 0 || set.some((name) => !isIgnored(seen, name));
  if (!isDone || names.length === 0) return;
  // A deployment may hold on to one of them, such as an owner; one that merges holds on to all.
  const isLeftOut = names.some((name) => !isSame(item[name], left[name]));
  judge.hold(isLeftOut, change, () => ({
    message: `${called(change)} answers ${change.response.status}, but what it does not send is as it was: ${quote(names)}`,
    expected: `an item without the values that the body leaves out, in ${called(look)}`,
    actual: members(item, names),
    ...aboutMember(id, ...names),
    ...about.ofLeft,
  }));
}

function isEmpty(value: unknown): boolean {
  return value === null || ['""', '[]', '{}', 'false', '0'].includes(toJson(value ?? null));
}

/** Whether a value is that of items for which nobody sends one. */
function isDefault(value: unknown, name: string, { unsent, resource }: ItemFacts): boolean {
  const { default: byDefault } = resource?.item.properties[name] ?? {};
  return (
    (byDefault !== undefined && isSame(value, byDefault)) ||
    unsent.some((one) => name in one && isSame(one[name], value))
  );
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function members(item: Readonly<Item>, names: readonly string[]): string {
  return names.map((name) => shownMember(item, name)).join(', ');
}
