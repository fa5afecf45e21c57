import type { Case } from '../cases/case.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
  resolveSchema,
} from '../description/document.ts';
import { parseJson } from '../json.ts';
import {
  type Exchange,
  headerValue,
  isAnswered,
  type Made,
  sentValue,
} from '../transcript/exchange.ts';
import { idAsked, idOf, withoutQuery } from '../transcript/ids.ts';
import { type Item, itemIn, itemsIn, sentFields } from '../transcript/items.ts';
import { createdAt, idInAnswer, showsSent } from '../transcript/made.ts';
import type { SkipReason } from '../transcript/transcript.ts';
import { baseOf, itemPathsOf, type PathParameter, parametersIn } from './item-paths.ts';

/** Knows which items the run made, and so what it may change. */
export interface Ownership {
  /**
   * Why a call may not be made, as it might change what the run has not made; undefined where it
   * only creates an item that can be found again, or names items of the run alone.
   */
  whyNot(one: Case, filled: Filled): SkipReason | undefined;
  /** Learns from an answer what is there, and what is gone. */
  learn(exchange: Exchange): void;
  /**
   * Tells whose the item is that a create answered with; `shown` is how a read or a list showed it
   * afterwards.
   */
  claim(create: Exchange, shown?: Item): Made;
  /** Counts one more create that nothing proves, and gives how many there are without a proven one. */
  countUnproven(operation: Operation | undefined): number;
  /** Lets an operation be called no more. */
  giveUp(operation: Operation | undefined): void;
  /** Whether an item shows what a create sent and nobody else sends. */
  shows(item: Item, create: Exchange): boolean;
}

/** The path and the body of a case as they will be sent. */
type Filled = { path: string; body: string | undefined };

type OwnershipOptions = {
  document: ApiDocument;
  /** The ids of operations that may be called whatever they change. */
  allowed: readonly string[];
  /** Whether items may be created at all. */
  writes: boolean;
  /** Whether the target ends with the run, so that all that is there may be changed. */
  isTemporary?: boolean;
  /** Whether a value is one that only this run sends. */
  isMarked: (value: unknown) => boolean;
};

/** How often an operation that may change something fails before it is called no more. */
const failuresOfOne = 5;

/** An item of the run: its id, what was sent, and the paths that name it. */
type Claimed = {
  id: string;
  sent: string;
  paths: readonly string[];
  made: Made;
};

/** Clocks this close, in milliseconds, are taken for one. */
const clockGap = 60_000;

