import { isObject } from '../../common/json.ts';
import { lastWordOf, unescaped } from '../../common/path-template.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { keyNamesOf } from '../../openapi/model/key-places.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { textsIn } from '../data/collect-items.ts';
import { type HttpRequest, type HttpResult, send } from '../run/http/target.ts';
import { toCredential, withQuery } from '../run/keys/credential.ts';
import { asMeant, documentAsMeant } from '../traffic/as-read.ts';
import { type RecordedExchange, readOutcome } from '../traffic/read-outcome.ts';
import { sentBodyOf } from '../traffic/sent-body.ts';
import { toPathBelow } from '../traffic/to-call.ts';
import type { ReceivedResponse } from '../transcript/exchange.ts';
import { findOperation } from '../transcript/recognize.ts';
import { type ComparedCall, compareAnswers, type Difference, headerOf } from './compare-answers.ts';
import { Correspondence } from './correspondence.ts';
import { createToOutcome, type Outcome } from './outcome.ts';
import { rewriteCall } from './rewrite-call.ts';
import { isRandom, nounOf } from './value-form.ts';

/** A recorded call, and how the answer of the twin differs; not at all where there is none. */
export type Replay = {
  /** The place of the call in the recordings, from 1. */
  number: number;
  operation?: Operation;
  /** The request that was recorded, as it is meant, and its path below the base URL. */
  request: RecordedExchange['request'];
  path: string;
  sentAt: number;
  /** The secrets of its credentials. */
  secrets: readonly string[];
  /** The base URL of the deployment, and the texts that name things of it. */
  base: string;
  names: ReadonlySet<string>;
  /** The answer that was recorded, and that of the twin. */
  response: ReceivedResponse;
  twin?: Pick<ReceivedResponse, 'status' | 'json'>;
  /** How the call ended there, and on the twin. */
  outcome: Outcome;
  twinOutcome: Outcome;
  /** The code of its error, the first wrong member, and the step of the call that refused it. */
  error?: { code: string; name: string; step: string };
  differences: readonly Difference[];
};

export type ReplayOptions = {
  document: Api;
  /** The base URL of the deployment that was recorded. */
  baseUrl: string;
  /** The base URL of a twin that nobody else calls, and a key that it accepts. */
  twinUrl: string;
  key: string;
  /** The longest time that a call may take, in milliseconds. */
  timeout: number;
  onReplayed: (replayed: Replay) => void;
};

/**
 * Sends recorded calls to a twin, one after the other, and compares what it answers with what was
 * recorded. Calls of other addresses, and those without a recorded answer, are left out.
 */
