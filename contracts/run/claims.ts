import { leavesIn, membersOf } from '../../common/json.ts';
import { shapeOf, unescaped } from '../../common/path-template.ts';
import { lettersOf, wordsOf } from '../../common/words.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { uuid } from '../../openapi/model/id-form.ts';
import { type Exchange, type MadeItem, sentValue } from '../transcript/exchange.ts';
import {
  type Item,
  idAsked,
  idOf,
  isSameText,
  itemIn,
  sentFields,
  withoutQuery,
} from '../transcript/items.ts';
import { type ItemRecord, keyOf, ledgerOf, pathAsked } from '../transcript/ledger.ts';
import { createdAt, idInAnswer, isCreatedSince, leavesOf, showsSent } from '../transcript/made.ts';
import { findOperation } from '../transcript/recognize.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { ClaimedItem } from './find-foreign.ts';
import { itemPathsOf } from './item-paths.ts';

export type ClaimsOptions = {
  /** The exchanges so far. */
  transcript: Pick<Transcript, 'document' | 'exchanges'>;
  /** Whether a value is one that only this run sends. */
  isMarked: (value: unknown) => boolean;
};

/**
 * The state of an item that a create was answered with. `own`: the run made it, and may change it.
 * `gone`: it was deleted, and another item may get its id. `shared`: several creates were answered
 * with its id. `foreign`: its path led to another item.
 */
type ItemState =
  | ({ is: 'own'; fields: Item } & ClaimedItem)
  | { is: 'gone'; paths: readonly string[] }
  | { is: 'shared' | 'foreign' };

/** Last words of members that identify an item or a person. */
const naming = /(?:name|login|e?mail|handle)$|^(?:id|uuid|slug|key)$/;

