import { unescaped } from '../../common/path-template.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { isBelow, makeableIn } from '../cases/call-cases.ts';
import { type Case, isUnsafe } from '../cases/case.ts';
import { beginsAs } from '../document/item-views.ts';
import { isInProse } from '../document/stated.ts';
import type { Exchange, MadeItem } from '../transcript/exchange.ts';
import { type Item, idAsked, withoutQuery } from '../transcript/items.ts';
import type { SkipReason } from '../transcript/skip-reasons.ts';
import { Claims, type ClaimsOptions } from './claims.ts';
import { findForeign, isSecretValue, type Plans, showsOthers, valuesIn } from './find-foreign.ts';
import { type PathParameter, parametersIn, withSlashes } from './item-paths.ts';

/** The path, the headers and the body of a case as they will be sent. */
type FilledCase = {
  path: string;
  headers?: Readonly<Record<string, string>>;
  body: string | undefined;
};

type OwnershipOptions = ClaimsOptions & {
  /** The ids of operations that may be called whatever they change. */
  allowed?: readonly string[];
  /** The paths of items that stay as they are, and below which the run may create others. */
  parents?: readonly string[];
  /** Whether items may be created at all. */
  writes: boolean;
  /** Whether the target ends with the run, so that all that is there may be changed. */
  isTemporary?: boolean;
};

/** How often an operation that may change something fails before it is called no more. */
const maxFailures = 5;

/** How many creates of an operation may make what nothing proves, and so stays. */
const maxUnproven = 5;

/** The fewest characters of an id that no other item has, whatever its collection. */
const leastUnique = 12;

/** Verbs in paths of reads that do something all the same, such as `/invitations/{token}/accept`. */
const doing =
  /^(?:accept|activate|approve|cancel|close|confirm|deactivate|decline|delete|destroy|disable|enable|execute|invoke|join|leave|lock|log-?(?:in|out)|publish|purge|redeem|reject|remove|resend|reset|restart|revoke|rotate|send|sign-?(?:in|out)|start|stop|subscribe|suspend|terminate|trigger|unlock|unsubscribe|verify)$/;

/** Statuses of a deletion that will be refused again, whatever the item. */
const neverDeleted = [401, 403, 405, 501];

/**
 * The state of an operation. `untried`: no call of it was answered without a fault of the target.
 * `trying`: none of its creates made what is proven to be the run's own. `owns`: one did.
 * `never-proven`: too many made what nothing proves. `foreign`: one was answered with what the run
 * has not made.
 */
type OwnershipState =
  | { is: 'untried'; failures: number }
  | { is: 'trying'; unproven: number }
  | { is: 'owns' | 'never-proven' | 'foreign' };

type OperationState = {
  readonly standing: OwnershipState;
  /** Whether a create took a body without a mark, which should have been refused. */
  readonly takesUnmarked?: true;
  /** The status with which the deletion of an own item was refused for good. */
  readonly refusedWith?: number;
};

/** The outcome of a call of an operation, or of the items of its creates. */
type News =
  | { what: 'failure' | 'answer' | 'no proof' }
  | { what: 'own item' | 'foreign item' | 'unmarked item' | 'unproven item' }
  | { what: 'refused deletion'; status: number };

/** Returns the state of an operation after some news: states change here alone. */
function toMoved(state: OperationState, news: News): OperationState {
  const { standing } = state;
  const to = (next: OwnershipState) => ({ ...state, standing: next });
  switch (news.what) {
    case 'failure':
      if (standing.is !== 'untried') return state;
      return to({ is: 'untried', failures: standing.failures + 1 });
    case 'answer':
      return standing.is === 'untried' ? to({ is: 'trying', unproven: 0 }) : state;
    case 'unproven item':
      if (!isOpen(state)) return state;
      return to({ is: 'trying', unproven: standing.is === 'trying' ? standing.unproven + 1 : 1 });
    case 'own item':
      return isOpen(state) ? to({ is: 'owns' }) : state;
    case 'foreign item':
      return to({ is: 'foreign' });
    case 'no proof':
      return to({ is: 'never-proven' });
    case 'unmarked item':
      return { ...state, takesUnmarked: true };
    case 'refused deletion':
      return { ...state, refusedWith: news.status };
  }
}