export async function replay(
  exchanges: readonly RecordedExchange[],
  { document, baseUrl, twinUrl, key, timeout, onReplayed }: ReplayOptions,
): Promise<void> {
  const meant = exchanges.map((one) => asMeant(one, { document, baseUrl }));
  const names = await findNames(meant, documentAsMeant(document), baseUrl);
  const bases = { recorded: baseUrl, twin: twinUrl };
  const ids = new Correspondence({ bases, nouns: nounsOf(document), names });
  const isOfKey = toKeyTest(document);
  const toOutcome = createToOutcome(document);
  const { refused, accepted } = findCallers(exchanges, isOfKey);
  /** The answers of the twin to reads since the last change. */
  const reads = new Map<string, PlayedCall>();
  for (const [index, exchange] of exchanges.entries()) {
    const path = toPathBelow(baseUrl, new URL(exchange.request.url));
    const { response } = await readOutcome(exchange);
    if (path === undefined || !response) continue;
    const { method } = exchange.request;
    const { operation: written } = findOperation(document, { method, path });
    const operation = written?.readAs ?? written;
    const resource = findResource(document, operation);
    const isRefused = refused.has(credentialsOf(exchange, isOfKey)) || response.status === 401;
    const secrets = secretsOf(exchange, isOfKey);
    // What the twin made for an item is a credential of its own.
    const isOfItem =
      document.hint.rules?.keys !== undefined &&
      secrets.some((one) => ids.knows(one, { name: '', owner: '' }));
    // Where the document names no key, callers are told apart by what they send.
    const isAnyKey = accepted.size > 1 && operation?.waysIn.length === 0 && secrets.length > 0;
    const isOwn = isRefused || isOfItem || isAnyKey;
    const rewritten = rewriteCall(exchange, path, { ids, isOfKey: isOwn ? () => false : isOfKey });
    const { headers, query } = isOwn
      ? { headers: {}, query: [] }
      : toCredential('valid', { name: 'key', secret: key }, { operation, secrets: [] });
    const sent = {
      ...rewritten,
      headers: { ...rewritten.headers, ...headers, ...preferId(response, resource, operation) },
      path: withQuery(rewritten.path, query),
    };
    const isRead = ['GET', 'HEAD'].includes(method);
    if (!isRead) reads.clear();
    const call = JSON.stringify(sent);
    const known = reads.get(call);
    // What a recording asks for again and again is asked of the twin once, unless answers are made up.
    const isKnown =
      known?.status === response.status &&
      (known.text === response.text || ['list', 'read'].includes(operation?.kind ?? ''));
    const isRefusal = (one?: ReceivedResponse) => toOutcome(one, operation) === 'refusal';
    const { result, refusal } = isKnown ? known : await ask(twinUrl, sent, { timeout, isRefusal });
    const { status, text } = response;
    if (isRead) reads.set(call, { status, text, result, refusal });
    const differences = result.response
      ? compareAnswers(response, result.response, toCompared(operation, { resource, ids, path }))
      : [noAnswer(response.status, result.failure.message)];
    const [tag, twinTag] = [response, result.response].map((one) => one && headerOf(one, 'etag'));
    if (tag !== undefined && twinTag !== undefined) ids.pairTags(tag, twinTag, path);
    const { request, sentAt } = meant[index] ?? exchange;
    const own = toPathBelow(baseUrl, new URL(request.url)) ?? path;
    onReplayed({
      ...{ number: index + 1, request, path: own, sentAt, secrets, response, differences },
      ...{ base: baseUrl, names },
      outcome: toOutcome(response, operation),
      twinOutcome: toOutcome(result.response, operation),
      ...(operation && { operation }),
      ...(result.response && { twin: result.response }),
      ...refusal,
    });
  }
}

/** Asks for the id that the service drew by chance, so that lists in the order of ids are alike. */
function preferId(
  { status, json }: ReceivedResponse,
  resource: Resource | undefined,
  { kind, itemsAt = [] }: Partial<Operation> = {},
): Record<string, string> {
  if (!resource || status >= 300 || rowOf(kind).adds !== true) return {};
  const [item] = [valueIn(json, itemsAt)].flat();
  const id = isObject(item) ? valueAt(item, resource.idProperty) : undefined;
  return isRandom(id) ? { Prefer: `id="${id}"` } : {};
}

/** Holds what the twin answered, and the answer that was recorded then. */
type PlayedCall = { status: number; text: string; result: HttpResult; refusal: Refusal };

type Refusal = Pick<Replay, 'error'>;

async function ask(
  twinUrl: string,
  sent: HttpRequest,
  { timeout, isRefusal }: { timeout: number; isRefusal: (one?: ReceivedResponse) => boolean },
) {
  const result = await send(twinUrl, sent, { timeout });
  return { result, refusal: isRefusal(result.response) ? await readRefusal(twinUrl) : {} };
}

/** Reads from the journal of the twin why it refused the last call. */
async function readRefusal(twinUrl: string): Promise<Refusal> {
  const path = '/__admin/requests/latest';
  const request = { method: 'GET', path, headers: {} };
  const { response } = await send(new URL(twinUrl).origin, request, { timeout: 5000 });
  const reason = valueIn(response?.json, ['reason']);
  const [code, step, own] = ['error', 'step', 'name'].map((one) => valueIn(reason, [one]));
  const pointer = valueIn(reason, ['problems', '0', 'pointer']);
  const name = String(own ?? String(pointer ?? '').slice(1));
  return typeof code === 'string' ? { error: { code, name, step: String(step) } } : {};
}

function noAnswer(status: number, message: string): Difference {
  return { kind: 'no answer', at: '', recorded: String(status), twin: message };
}