export function createOwnership({
  document,
  allowed,
  writes,
  isTemporary = false,
  isMarked,
}: OwnershipOptions): Ownership {
  const started = Date.now();
  const claimed = new Map<string, Claimed>();
  /** When items were seen first that the run had not made by then, in Unix milliseconds. */
  const seen = new Map<string, number>();
  /** How often each operation has failed that never did otherwise. */
  const failures = new Map<Operation | undefined, number>();
  /** How many creates of each operation made what was not proven, where none was. */
  const unproven = new Map<Operation | undefined, number>();
  /** The operations whose creates nothing proved. */
  const givenUp = new Set<Operation | undefined>();
  /** The keys of items whose id several creates were answered with. */
  const sharedKeys = new Set<string>();
  /** The creates that were answered with what the run has not made. */
  const answersOthers = new Set<string>();
  /** The creates that took a body without a mark, which should have been refused. */
  const tookUnmarked = new Set<string>();
  const ownPaths = () => [...claimed.values()].flatMap(({ paths }) => paths);
  /** Whether a parameter ends a path that names an item of the run, or has a value of a few. */
  const isOwnAt =
    (operation: Operation) =>
    ({ name, path }: PathParameter) =>
      ownPaths().includes(path) || isListedValue(document, operation, name);

  const whyNot = (one: Case, { path, body }: Filled): SkipReason | undefined => {
    const { operation, method, purpose } = one;
    const isAllowed = isTemporary || allowed.includes(operation?.id ?? '');
    if (!isUnsafe({ method }) || isAllowed) return undefined;
    if (!writes) return { code: 'writes-not-allowed' };
    // More calls of what only fails tell nothing, and may harm.
    if ((failures.get(operation) ?? 0) >= failuresOfOne) return { code: 'keeps-failing' };
    const segments = withoutQuery(path).split('/');
    const resource = findResource(document, operation);
    if (operation && createsWhatIsFound(operation, resource)) {
      const mayOverwrite = document.clauses.length === 0 && answersOthers.has(operation.id);
      if (mayOverwrite) return { code: 'answers-others' };
      if (givenUp.has(operation)) return { code: 'never-proven' };
      if (!parametersIn(operation.path, segments).every(isOwnAt(operation)))
        return { code: 'below-others' };
      // What nothing deletes needs no proof; a body that must be refused makes nothing, unless one did.
      const isProofNeeded = !isToBeRefused(purpose) || tookUnmarked.has(operation.id);
      const isUnmarked = resource?.operations.delete && isProofNeeded && !hasMark(body, isMarked);
      return isUnmarked ? { code: 'unmarked' } : undefined;
    }
    const own = ownPaths().find((one) => `${withoutQuery(path)}/`.startsWith(`${one}/`));
    const depth = own?.split('/').length ?? 0;
    const below = operation ? parametersIn(operation.path, segments, depth) : [];
    const isOwn = own !== undefined && (!operation || below.every(isOwnAt(operation)));
    return isOwn ? undefined : { code: 'may-change-others' };
  };

  const learn = (exchange: Exchange) => {
    const { case: testCase, request, endedAt } = exchange;
    const { operation } = testCase;
    const hasFailed = (exchange.response?.status ?? 500) >= 500;
    failures.set(
      operation,
      hasFailed ? (failures.get(operation) ?? 0) + 1 : Number.NEGATIVE_INFINITY,
    );
    const resource = findResource(document, operation);
    if (!resource || !isAnswered(exchange) || exchange.response.status >= 300) return;
    if (operation?.kind === 'create' || operation?.kind === 'createMany') return;
    if (testCase.method === 'DELETE') {
      const base = baseOf(resource, request.path);
      // Another item may get the id.
      for (const known of [claimed, seen, sharedKeys])
        known.delete(keyOf(base, idAsked(request.path)));
      return;
    }
    const base = baseOf(resource, request.path);
    for (const item of itemsIn(exchange)) {
      const key = keyOf(base, idOf(item, resource.idProperty) ?? '');
      if (!claimed.has(key)) seen.set(key, Math.min(endedAt, seen.get(key) ?? endedAt));
    }
  };

  const claim = (create: Exchange, looked?: Item): Made => {
    const { operation } = create.case;
    const resource = findResource(document, operation) as Resource;
    const shown = looked ?? itemIn(create);
    const id = idOf(shown, resource.idProperty) ?? idInAnswer(create, resource);
    const found = { ...(id !== undefined && { id }), ...(shown && { item: shown }) };
    if (id === undefined) return { ...found, whose: 'unproven', reason: 'its answer has no id' };
    const key = keyOf(baseOf(resource, create.request.path), id);
    const sent = String(create.request.body ?? '');
    const other = claimed.get(key);
    // A create may be sent again, and may ask for the id of an item of the run.
    const asked = idOf(sentFields(create, resource), resource.idProperty);
    if (other && (other.sent === sent || asked === id)) return { ...other.made, ...found };
    if (other || sharedKeys.has(key)) {
      const reason = 'several creates were answered with its id';
      if (other) Object.assign(other.made, { whose: 'shared', reason });
      claimed.delete(key);
      sharedKeys.add(key);
      answersOthers.add(operation?.id ?? '');
      return { ...found, whose: 'shared', reason };
    }
    const before = whyOthers(create, { shown, seenAt: seen.get(key), started });
    if (before !== undefined) {
      answersOthers.add(operation?.id ?? '');
      return { ...found, whose: 'others', reason: `${before}, and may have been overwritten` };
    }
    const value = sentValue(create) ?? create.request.marker;
    const isShown = showsSent(shown ?? create.response?.json, value, isMarked);
    if (isShown === undefined) {
      tookUnmarked.add(operation?.id ?? '');
      return { ...found, whose: 'unproven', isUnmarked: true };
    }
    // An answer may only repeat the request; what is to be changed must be seen at its own path.
    if (!isShown) return { ...found, whose: 'unproven', reason: 'it does not show what was sent' };
    if (looked === undefined && isChangeable(resource))
      return { ...found, whose: 'unproven', isEchoed: true, reason: 'no read of it showed it' };
    const made: Made = { ...found, whose: 'own' };
    const paths = itemPathsOf(resource, create.request.path, id);
    claimed.set(key, { id, sent, paths, made });
    unproven.set(operation, Number.NEGATIVE_INFINITY);
    return made;
  };

  const countUnproven = (operation: Operation | undefined) => {
    const count = (unproven.get(operation) ?? 0) + 1;
    unproven.set(operation, count);
    return count;
  };

  const giveUp = (operation: Operation | undefined) => void givenUp.add(operation);

  const shows = (item: Item, create: Exchange) =>
    showsSent(item, sentValue(create) ?? create.request.marker, isMarked) === true;

  return { whyNot, learn, claim, countUnproven, giveUp, shows };
}

function isToBeRefused({ kind }: Case['purpose']): boolean {
  return kind === 'invalid-create' || kind === 'credential';
}

/** Whether a body holds a value that only this run sends. */
function hasMark(body: string | undefined, isMarked: (value: unknown) => boolean): boolean {
  const value = parseJson(body ?? '');
  return showsSent(value, value, isMarked) === true;
}

/** Whether an operation adds an item that a read or a list shows again. */
function createsWhatIsFound({ kind }: Operation, resource: Resource | undefined): boolean {
  const isCreate = kind === 'create' || kind === 'createMany';
  return isCreate && (resource?.operations.read ?? resource?.operations.list) !== undefined;
}

/** Why an item that a create answered with is not new; undefined where nothing says so. */
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
  const date = Date.parse(headerValue(create, 'Date') ?? '');
  const ahead = Number.isNaN(date) ? 0 : date - create.endedAt;
  const created = shown && createdAt(shown);
  const isOld = created !== undefined && created < started + ahead - clockGap;
  return isOld ? `it says that it was created at ${new Date(created).toISOString()}` : undefined;
}

/** Whether items of a collection can be changed or deleted. */
function isChangeable({ operations }: Resource): boolean {
  const { replace, update, delete: remove } = operations;
  return [replace, update, remove].some((one) => one !== undefined);
}

/** Whether the document lists the values of a path parameter, so that it names no item. */
function isListedValue(document: ApiDocument, { parameters }: Operation, name: string): boolean {
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  const { enum: values, const: constant } = resolveSchema(document, described?.schema ?? {});
  return values !== undefined || constant !== undefined;
}

function keyOf(base: string, id: string): string {
  return `${base} ${id}`;
}