/** Holds the state of each item of the run, and asks the ledger for all others. */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #started = Date.now();
  readonly #items = new Map<string, ItemState>();
  /** Ids and names that the answers showed which were read until now, in lower case. */
  readonly #names = new Set<string>();
  /** Texts in lower case that creates of items of the run sent, after their operations. */
  readonly #sent = new Set<string>();
  #read = 0;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Returns the items that are the run's own. */
  own(): ClaimedItem[] {
    return [...this.#items.values()].filter((one) => one.is === 'own');
  }

  /** Returns the paths of deleted items of the run whose ids no other item gets. */
  spentPaths(): string[] {
    return [...this.#items.values()].flatMap((one) => (one.is === 'gone' ? one.paths : []));
  }

  /** Whether a text is the id of an item that was shown and that the run has not made. */
  isOthersId(text: string): boolean {
    return ledgerOf(this.#options.transcript)
      .recordsWithId(text)
      .some((record) => record.shown.length > 0 && this.isOthers(record));
  }

  /** Whether an item of a collection that the run has not made shows a text in a property. */
  isOthersText(resource: Resource, name: string, text: string): boolean {
    const { records } = ledgerOf(this.#options.transcript).account(resource);
    return [...records.values()].some(
      (record) => record.shown.at(-1)?.item[name] === text && this.isOthers(record),
    );
  }

  /** Whether the run has not made the item of a record. */
  isOthers({ key }: ItemRecord): boolean {
    return (this.#items.get(key)?.is ?? 'foreign') === 'foreign';
  }

  /** Whether a text is what identifies something in an answer, such as a login, that is not the run's. */
  isOthersName(text: string): boolean {
    const { transcript, isMarked } = this.#options;
    // What is fuzzed shows names that the run made up.
    for (const { response, case: one } of transcript.exchanges.slice(this.#read))
      if (response && response.status < 300 && one.purpose.kind !== 'fuzz')
        for (const [value, name] of leavesIn(response.json))
          if (naming.test(wordsOf(name).at(-1) ?? '') && !isMarked(value))
            this.#names.add(String(value).toLowerCase());
    this.#read = transcript.exchanges.length;
    return this.#names.has(text.toLowerCase());
  }

  /** Whether an operation made an item of the run with a text in its body. */
  hasSent({ id }: Operation, text: string): boolean {
    return this.#sent.has(`${id} ${text}`.toLowerCase());
  }

  /**
   * Whether an item shows what a create sent and nobody else sends, in the members that sent it if it
   * has these; undefined if the create sent nothing such.
   */
  shows(item: unknown, create: Exchange): boolean | undefined {
    const { isMarked } = this.#options;
    const value = sentValue(create) ?? create.request.marker;
    const isShown = showsSent(item, value, isMarked);
    const inMembers = membersShow(item, sentFields(create), isMarked);
    return isShown && (inMembers ?? true);
  }

  /**
   * Tells whose the item is that a create answered with; `looked` is how a list showed it afterwards,
   * or a read of the id `at`. An item is the run's own only under the id that led to it.
   */
  claim(create: Exchange, looked?: Item, at?: string): MadeItem {
    const { transcript, isMarked } = this.#options;
    const resource = findResource(transcript.document, create.case.operation) as Resource;
    const told = itemIn(create);
    const shown = looked ?? told;
    const given = at ?? idInAnswer(create, resource);
    const id = given ?? idOf(shown, resource.idProperty);
    const found = { ...(id !== undefined && { id }), ...(shown && { item: shown }) };
    if (id === undefined) return { ...found, whose: 'unproven', reason: 'its answer has no id' };
    const other = looked && otherId(looked, resource, { given, told }, isMarked);
    if (other !== undefined) return { ...found, ...isOfOther(id, other) };
    const { path } = create.request;
    const key = keyOf(resource, path, id);
    const known = this.#claimAgain(create, resource, { id, key });
    if (known) return { ...known, ...found };
    const record = () => ledgerOf(transcript).record(resource, path, id);
    const before = whyOthers(create, {
      shown,
      seenAt: firstSeen(record()),
      started: this.#started,
    });
    if (before !== undefined)
      return { ...found, whose: 'others', reason: `${before}, and may have been overwritten` };
    const isLooked = looked !== undefined;
    const unproven = this.#whyUnproven(create, resource, { id, shown, isLooked });
    // The user says that a call of a setup makes it, unless its answer may be what is there.
    const isCreated = unproven?.isEchoed || create.response?.status === 201;
    if (unproven && !(create.case.isSetup && isCreated))
      return { ...found, whose: 'unproven', ...unproven };
    const paths = itemPathsOf(resource, { collection: path, id, item: shown });
    const taken = paths.find((one) => isOfAnother(transcript.document, resource, one));
    if (taken)
      return { ...found, whose: 'unproven', reason: `${taken} is another operation's path` };
    const made: MadeItem = { ...found, whose: 'own' };
    const shownLast = () => record()?.shown.at(-1)?.item;
    const of = resource.name;
    for (const leaf of leavesOf(sentValue(create)))
      this.#sent.add(`${create.case.operation?.id} ${leaf}`.toLowerCase());
    const [sent, fields] = [sentText(create), sentFields(create)];
    this.#move(key, { is: 'own', of, sent, fields, paths, made, shownLast });
    return made;
  }

  /** Moves an item to another state; `told` replaces what was told of it as the run's own. */
  #move(key: string, to: ItemState, told?: MadeItem): void {
    const known = this.#items.get(key);
    if (known?.is === 'own' && told) Object.assign(known.made, told);
    this.#items.set(key, to);
  }

  /** Whose an item is whose id another create was answered with. */
  #claimAgain(
    create: Exchange,
    resource: Resource,
    { id, key }: { id: string; key: string },
  ): MadeItem | undefined {
    const known = this.#items.get(key);
    if (known?.is !== 'own' && known?.is !== 'shared') return undefined;
    // A create may be sent again, and may ask for the id of an item of the run.
    const asked = idOf(sentFields(create), resource.idProperty);
    if (known.is === 'own' && (known.sent === sentText(create) || asked === id)) return known.made;
    const reason = 'several creates were answered with its id';
    const shared: MadeItem = { whose: 'shared', reason };
    this.#move(key, { is: 'shared' }, shared);
    return shared;
  }

  /** Why nothing proves that an item is the run's own. */
  #whyUnproven(
    create: Exchange,
    resource: Resource,
    { id, shown, isLooked }: { id: string; shown: Item | undefined; isLooked: boolean },
  ): Pick<MadeItem, 'reason' | 'isEchoed' | 'isUnmarked'> | undefined {
    const isShown = this.shows(shown ?? create.response?.json, create);
    if (isShown === undefined) return { isUnmarked: true };
    if (!isShown) return { reason: 'it does not show the sent values' };
    const { isMarked } = this.#options;
    if (
      !isMarked(id) &&
      leavesOf(sentValue(create)).some((leaf) => isMarked(leaf) && isCut(id, leaf))
    )
      return { reason: 'its id is cut from what was sent, and others may have it' };
    // An answer may only repeat the request; what is to be changed must be seen at its own path.
    const isEchoed = !isLooked && isChangeable(resource);
    return isEchoed ? { isEchoed, reason: 'no read of it showed it' } : undefined;
  }

  /** Learns from an answer which own items are gone; returns those that are another's. */
  learn(exchange: Exchange, resource: Resource): MadeItem[] {
    const lost = this.#disown(exchange, resource);
    const [id, collection] = [idAsked(exchange), pathAsked(exchange)];
    const key = keyOf(resource, collection, id);
    const known = this.#items.get(key);
    const isMade = known?.is === 'own' || known?.is === 'shared';
    if (exchange.case.method === 'DELETE' && isMade) this.#move(key, this.#toGone(key));
    // A change may give an item another path, such as one with its new name; a read may prove one.
    else if (known?.is === 'own' && exchange.case.of) {
      const item = itemIn(exchange);
      const { isMarked } = this.#options;
      const isShown = membersShow(item, known.fields, isMarked);
      const isRead = exchange.case.operation?.kind === 'read';
      const proven = isRead && isShown ? [withoutQuery(exchange.request.path)] : [];
      // Another item may have the name that a deployment made of the run's.
      const named = itemPathsOf(resource, { collection, id, item }).filter((one) =>
        isMarked(lastOf(one)),
      );
      const paths = [...named, ...proven];
      this.#move(key, { ...known, paths: [...new Set([...known.paths, ...paths])] });
    }
    return lost;
  }

  /** The state of a deleted item: only paths by a UUID, or by a text of this run, are no other's later. */
  #toGone(key: string): ItemState {
    const known = this.#items.get(key);
    const { isMarked } = this.#options;
    const isSpent = (id: string) => uuid.test(id) || (/\D/.test(id) && isMarked(id));
    return {
      is: 'gone',
      paths: known?.is === 'own' ? known.paths.filter((path) => isSpent(lastOf(path))) : [],
    };
  }

  /** Leaves an item alone from now on if an answer at its own path shows another id. */
  #disown(exchange: Exchange, resource: Resource): MadeItem[] {
    const asked = withoutQuery(exchange.request.path);
    const shown = itemIn(exchange);
    // The answer to a change may be something else than the item, such as a job.
    const isRead = exchange.case.operation?.kind === 'read';
    if (!shown || !(isRead || repeatsSent(shown, sentFields(exchange)))) return [];
    return [...this.#items].flatMap(([key, item]) => {
      if (item.is !== 'own' || !item.paths.includes(asked)) return [];
      const { made } = item;
      const { id: given, item: before } = made;
      const other = otherId(shown, resource, { given, told: before }, this.#options.isMarked);
      if (other === undefined) return [];
      const isRenamed = !isRead && leavesOf(sentFields(exchange)).some(isOf(other));
      const reason = `a change gave it the id ${other}`;
      const told: MadeItem = isRenamed ? { whose: 'unproven', reason } : isOfOther(made.id, other);
      this.#move(key, { is: 'foreign' }, told);
      return [made];
    });
  }
}

/**
 * Whether an id is the beginning of a text that was sent, so that other texts may lead to the same id.
 * Longer numbers begin with those that a deployment counts by chance.
 */
function isCut(id: string, sent: unknown): boolean {
  const [start, text] = [lettersOf(id), lettersOf(String(sent))];
  const isTelling = /\D/.test(id) || (id.length > 3 && /\D/.test(text));
  return isTelling && start !== '' && text.startsWith(start);
}

/** Tells of a text that was sent whether an id has its letters, as a slug has. */
function isOf(id: string): (sent: unknown) => boolean {
  return (sent) => lettersOf(String(sent)) === lettersOf(id);
}

/** When an item was first shown since it was last deleted, if ever, in Unix milliseconds. */
function firstSeen(record: ItemRecord | undefined): number | undefined {
  const { shown = [], deleted = [] } = record ?? {};
  const deletedAt = deleted.at(-1)?.number ?? 0;
  const since = shown.filter(({ exchange }) => exchange.number > deletedAt);
  return since.length === 0
    ? undefined
    : Math.min(...since.map(({ exchange }) => exchange.endedAt));
}

/**
 * Whether an item shows the run's texts in the members that sent them: another item may quote them
 * elsewhere. Undefined if it has no such member.
 */
function membersShow(
  item: unknown,
  sent: Item,
  isMarked: (value: unknown) => boolean,
): boolean | undefined {
  const shown = membersOf(item) ?? {};
  const told = Object.entries(sent)
    .filter(([name]) => Object.hasOwn(shown, name) && leavesOf(shown[name]).length > 0)
    .map(([name, value]) => showsSent(shown[name], value, isMarked))
    .filter((one) => one !== undefined);
  return told.length > 0 ? told.some(Boolean) : undefined;
}

/** The last part of a path. */
function lastOf(path: string): string {
  return unescaped(path.split('/').findLast((part) => part !== '') ?? '');
}

function sentText({ request }: Exchange): string {
  return String(request.body ?? '');
}

/** Whether an item has a value that a change of it sent, in the same property. */
function repeatsSent(item: Item, sent: Item): boolean {
  return Object.entries(sent).some(([name, value]) => isSameText(item[name], value));
}

/** Whether items of a collection can be changed or deleted. */
function isChangeable({ operations }: Resource): boolean {
  const { replace, update, delete: remove } = operations;
  return [replace, update, remove].some((one) => one !== undefined);
}

/** Whether a path names no item: an id may be what another path has in its place, as `/users/all`. */
function isOfAnother(document: Api, { operations }: Resource, path: string): boolean {
  const { other } = findOperation(document, { method: '', path });
  const shapes = Object.values(operations).map((one) => shapeOf(one.path));
  return other !== undefined && !shapes.includes(shapeOf(other.path));
}

/** Tells why an item that a create answered with is not new; undefined where nothing says so. */
function whyOthers(
  create: Exchange,
  {
    shown,
    seenAt,
    started,
  }: { shown: Item | undefined; seenAt?: number | undefined; started: number },
): string | undefined {
  const { operation } = create.case;
  if (seenAt !== undefined && seenAt <= create.sentAt) return 'it was there before';
  const describes = (text: string) => operation?.responses.some(({ status }) => status === text);
  // Where a document describes 201 beside 200, this is for an item that is there.
  if (create.response?.status === 200 && describes('200') && describes('201'))
    return 'its answer is that for an item which is there';
  const created = shown && createdAt(shown);
  return !shown || created === undefined || isCreatedSince(create, shown, started)
    ? undefined
    : `it says that it was created at ${new Date(created).toISOString()}`;
}

/** Names the properties that identify an item beside the id in its path. */
const namesBeside = ['id', 'uuid'];

/**
 * Returns the id that an answer shows instead of the requested one, or instead of one that stood
 * beside it when it was first seen. Undefined without another id.
 */
function otherId(
  shown: Item,
  { idProperty, item: { properties } }: Resource,
  { given, told }: { given: string | undefined; told: Item | undefined },
  isMarked: (value: unknown) => boolean,
): string | undefined {
  // An item may be in an envelope that the document does not describe.
  const isBare = Object.keys(shown).some((name) => Object.hasOwn(properties, name));
  const held = Object.values(shown).filter((one) => idOf(one, idProperty) !== undefined);
  const item =
    held.find((one) => leavesOf(one).some(isMarked)) ??
    held.find((one) => idOf(one, idProperty) === given) ??
    held[0];
  const id = idOf(shown, idProperty) ?? (isBare ? undefined : idOf(item, idProperty));
  if (given !== undefined && id !== undefined && !isSameId(id, given)) return id;
  // A job that a create was answered with has an id of its own.
  const beside = namesBeside.filter((name) => name !== idProperty && idOf(told, name));
  return beside
    .map((name) => ({ was: idOf(told, name), is: idOf(shown, name) }))
    .find(({ was, is }) => is !== undefined && !isSameId(is, was))?.is;
}

/** Compares two ids; a UUID is the same in any case (RFC 9562 §4). */
function isSameId(one: string, other = ''): boolean {
  return one === other || (uuid.test(one) && one.toLowerCase() === other.toLowerCase());
}

/** Returns ownership `others` for an item shown under another id than the one that led to it. */
function isOfOther(
  id: string | undefined,
  shownId: string,
): Pick<MadeItem, 'whose' | 'reason' | 'shownId'> {
  const reason = `${id} led to an item that shows the id ${shownId}`;
  return { whose: 'others', reason, shownId };
}