/** The texts that clients had from answers before they sent them in paths: these name things. */
async function findNames(
  exchanges: readonly RecordedExchange[],
  document: Api,
  baseUrl: string,
): Promise<Set<string>> {
  const sent = new Set<string>();
  const shown = new Set<string>();
  const names = new Set<string>();
  for (const exchange of exchanges) {
    const { request } = exchange;
    const path = toPathBelow(baseUrl, new URL(request.url));
    if (path === undefined) continue;
    const { operation } = findOperation(document, { method: request.method, path });
    const words = operation?.path.split('/') ?? [];
    for (const one of path.split('/').map(unescaped)) {
      if (one === '' || words.includes(one)) continue;
      if (shown.has(one) && !sent.has(one)) names.add(one);
      sent.add(one);
    }
    for (const one of textsIn(sentBodyOf(request))) sent.add(one);
    const { response } = await readOutcome(exchange);
    for (const one of textsIn(response?.json)) if (!sent.has(one)) shown.add(one);
  }
  return names;
}

/**
 * The nouns of what properties name, where the document says that they refer to a collection, or they
 * begin as the noun of one: `appid` names an application.
 */
function nounsOf(document: Api): Map<string, string> {
  const all = collectionsOf(document);
  const nouns = all.map(({ path }) => nounOf({ name: lastWordOf(path), owner: '' }));
  const named = all.flatMap(({ item }) =>
    Object.keys(item.properties).flatMap((name): [string, string][] => {
      const [, start = ''] = /^([a-z]{3,})_?ids?$/i.exec(name) ?? [];
      const noun = start && nouns.find((one) => one.startsWith(start.toLowerCase()));
      return noun ? [[name, noun]] : [];
    }),
  );
  const stated = all.flatMap(({ references = [] }) => references);
  return new Map([
    ...named,
    ...stated.map(({ property, collection }): [string, string] => [
      property,
      nounOf({ name: lastWordOf(`/${collection}`), owner: '' }),
    ]),
  ]);
}

function toCompared(
  operation: Operation | undefined,
  { resource, ids, path }: { resource: Resource | undefined; ids: Correspondence; path: string },
): ComparedCall {
  const described = operation?.responses.flatMap(({ headers }) => Object.keys(headers)) ?? [];
  return {
    ids,
    // Those of CORS depend on the origin of a page that calls, which recordings seldom have.
    headers: described
      .map((name) => name.toLowerCase())
      .filter((name) => !name.startsWith('access-control-')),
    thing: {
      noun: lastWordOf(operation?.path ?? path),
      idProperty: resource?.idProperty ?? 'id',
      itemsAt: operation?.itemsAt ?? [],
    },
  };
}

type KeyTest = (name: string) => boolean;

/** Whether a header or a parameter holds a credential. */
function toKeyTest({ operations }: Api): KeyTest {
  const { headers, parameters } = keyNamesOf(operations);
  const names = new Set(['authorization', ...headers.map((name) => name.toLowerCase())]);
  return (name) => names.has(name.toLowerCase()) || parameters.includes(name);
}

/** Returns the credentials of a call as one text; empty where it has none. */
function credentialsOf(exchange: RecordedExchange, isOfKey: KeyTest): string {
  return secretsOf(exchange, isOfKey).join('\n');
}

/** Returns the credentials of a call without their schemes. */
function secretsOf({ request }: RecordedExchange, isOfKey: KeyTest): string[] {
  const pairs = [...request.headers, ...new URL(request.url).searchParams];
  return pairs.flatMap(([name, value]) => (isOfKey(name) ? value.replace(/^\S+ +/, '') : []));
}

/**
 * Finds the credentials with which every call was refused, and the others. A recording without any may
 * have lost them.
 */
function findCallers(exchanges: readonly RecordedExchange[], isOfKey: KeyTest) {
  const isAccepted = new Map<string, boolean>();
  for (const exchange of exchanges) {
    const credentials = credentialsOf(exchange, isOfKey);
    const isOne = ![401, 403, undefined].includes(exchange.response?.status);
    isAccepted.set(credentials, isOne || isAccepted.get(credentials) === true);
  }
  isAccepted.delete('');
  const having = (is: boolean) =>
    new Set([...isAccepted].flatMap(([one, accepted]) => (accepted === is ? one : [])));
  return { refused: having(false), accepted: having(true) };
}
