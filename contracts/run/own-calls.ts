import { isSame, membersOf, parseJson } from '../../common/json.ts';
import { lastWordOf, unescaped } from '../../common/path-template.ts';
import { wordsOf } from '../../common/words.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { collectionsOf } from '../../openapi/model/api.ts';
import { toValueText } from '../cases/bodies.ts';
import { isMadeWhole, isNamedByPath, type Makeable, makeableIn } from '../cases/call-cases.ts';
import { type Case, isUnsafe, plainCase } from '../cases/case.ts';
import { freshValue } from '../cases/fresh-value.ts';
import { namedIn, withOwnItems } from '../cases/references.ts';
import { fileBodyOf, sendableBodyOf } from '../document/sendable-body.ts';
import { doneBy, readAfter } from '../transcript/actions.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { itemIn } from '../transcript/items.ts';
import { collectionPath, grace } from '../transcript/ledger.ts';
import { fillWith, makePlace, referToOwn } from './own-item.ts';
import type { Need } from './refusals.ts';
import type { Session } from './session.ts';
import { deleteMade } from './tidy-up.ts';
import type { Turn } from './turn.ts';

/** The order of calls of one path: what may make something comes first, and deletions last. */
const order = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

/**
 * Makes calls on new items of the run, wherever their paths name items that the run can make, and
 * deletes these, unless the calls made others below. Calls of the same part of an item have one item.
 */
export async function callOnOwn(session: Session, cases: readonly Case[]): Promise<void> {
  const { document } = session.transcript;
  const groups = Map.groupBy(cases, ({ operation }) => partOf(document, operation as Operation));
  for (const [part, group] of groups) {
    if (session.isShortOfCalls())
      for (const one of group)
        session.transcript.skipped.push({ case: one, reason: { code: 'quota-used-up' } });
    else await callPart(session, part, group);
  }
}

/** The path of what calls are about: an item of the run, and the word below it. */
function partOf(document: Api, { path }: Operation): string {
  const { template = '' } = makeableIn(document, path).at(-1) ?? {};
  return path
    .split('/')
    .slice(0, template.split('/').length + 1)
    .join('/');
}

async function callPart(session: Session, part: string, cases: readonly Case[]): Promise<void> {
  const { document } = session.transcript;
  const steps = makeableIn(document, part);
  await referToOwn(
    session,
    steps.map(({ resource }) => resource),
  );
  const purpose = { kind: 'call' } as const;
  const name = `for ${cases[0]?.operation?.id}`;
  const { path: place, creates } = await makePlace(session, steps, { name, purpose });
  const all = withReads(session, cases, part);
  const names = new Map<string, string>();
  const others = place === undefined ? [] : await nameOwn(session, all, { place, names });
  const { made, others: more, refused } = await callBelow(session, place, { cases: all, names });
  const isLeft = made.some((one) => one.creates?.length);
  if (!isLeft && !session.isTemporary)
    await deleteMade(session, [...creates, ...others, ...more, ...made]);
  const given = session.ownership.placeAt(steps.at(-1)?.template ?? '');
  if (given !== undefined)
    postponed.set(session, [...(postponed.get(session) ?? []), { place: given, cases: refused }]);
}

/** Calls that were refused on new items, by the item of the setup on which they are made last. */
const postponed = new WeakMap<Session, { place: string; cases: readonly Case[] }[]>();

/** Makes calls that new items refused on items of the setup, once nothing else is tried there. */
export async function callOnSetup({ session }: Turn): Promise<void> {
  for (const { place, cases } of postponed.get(session) ?? [])
    await callBelow(session, place, { cases, names: new Map() });
}

/**
 * Makes items of the run for parameters below its item that name those of other collections, and
 * notes their segments by the names of these; gives the creates.
 */
async function nameOwn(
  session: Session,
  cases: readonly Case[],
  { place, names }: { place: string; names: Map<string, string> },
): Promise<Exchange[]> {
  const { document } = session.transcript;
  const creates: Exchange[] = [];
  for (const { operation, path } of cases)
    for (const [, name = ''] of fillWith(place)(path).matchAll(parameter)) {
      const resource = operation && !names.has(name) && namedBy(document, operation, name);
      if (resource)
        creates.push(...(await makeNamed(session, { resource, parameter: name }, names)));
    }
  return creates;
}

/** Makes an item that a call needs, and notes its segment by the name of the parameter that names it. */
export async function makeNamed(
  session: Session,
  { resource, parameter: name }: Need,
  names: Map<string, string>,
): Promise<Exchange[]> {
  const steps = stepsTo(session.transcript.document, resource);
  await referToOwn(
    session,
    steps.map((one) => one.resource),
  );
  const { path, creates } = await makePlace(session, steps, { name: 'for a call that names it' });
  const segment = path?.split('/').at(-1);
  const isOwn = segment !== undefined && session.ownership.isOwnName(unescaped(segment));
  if (isOwn && name !== undefined) names.set(name, segment);
  return creates;
}

