import { shapeOf } from '../../common/path-template.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { makeableIn } from '../cases/call-cases.ts';
import type { Case } from '../cases/case.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import { isInProse } from '../document/stated.ts';
import { type Exchange, isAnswered, type Made, sentValue } from '../transcript/exchange.ts';
import { idAsked, idOf, withoutQuery, withSlashes } from '../transcript/ids.ts';
import { type Item, isSameText, itemIn, itemsIn, sentFields } from '../transcript/items.ts';
import { baseOf } from '../transcript/ledger.ts';
import { idInAnswer, showsSent } from '../transcript/made.ts';
import { findOperation } from '../transcript/recognize.ts';
import type { SkipReason } from '../transcript/transcript.ts';
import { type Claimed, findForeign, isSecretValue, type Plans, valuesIn } from './find-foreign.ts';
import { itemPathsOf, type PathParameter, parametersIn } from './item-paths.ts';
import { isListedValue, whyOthers } from './not-of-run.ts';
import { isOfOther, otherId } from './other-id.ts';

/** The path, the headers and the body of a case as they will be sent. */
type Filled = {
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: string | undefined;
};

type OwnershipOptions = {
  document: Api;
  /** The ids of operations that may be called whatever they change. */
  allowed?: readonly string[];
  /** Whether items may be created at all. */
  writes: boolean;
  /** Whether the target ends with the run, so that all that is there may be changed. */
  isTemporary?: boolean;
  /** Whether a value is one that only this run sends. */
  isMarked: (value: unknown) => boolean;
};

/** How often an operation that may change something fails before it is called no more. */
const failuresOfOne = 5;

/** Statuses of a deletion that will be refused again, whatever the item. */
const neverDeleted = [401, 403, 405, 501];