/** Decides what the run may change, by what it made and how its operations answered. */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #claims: Claims;
  readonly #operations = new Map<Operation | undefined, OperationState>();
  readonly #plans: Plans = new Map();
  readonly #adopted: string[] = [];

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#claims = new Claims(options);
  }

  /**
   * Returns why a call is not allowed: it might change items that the run did not create. Undefined
   * for a create whose item can be found again, and for a path with items of the run only. An
   * operation that the user allows may name any item in its path. Its creates must not refer to
   * items of others, because deleting the created item might delete those too.
   */
  whyNot(one: Case, filled: FilledCase): SkipReason | undefined {
    const { transcript, isMarked, allowed, writes, isTemporary } = this.#options;
    const { document } = transcript;
    const { operation, method } = one;
    const isAllowed = operation !== undefined && allowed?.includes(operation.id) === true;
    const isSafe = !isUnsafe({ method }) && !doesSomething(operation ?? one.parametersOf);
    if (isSafe || isTemporary || one.isSetup) return undefined;
    const isCreate = operation && createsWhatIsFound(operation, findResource(document, operation));
    // Where nothing may be made, it is called as the user allows it.
    if (isAllowed && writes && !this.#isOnOwn(operation, filled.path))
      return { code: 'not-on-own' };
    if (isAllowed && !isCreate) return undefined;
    if (!writes && !isAllowed) return { code: 'writes-not-allowed' };
    const { standing } = this.#stateOf(operation);
    // More calls of what only fails tell nothing, and may harm.
    if (standing.is === 'untried' && standing.failures >= maxFailures)
      return { code: 'keeps-failing' };
    const barred = isCreate
      ? this.#whyNotCreated(one, operation, { ...filled, isAllowed })
      : this.#whyNotChanged(operation, filled.path);
    if (barred || !operation) return barred;
    const isOthersId = (text: string) => this.isOthersId(text);
    // Fuzzing repeats what made items before; an action may do something to whom it names.
    const isRepeated = (text: string) =>
      operation.kind !== undefined && this.#claims.hasSent(operation, text);
    const isOthersName = (text: string) => !isRepeated(text) && this.#claims.isOthersName(text);
    const claimed = this.#claims.own();
    const isOthersText: Claims['isOthersText'] = (...text) => this.#claims.isOthersText(...text);
    const mayName = operation.kind === undefined || one.purpose.kind === 'fuzz';
    const name = findForeign(
      { document, isMarked, claimed, isOthersId, isOthersName, isOthersText, plans: this.#plans },
      { operation, mayName, ...filled },
    );
    return name === undefined ? undefined : { code: 'refers-to-others', name };
  }

  #whyNotCreated(
    { purpose }: Case,
    operation: Operation,
    { isAllowed, ...filled }: FilledCase & { isAllowed: boolean },
  ): SkipReason | undefined {
    const { transcript, isMarked } = this.#options;
    const { document } = transcript;
    const { standing, takesUnmarked } = this.#stateOf(operation);
    const { delete: remove } = findResource(document, operation)?.operations ?? {};
    const { refusedWith: status } = remove ? this.#stateOf(remove) : {};
    if (standing.is === 'foreign') return { code: 'answers-others' };
    if (status !== undefined) return { code: 'never-deleted', status };
    if (standing.is === 'never-proven') return { code: 'never-proven' };
    const asked = withoutQuery(filled.path);
    const below = parametersIn(
      operation.path,
      asked.split('/'),
      this.#ownAbove(asked)?.split('/').length,
    );
    if (!isAllowed && !this.#areOwn(operation, below)) return { code: 'below-others' };
    // What nothing deletes needs no proof; a body that must be refused makes nothing, unless one did.
    const isProofNeeded = !isToBeRefused(purpose) || takesUnmarked;
    const marks = valuesIn(document, operation, filled.body).filter(({ value }) => isMarked(value));
    const isUnmarked = remove && isProofNeeded && marks.length === 0;
    // No answer shows a secret, so that nothing would prove what has no other mark.
    const isHidden = marks.length > 0 && marks.every(isSecretValue);
    return isUnmarked || isHidden ? { code: 'unmarked' } : undefined;
  }

  /** Whether a path names items of the run where the run can make these. */
  #isOnOwn(operation: Operation, path: string): boolean {
    const paths = this.#ownPaths();
    const segments = withoutQuery(path).split('/');
    return makeableIn(this.#options.transcript.document, operation.path)
      .filter(({ template }) => beginsAs(operation.path, template))
      .every(({ template }) =>
        paths.includes(segments.slice(0, template.split('/').length).join('/')),
      );
  }

  /** Whether a path names an item of the run, or what is below one. */
  mayChange(operation: Operation | undefined, path: string): boolean {
    return this.#whyNotChanged(operation, path) === undefined;
  }

  #whyNotChanged(operation: Operation | undefined, path: string): SkipReason | undefined {
    const asked = withoutQuery(path);
    const own = this.#ownAbove(asked) ?? this.#claims.spentPaths().find((one) => one === asked);
    if (own === undefined && operation && this.#isNamedInBody(operation)) return undefined;
    if (own === undefined) return { code: 'may-change-others' };
    if (!operation) return undefined;
    const isReplacing = own !== asked && ['PUT', 'PATCH', 'DELETE'].includes(operation.method);
    const isOthersItem: Claims['isOthers'] = (record) => this.#claims.isOthers(record);
    const at = { path: asked, own };
    if (isReplacing && showsOthers(this.#options.transcript, isOthersItem, at))
      return { code: 'may-change-others' };
    const sent = withSlashes(this.#options.transcript, operation, asked);
    const below = parametersIn(operation.path, asked.split('/'), own.split('/').length);
    const isOthers =
      sent !== asked && this.isOthersId(idAsked({ request: { path: sent }, case: { operation } }));
    return isOthers || !this.#areOwn(operation, below) ? { code: 'may-change-others' } : undefined;
  }

  /**
   * Whether an operation changes the item that its body names, and the run has made one. With a filter
   * in its query, it changes all that it matches.
   */
  #isNamedInBody(operation: Operation): boolean {
    const resource = findResource(this.#options.transcript.document, operation);
    const { kind, path, parameters } = operation;
    const { create, list } = resource?.operations ?? {};
    const isAmongItems = [resource?.path, create?.path, list?.path].includes(path);
    if (!resource || !isAmongItems || (kind !== 'update' && kind !== 'replace')) return false;
    const isFilter = ({ in: place, name }: { in: string; name: string }) =>
      place === 'query' && name in resource.item.properties;
    return !parameters.some(isFilter) && this.#claims.own().some(({ of }) => of === resource.name);
  }

  /** The path of an item of the run that a path is at or below. */
  #ownAbove(asked: string): string | undefined {
    return this.#ownPaths().find((one) => `${asked}/`.startsWith(`${one}/`));
  }

  #ownPaths(): string[] {
    return [...this.#claims.own().flatMap(({ paths }) => paths), ...this.#adopted];
  }

  /** Makes paths the run's own: of items of a setup, and of names that nothing has. */
  adopt(paths: readonly string[]): void {
    this.#adopted.push(...paths);
  }

  /** The path of an item of a setup that has the form of a template. */
  placeAt(template: string): string | undefined {
    return this.#adopted.findLast(
      (path) => path.split('/').length === template.split('/').length && isBelow(template, path),
    );
  }

  /**
   * Whether each parameter ends a path that names an item of the run, or one that the user gave to work
   * below, or has a value of a few, or one that only the run sends.
   */
  #areOwn(operation: Operation, parameters: readonly PathParameter[]): boolean {
    const paths = [...this.#ownPaths(), ...this.#claims.spentPaths()];
    const { transcript, parents = [] } = this.#options;
    const isGiven = (path: string) => parents.some((one) => `${one}/`.startsWith(`${path}/`));
    return parameters.every(
      ({ name, path }) =>
        paths.includes(path) ||
        isGiven(path) ||
        this.isOwnName(unescaped(path.split('/').at(-1) ?? '')) ||
        isListedValue(transcript.document, operation, name),
    );
  }

  /** Whether only the run sends a text, or an item of its own has it as an id that no other has. */
  isOwnName(text: string): boolean {
    const isUnique = text.length >= leastUnique && /\D/.test(text);
    const isId = isUnique && this.#claims.own().some(({ made }) => made.id === text);
    return isId || this.#options.isMarked(text);
  }

  #stateOf(operation: Operation | undefined): OperationState {
    return this.#operations.get(operation) ?? { standing: { is: 'untried', failures: 0 } };
  }

  #move(operation: Operation | undefined, news: News): void {
    this.#operations.set(operation, toMoved(this.#stateOf(operation), news));
  }

  /** Learns from an answer how an operation answers, and which items are no longer the run's own. */
  learn(exchange: Exchange): void {
    const { case: testCase, request, response } = exchange;
    const { operation, method } = testCase;
    const { status = 500 } = response ?? {};
    this.#move(operation, { what: status >= 500 ? 'failure' : 'answer' });
    const isOfOwn = this.#ownPaths().includes(withoutQuery(request.path));
    const isDeletion = method === 'DELETE' && testCase.credential === 'valid' && isOfOwn;
    if (response && isDeletion && neverDeleted.includes(status))
      this.#move(operation, { what: 'refused deletion', status });
    const resource = findResource(this.#options.transcript.document, operation);
    if (!resource || status >= 300 || rowOf(operation?.kind).adds) return;
    for (const made of this.#claims.learn(exchange, resource))
      this.#weigh(resource.operations.create, made);
  }

  /**
   * Tells whose the item is that a create answered with; `looked` is how a list showed it afterwards,
   * or a read of the id `at`.
   */
  claim(create: Exchange, looked?: Item, at?: string): MadeItem {
    const made = this.#claims.claim(create, looked, at);
    this.#weigh(create.case.operation, made);
    return made;
  }

  /** Learns about an operation from what a create of it made. */
  #weigh(operation: Operation | undefined, { whose, isUnmarked }: MadeItem): void {
    const isForeign = whose === 'others' || whose === 'shared';
    // An interface in prose says of each create that it adds an item.
    if (isForeign && !isInProse(this.#options.transcript.document))
      this.#move(operation, { what: 'foreign item' });
    if (whose === 'own') this.#move(operation, { what: 'own item' });
    if (isUnmarked) this.#move(operation, { what: 'unmarked item' });
  }

  /** Counts a create that nothing proves, and says whether it is the last that may be made so. */
  countUnproven(operation: Operation | undefined): boolean {
    if (!isOpen(this.#stateOf(operation))) return false;
    this.#move(operation, { what: 'unproven item' });
    const { standing } = this.#stateOf(operation);
    return standing.is === 'trying' && standing.unproven === maxUnproven;
  }

  /** Lets nothing more be created by an operation, as nothing proves what it makes. */
  giveUp(operation: Operation | undefined): void {
    this.#move(operation, { what: 'no proof' });
  }

  /** Whether a text is the id of an item that was shown and that the run has not made. */
  isOthersId(text: string): boolean {
    return this.#claims.isOthersId(text);
  }

  /** Whether an item shows what a create sent and nobody else sends. */
  shows(item: Item, create: Exchange): boolean {
    return this.#claims.shows(item, create) === true;
  }
}

/** Whether it is still open whose the items are that an operation makes. */
function isOpen({ standing }: OperationState): boolean {
  return standing.is === 'untried' || standing.is === 'trying';
}

/** Whether the path of an operation says that it does something to what its parameters name. */
function doesSomething({ path }: Pick<Operation, 'path'> = { path: '' }): boolean {
  const word = path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '';
  return path.includes('{') && doing.test(wordsOf(word)[0] ?? '');
}

function isToBeRefused(purpose: Case['purpose']): boolean {
  if (purpose.kind === 'fuzz') return purpose.isInvalid === true;
  return purpose.kind === 'invalid-create' || purpose.kind === 'credential';
}

/** Whether an operation adds an item that a read or a list shows again. */
function createsWhatIsFound({ kind }: Operation, resource: Resource | undefined): boolean {
  const { adds = false } = rowOf(kind);
  return adds && (resource?.operations.read ?? resource?.operations.list) !== undefined;
}

/** Tells whether the document lists the values of a path parameter, so that it names no item. */
function isListedValue(document: Api, { parameters }: Operation, name: string): boolean {
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  const { enum: values, const: constant } = document.schemas.resolve(described?.schema ?? {});
  return values !== undefined || constant !== undefined;
}