/** The collections whose items are made for a path that names one of a collection; none if they cannot be. */
function stepsTo(document: Api, { operations }: Resource): Makeable[] {
  const { read, update, replace, delete: remove } = operations;
  const { path = '' } = read ?? update ?? replace ?? remove ?? {};
  const steps = makeableIn(document, path);
  return isMadeWhole(steps, path) ? steps : [];
}

/**
 * Finds the collection whose item a parameter names, if the run can make one: the only one whose own
 * paths end with it or with the word before it, or else the one that its name says.
 */
function namedBy(document: Api, operation: Operation, name: string): Resource | undefined {
  const parts = operation.path.split('/');
  const word = parts[parts.indexOf(`{${name}}`) - 1];
  const described = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  const all = collectionsOf(document).filter(({ operations }) => operations.create);
  const pathsOf = ({ operations }: Resource) => Object.values(operations).map(({ path }) => path);
  const ending = (end: string) =>
    all.filter((one) => pathsOf(one).some((path) => path.endsWith(end)));
  const field = { name, schema: described?.schema ?? {}, value: 'text' };
  const called = namedIn(document, undefined, field).flatMap(({ names = [] }) => names);
  const ways = [
    ending(`/{${name}}`),
    all.filter(({ path }) => lastWordOf(path) === word),
    called.filter((one) => all.includes(one)),
  ];
  const [[resource] = []] = ways.filter((found) => found.length === 1);
  const isItself = resource && pathsOf(resource).includes(operation.path);
  return resource && !isItself && stepsTo(document, resource).length > 0 ? resource : undefined;
}

/** Makes calls below an item; gives those that made something, and the cases that were refused. */
async function callBelow(
  session: Session,
  place: string | undefined,
  { cases, names }: { cases: readonly Case[]; names: Map<string, string> },
) {
  const fill = place === undefined ? String : fillWith(place);
  const [made, others]: [Exchange[], Exchange[]] = [[], []];
  const refused: Case[] = [];
  for (const one of cases) {
    const operation = one.operation as Operation;
    const call = () => {
      const path = withNewNames(session, operation, fill(one.path), names);
      return session.call({ ...one, ...withOwnBody(session, one), path });
    };
    let called = await call();
    const needs = session.refusals.takeNeeds(operation);
    for (const need of needs) others.push(...(await makeNamed(session, need, names)));
    if (needs.length > 0) called = await call();
    if (called) await lookAfter(session, called);
    if (called?.made || called?.creates?.length) made.push(called);
    if (called && one.method === 'POST') nameMade(session, called, { cases, names });
    if ((called?.response?.status ?? 500) >= 400)
      refused.push({ ...one, id: `${one.id}, below the setup` });
  }
  return { made, others, refused };
}

/** Reads an item after an action whose answer shows what the action sets; again where the read does not. */
async function lookAfter(session: Session, action: Exchange): Promise<void> {
  const { operation, id } = action.case;
  const read = operation && readAfter(session.transcript.document, operation);
  if (!read || !isAnswered(action) || Object.keys(doneBy(action)).length === 0) return;
  const path = collectionPath(read, action.request.path);
  for (const when of ['after', 'later after']) {
    const look: Case = { ...plainCase(read, `${when} ${id}`), path, priority: 3 };
    const item = itemIn((await session.call(look)) ?? { case: look });
    const isShown = Object.entries(doneBy(action)).every(([name, to]) => isSame(item?.[name], to));
    if (isShown) return;
    if (when === 'after') await session.pause(grace);
  }
}

/** Notes a text of the run in the answer to a call as the name of what it made, for the calls below. */
function nameMade(
  { values }: Session,
  { response }: Exchange,
  { cases, names }: { cases: readonly Case[]; names: Map<string, string> },
): void {
  const members = Object.entries(membersOf(response?.json) ?? {});
  const shown = members.filter(([, value]) => typeof value === 'string' && values.isMarked(value));
  const lastOf = (name: string) => wordsOf(name).at(-1);
  for (const { path } of cases)
    for (const [, name = ''] of path.matchAll(parameter)) {
      const alike = shown.find(([member]) => lastOf(member) === lastOf(name));
      const [, text] = alike ?? shown[0] ?? [];
      if (text !== undefined && !names.has(name)) names.set(name, encodeURIComponent(String(text)));
    }
}