/** Knows which items the run made, and so what it may change. */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #started = Date.now();
  readonly #claimed = new Map<string, Claimed>();
  /** When items were seen first that the run had not made by then, in Unix milliseconds. */
  readonly #seen = new Map<string, number>();
  /** The keys of such items by their ids, whatever the collection. */
  readonly #othersIds = new Map<string, Set<string>>();
  /** The keys of all items that were the run's own, also of those that are gone. */
  readonly #everOwn = new Set<string>();
  readonly #plans: Plans = new Map();
  /** How often each operation has failed that never did otherwise. */
  readonly #failures = new Map<Operation | undefined, number>();
  /** How many creates of each operation made what was not proven, where none was. */
  readonly #unproven = new Map<Operation | undefined, number>();
  /** The operations whose creates nothing proved. */
  readonly #givenUp = new Set<Operation | undefined>();
  /** The keys of items whose id several creates were answered with. */
  readonly #sharedKeys = new Set<string>();
  /** The collections of which an own item could not be deleted, with the status that said so. */
  readonly #undeletable = new Map<string | undefined, number>();
  /** The creates that were answered with what the run has not made. */
  readonly #answersOthers = new Set<Operation | undefined>();
  /** The creates that took a body without a mark, which should have been refused. */
  readonly #tookUnmarked = new Set<Operation | undefined>();

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  /**
   * Why a call may not be made, as it might change what the run has not made; undefined where it
   * only creates an item that can be found again, or names items of the run alone. An operation that
   * the user allows may be called whatever its path names that the run cannot make, but its creates name
   * no item of others in what they send: deleting them might delete that too.
   */
  whyNot(one: Case, filled: Filled): SkipReason | undefined {
    const { document, allowed, writes, isTemporary } = this.#options;
    const { operation, method } = one;
    const isAllowed = operation !== undefined && allowed?.includes(operation.id) === true;
    if (!isUnsafe({ method }) || isTemporary) return undefined;
    const resource = findResource(document, operation);
    const isCreate = operation && createsWhatIsFound(operation, resource);
    // Where nothing may be made, it is called as the user allows it.
    if (isAllowed && writes && !this.#isOnOwn(operation, filled.path))
      return { code: 'not-on-own' };
    if (isAllowed && !isCreate) return undefined;
    if (!writes && !isAllowed) return { code: 'writes-not-allowed' };
    // More calls of what only fails tell nothing, and may harm.
    if ((this.#failures.get(operation) ?? 0) >= failuresOfOne) return { code: 'keeps-failing' };
    const barred = isCreate
      ? this.#whyNotCreated(one, operation, { ...filled, isAllowed })
      : this.#whyNotChanged(operation, filled.path);
    const claimed = [...this.#claimed.values()];
    const isOthersId = (text: string) => this.isOthersId(text);
    const known = { ...this.#options, claimed, isOthersId, plans: this.#plans };
    const name = barred || !operation ? undefined : findForeign(known, { operation, ...filled });
    return name === undefined ? barred : { code: 'refers-to-others', name };
  }

  /** Whether a text is the id of an item that was shown and that the run has not made. */
  isOthersId(text: string): boolean {
    return (this.#othersIds.get(text)?.size ?? 0) > 0;
  }

  #whyNotCreated(
    { purpose }: Case,
    operation: Operation,
    { isAllowed, ...filled }: Filled & { isAllowed: boolean },
  ): SkipReason | undefined {
    const { document, isMarked } = this.#options;
    const mayOverwrite = !isInProse(document) && this.#answersOthers.has(operation);
    if (mayOverwrite) return { code: 'answers-others' };
    const status = this.#undeletable.get(operation.resource);
    if (status !== undefined) return { code: 'never-deleted', status };
    if (this.#givenUp.has(operation)) return { code: 'never-proven' };
    const segments = withoutQuery(filled.path).split('/');
    if (!isAllowed && !this.#areOwn(operation, parametersIn(operation.path, segments)))
      return { code: 'below-others' };
    // What nothing deletes needs no proof; a body that must be refused makes nothing, unless one did.
    const isProofNeeded = !isToBeRefused(purpose) || this.#tookUnmarked.has(operation);
    const isDeletable = findResource(document, operation)?.operations.delete !== undefined;
    const marks = valuesIn(document, operation, filled.body).filter(({ value }) => isMarked(value));
    const isUnmarked = isDeletable && isProofNeeded && marks.length === 0;
    // No answer shows a secret, so that nothing would prove what has no other mark.
    const isHidden = marks.length > 0 && marks.every(isSecretValue);
    return isUnmarked || isHidden ? { code: 'unmarked' } : undefined;
  }

  /** Whether a path names items of the run where the run can make these. */
  #isOnOwn(operation: Operation, path: string): boolean {
    const paths = this.#ownPaths();
    const segments = withoutQuery(path).split('/');
    return makeableIn(this.#options.document, operation).every((one) =>
      paths.includes(segments.slice(0, one.path.split('/').length + 1).join('/')),
    );
  }

  /** Whether a path names an item of the run, or what is below one. */
  mayChange(operation: Operation | undefined, path: string): boolean {
    return this.#whyNotChanged(operation, path) === undefined;
  }

  #whyNotChanged(operation: Operation | undefined, path: string): SkipReason | undefined {
    const asked = withoutQuery(path);
    const own = this.#ownPaths().find((one) => `${asked}/`.startsWith(`${one}/`));
    if (own === undefined) return { code: 'may-change-others' };
    if (!operation) return undefined;
    const sent = withSlashes(this.#options.document, operation, asked);
    if (sent !== asked && this.isOthersId(idAsked(sent))) return { code: 'may-change-others' };
    const below = parametersIn(operation.path, asked.split('/'), own.split('/').length);
    return this.#areOwn(operation, below) ? undefined : { code: 'may-change-others' };
  }

  #ownPaths(): string[] {
    return [...this.#claimed.values()].flatMap(({ paths }) => paths);
  }

  /** Whether each parameter ends a path that names an item of the run, or has a value of a few. */
  #areOwn(operation: Operation, parameters: readonly PathParameter[]): boolean {
    const paths = this.#ownPaths();
    return parameters.every(
      ({ name, path }) =>
        paths.includes(path) || isListedValue(this.#options.document, operation, name),
    );
  }

  /** Learns from an answer what is there, and what is gone. */
  learn(exchange: Exchange): void {
    const { case: testCase, request, endedAt } = exchange;
    const { operation } = testCase;
    const hasFailed = (exchange.response?.status ?? 500) >= 500;
    const failures = (this.#failures.get(operation) ?? 0) + 1;
    this.#failures.set(operation, hasFailed ? failures : Number.NEGATIVE_INFINITY);
    const resource = findResource(this.#options.document, operation);
    const { status = 0 } = exchange.response ?? {};
    const isOfOwn = this.#ownPaths().includes(withoutQuery(request.path));
    if (testCase.method === 'DELETE' && testCase.credential === 'valid' && isOfOwn)
      if (neverDeleted.includes(status)) this.#undeletable.set(operation?.resource, status);
    if (!resource || !isAnswered(exchange) || exchange.response.status >= 300) return;
    if (rowOf(operation?.kind).adds) return;
    const base = baseOf(resource, request.path);
    this.#disown(exchange, resource);
    if (testCase.method === 'DELETE') {
      // Another item may get the id.
      for (const known of [this.#claimed, this.#seen, this.#sharedKeys])
        known.delete(keyOf(base, idAsked(request.path)));
      return;
    }
    for (const item of itemsIn(exchange)) {
      const id = idOf(item, resource.idProperty) ?? '';
      const key = keyOf(base, id);
      const own = this.#claimed.get(key);
      if (own) {
        own.shown = item;
        continue;
      }
      if (!this.#everOwn.has(key))
        this.#othersIds.set(id, (this.#othersIds.get(id) ?? new Set()).add(key));
      if (endedAt < (this.#seen.get(key) ?? Number.POSITIVE_INFINITY)) this.#seen.set(key, endedAt);
    }
  }

  /**
   * Tells whose the item is that a create answered with; `looked` is how a list showed it afterwards,
   * or a read of the id `at`. An item is the run's own only under the id that led to it.
   */
  claim(create: Exchange, looked?: Item, at?: string): Made {
    const { operation } = create.case;
    const resource = findResource(this.#options.document, operation) as Resource;
    const shown = looked ?? itemIn(create);
    const given = at ?? idInAnswer(create, resource);
    const told = itemIn(create);
    const other = looked && otherId(looked, resource, { given, told }, this.#options.isMarked);
    const id = given ?? idOf(shown, resource.idProperty);
    const found = { ...(id !== undefined && { id }), ...(shown && { item: shown }) };
    if (id === undefined) return { ...found, whose: 'unproven', reason: 'its answer has no id' };
    if (other !== undefined) {
      this.#answersOthers.add(operation);
      return { ...found, ...isOfOther(id, other) };
    }
    const key = keyOf(baseOf(resource, create.request.path), id);
    const known = this.#claimAgain(create, resource, { id, key });
    if (known) return { ...known, ...found };
    const seenAt = this.#seen.get(key);
    const before = whyOthers(create, { shown, seenAt, started: this.#started });
    if (before !== undefined) {
      this.#answersOthers.add(operation);
      return { ...found, whose: 'others', reason: `${before}, and may have been overwritten` };
    }
    const unproven = this.#whyUnproven(create, resource, { shown, isLooked: looked !== undefined });
    if (unproven) return { ...found, whose: 'unproven', ...unproven };
    const made: Made = { ...found, whose: 'own' };
    const paths = itemPathsOf(resource, create.request.path, id);
    const taken = paths.find((path) => isOfAnother(this.#options.document, resource, path));
    if (taken)
      return { ...found, whose: 'unproven', reason: `${taken} is another operation's path` };
    this.#claimed.set(key, { of: resource.name, sent: sentText(create), paths, made });
    this.#everOwn.add(key);
    this.#othersIds.get(made.id ?? '')?.delete(key);
    this.#unproven.set(operation, Number.NEGATIVE_INFINITY);
    return made;
  }

  /** Leaves an item alone from now on if an answer at its own path shows another id. */
  #disown(exchange: Exchange, resource: Resource): void {
    const asked = withoutQuery(exchange.request.path);
    const shown = itemIn(exchange);
    // The answer to a change may be something else than the item, such as a job.
    const isRead = exchange.case.operation?.kind === 'read';
    if (!shown || !(isRead || repeatsSent(shown, sentFields(exchange, resource)))) return;
    const { isMarked } = this.#options;
    for (const [key, { paths, made }] of this.#claimed) {
      if (!paths.includes(asked)) continue;
      const told = { given: made.id, told: made.item };
      const other = otherId(shown, resource, told, isMarked);
      if (other === undefined) continue;
      Object.assign(made, isOfOther(made.id, other));
      this.#answersOthers.add(resource.operations.create);
      this.#claimed.delete(key);
    }
  }

  /** Whose an item is whose id another create was answered with. */
  #claimAgain(
    create: Exchange,
    resource: Resource,
    { id, key }: { id: string; key: string },
  ): Made | undefined {
    const other = this.#claimed.get(key);
    // A create may be sent again, and may ask for the id of an item of the run.
    const asked = idOf(sentFields(create, resource), resource.idProperty);
    if (other && (other.sent === sentText(create) || asked === id)) return other.made;
    if (!other && !this.#sharedKeys.has(key)) return undefined;
    const shared = {
      whose: 'shared',
      reason: 'several creates were answered with its id',
    } as const;
    if (other) Object.assign(other.made, shared);
    this.#claimed.delete(key);
    this.#sharedKeys.add(key);
    this.#answersOthers.add(create.case.operation);
    return shared;
  }

  /** Why nothing proves that an item is the run's own. */
  #whyUnproven(
    create: Exchange,
    resource: Resource,
    { shown, isLooked }: { shown: Item | undefined; isLooked: boolean },
  ): Pick<Made, 'reason' | 'isEchoed' | 'isUnmarked'> | undefined {
    const value = sentValue(create) ?? create.request.marker;
    const isShown = showsSent(shown ?? create.response?.json, value, this.#options.isMarked);
    if (isShown === undefined) {
      this.#tookUnmarked.add(create.case.operation);
      return { isUnmarked: true };
    }
    if (!isShown) return { reason: 'it does not show what was sent' };
    // An answer may only repeat the request; what is to be changed must be seen at its own path.
    const isEchoed = !isLooked && isChangeable(resource);
    return isEchoed ? { isEchoed, reason: 'no read of it showed it' } : undefined;
  }

  /** Counts one more create that nothing proves, and gives how many there are without a proven one. */
  countUnproven(operation: Operation | undefined): number {
    const count = (this.#unproven.get(operation) ?? 0) + 1;
    this.#unproven.set(operation, count);
    return count;
  }

  /** Lets an operation be called no more. */
  giveUp(operation: Operation | undefined): void {
    this.#givenUp.add(operation);
  }

  /** Whether an item shows what a create sent and nobody else sends. */
  shows(item: Item, create: Exchange): boolean {
    const value = sentValue(create) ?? create.request.marker;
    return showsSent(item, value, this.#options.isMarked) === true;
  }
}

function sentText({ request }: Exchange): string {
  return String(request.body ?? '');
}

/** Whether an item has a value that a change of it sent, in the same property. */
function repeatsSent(item: Item, sent: Item): boolean {
  return Object.entries(sent).some(([name, value]) => isSameText(item[name], value));
}

function isToBeRefused({ kind }: Case['purpose']): boolean {
  return kind === 'invalid-create' || kind === 'credential';
}

/** Whether an operation adds an item that a read or a list shows again. */
function createsWhatIsFound({ kind }: Operation, resource: Resource | undefined): boolean {
  const { adds = false } = rowOf(kind);
  return adds && (resource?.operations.read ?? resource?.operations.list) !== undefined;
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

function keyOf(base: string, id: string): string {
  return `${base} ${id}`;
}
