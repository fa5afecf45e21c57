import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { isSuccess } from '../../common/success.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import {
  type Answer,
  type TextAnswer,
  toErrorAnswer,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import type { Behaviour, Call, RequestSource } from '../behaviours/behaviour.ts';
import { states } from '../documented/responses.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { type ByteText, noBytes, toIdText } from '../json/exact-json.ts';
import type { ItemStore } from '../state/store.ts';

/** Whether a document describes entity tags of what an operation reads or changes, or 304 for it. */
export function hasEntityTags({ method, parameters, responses }: Operation): boolean {
  const isTagged = responses.some((one) =>
    Object.keys(one.headers).some((name) => etag.test(name)),
  );
  if (method !== 'GET') return isTagged;
  const names = [
    ...responses.flatMap(({ headers }) => Object.keys(headers)),
    ...parameters.filter((one) => one.in === 'header').map(({ name }) => name),
  ];
  const isDescribed = names.some((name) => /^(etag|if-none-match)$/i.test(name));
  return isDescribed || responses.some(({ status }) => status === '304');
}

/** The entity tag that a rule gave an answer, or else the strong one of its content. */
function tagOf(answer: Answer | TextAnswer): string {
  const overrides = 'json' in answer ? answer.overrides : undefined;
  const said = Object.entries(overrides ?? {}).find(([name]) => etag.test(name))?.[1];
  if (typeof said === 'string') return said;
  const [content, encoding] =
    'json' in answer ? [answer.json, 'latin1' as const] : [answer.text, 'utf8' as const];
  return `"${createHash('sha1').update(content, encoding).digest('base64url')}"`;
}

/**
 * A success with the entity tag of its content, or of what is read there now; of a GET 304 instead
 * where `If-None-Match` has that tag (RFC 9110 §13.1.2).
 */
export function withEntityTag<Made extends Answer | TextAnswer>(
  answer: Made,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  read: Answer | TextAnswer = answer,
): Made | Answer {
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead ? answer.status !== 200 : answer.status < 200 || answer.status > 299) return answer;
  const others = Object.entries(answer.headers ?? {}).filter(([name]) => !etag.test(name));
  const tagged = { ...Object.fromEntries(others), ETag: tagOf(read) };
  if (isRead && names(headers['if-none-match'], tagged.ETag))
    return { status: 304, json: noBytes, headers: tagged };
  return { ...answer, headers: tagged };
}

/**
 * Whether the preconditions of a change fail where this entity tag is there, or none (RFC 9110
 * §13.1.1, §13.1.2): a weak tag never fulfils `If-Match`.
 */
function failsPrecondition({ headers }: RequestSource, tag?: string): boolean {
  const [match, noMatch] = [headers['if-match'], headers['if-none-match']].map((one) =>
    one?.toString(),
  );
  if (match !== undefined && !(tag && names(match.replace(/W\/"[^"]*"/g, ''), tag))) return true;
  return tag !== undefined && names(noMatch, tag);
}

/** An item was changed since the tag of it was compared; nothing was stored. */
class ChangedError extends Error {}

/**
 * Lets a behaviour change only what has the entity tag that a call expects: it is compared again
 * where another call changed what `read` showed before this one does.
 */
export function withPreconditions(
  behaviour: Behaviour,
  read: Behaviour,
  refuse: RefuseChange = () => undefined,
): Behaviour {
  return async (call) => {
    const { store } = call;
    for (;;) {
      const seen: SeenItems = [];
      const get: ItemStore['get'] = async (name, id) => {
        const json = await store.get(name, id);
        seen.push([name, id, json]);
        return json;
      };
      const now = await read({ ...call, store: { ...store, get } });
      const tag = isSuccess(now) ? tagOf(now) : undefined;
      const isThere = tag !== undefined || call.method === 'PUT';
      if (isThere && failsPrecondition(call.source, tag)) return unlike;
      const refusal = seen.map(([, , json]) => json && refuse(call, fieldsOf(json))).find(Boolean);
      if (refusal) return refusal;
      try {
        return await behaviour({ ...call, store: toComparing(store, seen) });
      } catch (error) {
        if (!(error instanceof ChangedError)) throw error;
      }
    }
  };
}

/** Returns the refusal of a change of an item; undefined where it may be made. */
export type RefuseChange = (call: Call, item: Fields) => Answer | undefined;

/**
 * Creates a refusal of deletions whose query says what the item has, such as its `version`, where that
 * is not so, if the document describes such a conflict; undefined for other operations.
 */
export function createRefuseStale(
  { resources }: Api,
  operation: Operation,
): RefuseChange | undefined {
  const { kind, resource: name, parameters } = operation;
  const status = [412, 409].find((one) => states(operation, one));
  const resource = kind === 'delete' && resources.find((one) => one.name === name);
  if (!resource || !status) return undefined;
  const { item, idProperty } = resource;
  const expected = parameters.filter(
    (one) =>
      one.in === 'query' && one.name !== idProperty && Object.hasOwn(item.properties, one.name),
  );
  if (expected.length === 0) return undefined;
  return ({ parameters: { query = {} } = {} }, fields) => {
    const other = expected.find(
      (one) =>
        Object.hasOwn(query, one.name) &&
        Object.hasOwn(fields, one.name) &&
        typeof fields[one.name] !== 'object' &&
        toIdText(query[one.name]) !== toIdText(fields[one.name]),
    );
    if (!other) return undefined;
    const message = `The item has another ${other.name} than ${toIdText(query[other.name])}.`;
    return toStatedErrorAnswer('precondition_failed', message, status);
  };
}

const unlike = toErrorAnswer(
  'precondition_failed',
  'The item has another entity tag. Read it again, and send its ETag as If-Match.',
);

/** Items as they were read: their collections, ids and texts. */
type SeenItems = [name: string, id: string, json: ByteText | undefined][];

/** A store each change of which is one step with a look at items, and rejects if another call changed them. */
function toComparing(store: ItemStore, noted: SeenItems): ItemStore {
  let seen = noted;
  const transact: ItemStore['transact'] = async (act) => {
    const { value, next } = await store.transact(async (own) => {
      const read = () => Promise.all(seen.map(([name, id]) => own.get(name, id)));
      const now = await read();
      if (seen.some(([, , json], at) => json !== now[at])) throw new ChangedError();
      const value = await act(own);
      return { value, next: await read() };
    });
    seen = seen.map(([name, id], at) => [name, id, next[at]]);
    return value;
  };
  const changes = (['addAll', 'put', 'change', 'remove', 'removeAll'] as const).map((name) => [
    name,
    (...args: [never, never, never]) => transact<unknown>((own) => own[name](...args)),
  ]);
  return { ...store, ...Object.fromEntries(changes), transact };
}

/** Whether a list of entity tags, weak ones too, has one; `*` has any. */
function names(list: string | undefined, tag: string): boolean {
  return list?.trim() === '*' || (list?.match(/"[^"]*"/g)?.includes(tag) ?? false);
}

const etag = /^etag$/i;