/** The calls of a part in order, with the reads at the same paths, and others below that none reached. */
function withReads({ transcript }: Session, cases: readonly Case[], part: string): Case[] {
  const paths = new Set(cases.map(({ operation }) => operation?.path));
  const isReached = (operation: Operation) =>
    transcript.exchanges.some(
      ({ case: one, response }) =>
        one.operation === operation &&
        one.credential === 'valid' &&
        (response?.status ?? 500) < 300,
    );
  const isBelow = (one: Operation) => one.path.startsWith(`${part}/`) && !isReached(one);
  const reads = transcript.document.operations
    .filter(({ method, kind }) => method === 'GET' && kind === undefined)
    .filter((one) => paths.has(one.path) || isBelow(one))
    .map((one): Case => ({ ...plainCase(one, 'of its own'), isMadeUp: true, priority: 3 }));
  const rankOf = ({ method }: Case) => order.indexOf(method);
  const changed = cases
    .filter(({ operation }) => operation?.path.startsWith(`${part}`) && isReplacing(operation))
    .map(({ operation }) => operation?.path);
  // What a path shows that is changed as a whole may be what others have.
  const before = reads
    .filter(({ operation }) => changed.includes(operation?.path))
    .map((one) => ({ ...one, id: `${one.id}, before` }));
  // Items below a name are made after it, and deleted before.
  const turnOf = ({ method, path }: Case) =>
    path.split('/').length * (method === 'PUT' ? 1 : method === 'DELETE' ? -1 : 0);
  const all = [...cases, ...reads].toSorted(
    (one, other) => rankOf(one) - rankOf(other) || turnOf(one) - turnOf(other),
  );
  return [...before, ...all];
}

/** Whether an operation changes what is at a path that ends with no name. */
function isReplacing({ method, path }: Operation): boolean {
  return ['PUT', 'PATCH', 'DELETE'].includes(method) && !path.endsWith('}');
}

/**
 * A path of a call with new names for what is below an item, the same ones for all calls; the document
 * has those of calls that the user allows.
 */
function withNewNames(
  { values, options }: Session,
  operation: Operation,
  path: string,
  names: Map<string, string>,
): string {
  if (options.allowed?.includes(operation.id)) return path;
  return path.replace(parameter, (open, name: string) => {
    const fresh = newNameFor(operation, name);
    const made = names.get(name) ?? (fresh && values.fill(fresh).text);
    if (made !== undefined) names.set(name, made);
    return made ?? open;
  });
}

/** A parameter in a path template, and no placeholder. */
const parameter = /(?<!\{)\{([^{}]+)\}(?!\})/g;

/** A new value for a parameter of a path, of those that only the run sends. */
function newNameFor({ parameters }: Operation, name: string): string | undefined {
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  return described && freshValue(described.schema);
}

/** Whether a call is made on items of the run: it changes something, and no collection tries it. */
export function isOnOwn(session: Session, one: Case): boolean {
  const { operation, purpose } = one;
  const { transcript, options } = session;
  const { document } = transcript;
  if (purpose.kind !== 'call' || !operation || !isUnsafe(operation)) return false;
  const { template } = makeableIn(document, operation.path).at(-1) ?? {};
  if (template === undefined || isTriedElsewhere(session, one)) return false;
  if (options.allowed?.includes(operation.id)) return true;
  const below = [...operation.path.slice(template.length).matchAll(parameter)];
  const isNamed = below.every(([, name = '']) => newNameFor(operation, name) !== undefined);
  return isNamed;
}

/** Whether a call changes an item of a nested collection, whose trial makes one for it. */
export function isTriedElsewhere(session: Session, { operation, purpose }: Case): boolean {
  const { transcript, options } = session;
  const isAllowed = operation && options.allowed?.includes(operation.id);
  if (purpose.kind !== 'call' || !operation || !isUnsafe(operation) || isAllowed) return false;
  return (transcript.document.nested ?? []).some(
    (resource) =>
      resource.operations.create &&
      !isNamedByPath(resource) &&
      Object.values(resource.operations).some(({ id }) => id === operation.id),
  );
}

/**
 * The body of a call that names nobody: what the document shows may be a person or an item of the
 * deployment. What the user allows is sent as it is.
 */
function withOwnBody(session: Session, { operation, body }: Case): Pick<Case, 'body'> {
  const isAllowed = session.options.allowed?.includes(operation?.id ?? '');
  const { schema = {} } = (operation && (sendableBodyOf(operation) ?? fileBodyOf(operation))) ?? {};
  const value = body === undefined || isAllowed ? undefined : parseJson(body);
  const own = withOwnItems(session.transcript.document, undefined, { schema, value });
  return value === undefined ? {} : { body: toValueText(own) };
}
