import type { IncomingHttpHeaders } from 'node:http';
import type { Shape } from './real-server.ts';

export type SentCall = { method: string; path: string; body: unknown };
export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  content: Buffer;
  body: unknown;
};
type Row = Record<string, unknown>;
type Context = { seen: SeenTraffic; shape: Shape };

/**
 * Traffic so far: the paths of items that clients created, with what they sent, and the last items.
 */
export type SeenTraffic = {
  made: Map<string, Row>;
  created?: Answer;
  foreign: Map<string, unknown>;
  calls: number;
};

/**
 * A behaviour that is broken. `forward` gives the method that the server gets instead, and
 * `change` what the client gets; undefined leaves the call as it is.
 */
export type Break = {
  /** Whether it answers with a status of 500. */
  fails?: boolean;
  forward?: (sent: SentCall, shape: Shape) => string | undefined;
  change: (
    answer: Answer,
    context: { sent: SentCall; seen: SeenTraffic; shape: Shape },
  ) => Partial<Answer> | undefined;
};

/** The breaks by name; each is a mistake that a deployment of any interface can make. */
export const breaks: Record<string, Break> = {
  'an update is not stored': {
    forward: ({ method }, { updated }) =>
      updated && /^(PATCH|PUT)$/.test(method) ? 'GET' : undefined,
    change: (answer, { sent, shape }) =>
      shape.updated && /^(PATCH|PUT)$/.test(sent.method) && isSuccess(answer)
        ? { status: shape.updated, ...(shape.updated === 204 && { body: undefined }) }
        : undefined,
  },
  'a deletion is not done': {
    forward: ({ method }) => (method === 'DELETE' ? 'GET' : undefined),
    change: (answer, { sent, shape }) =>
      sent.method === 'DELETE' && isSuccess(answer)
        ? { status: shape.deleted, body: undefined }
        : undefined,
  },
  'a text is not stored': {
    change: (answer, { sent, seen }) => {
      const texts = seen.made.get(sent.path);
      return sent.method === 'GET' && texts && isSuccess(answer)
        ? { body: withoutText(answer.body, texts) }
        : undefined;
    },
  },
  'created items are not listed': {
    change: (answer, { sent, seen, shape }) =>
      isList(sent, shape) && isSuccess(answer)
        ? { body: filterLists(answer.body, (row) => !isMade(row, sent.path, { seen, shape })) }
        : undefined,
  },
  'a created item cannot be read': {
    change: (answer, { sent, seen }) =>
      sent.method === 'GET' && seen.made.has(sent.path) && isSuccess(answer)
        ? { status: 404, body: { message: 'not found' } }
        : undefined,
  },
  'a read gives another item': {
    change: (answer, { sent, seen }) => {
      const other = otherOf(sent.path, seen);
      return sent.method === 'GET' && seen.made.has(sent.path) && isSuccess(answer) && other
        ? { body: isWrapped(answer.body) ? { data: other } : other }
        : undefined;
    },
  },
  'a required member is missing': {
    change: (answer, { sent, shape }) =>
      sent.method === 'GET' && isSuccess(answer) && shape.required
        ? { body: withoutMember(answer.body, shape.required) }
        : undefined,
  },
  'every seventh read fails': {
    fails: true,
    change: (_, { sent, seen }) =>
      sent.method === 'GET' && seen.calls % 7 === 0
        ? { status: 500, body: { message: 'internal error' } }
        : undefined,
  },
  'a create is answered 202 without content': {
    change: (answer, { sent, shape }) =>
      isCreate(sent, shape) && isSuccess(answer) && answer.body !== undefined
        ? { status: 202, body: undefined }
        : undefined,
  },
  'a list is truncated': {
    change: (answer, { sent, shape }) => changeLists(answer, { sent, shape }, ([first]) => [first]),
  },
  'a list shows an item twice': {
    change: (answer, { sent, shape }) =>
      changeLists(answer, { sent, shape }, (rows) => [...rows, rows[0]]),
  },
  'a read shows another id': {
    change: (answer, { sent, seen, shape }) =>
      sent.method === 'GET' && seen.made.has(sent.path) && isSuccess(answer)
        ? { body: withOtherId(answer.body, shape) }
        : undefined,
  },
  'an unknown id is answered 400': {
    change: ({ status }, { sent, shape }) =>
      sent.method === 'GET' && status === 404 && shape.describes404?.test(sent.path)
        ? { status: 400 }
        : undefined,
  },
  'an unknown id is answered 200': {
    change: ({ status }, { sent, seen, shape }) => {
      const other = otherOf(sent.path, seen);
      return sent.method === 'GET' && status === 404 && shape.describes404?.test(sent.path) && other
        ? { status: 200, body: other }
        : undefined;
    },
  },
  'an invalid body is accepted': {
    change: ({ status }, { sent, seen, shape }) =>
      shape.refuses && isCreate(sent, shape) && (status === 400 || status === 422) && seen.created
        ? { ...seen.created }
        : undefined,
  },
};

/** Whether a row of the list at a path is an item that clients made. */
export function isMade(row: unknown, path: string, { seen, shape }: Context): boolean {
  const id = isRow(row) ? (shape.idOf(row) ?? row.id) : undefined;
  const list = listPath(path, shape);
  const end = `${list.slice(list.lastIndexOf('/'))}/${id}`;
  return id !== undefined && [...seen.made.keys()].some((made) => made.endsWith(end));
}

/** The path of a list, without what says how it is read. */
export function listPath(path: string, { listsByPost }: Shape): string {
  return path.replace(listsByPost ?? /\/$/, '').replace(/\/$/, '');
}

/** An item of others in the list that the path of an item belongs to. */
function otherOf(path: string, { foreign }: SeenTraffic): unknown {
  const parent = path.replace(/\/[^/]*$/, '');
  return foreign.get(parent) ?? foreign.get(`${parent}s`);
}

export function isList({ method, path }: SentCall, { listsByPost }: Shape): boolean {
  return method === 'GET' || (method === 'POST' && (listsByPost?.test(path) ?? false));
}

export function isCreate({ method, path }: SentCall, { listsByPost }: Shape): boolean {
  return method === 'POST' && !listsByPost?.test(path);
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWrapped(body: unknown): body is { data: unknown } {
  return isRow(body) && Object.keys(body).length === 1 && 'data' in body;
}

/** The arrays of an answer: itself, or members of it. */
export function listsOf(body: unknown): unknown[][] {
  return (isRow(body) ? Object.values(body) : [body]).filter((value) => Array.isArray(value));
}

function filterLists(body: unknown, keep: (row: unknown) => boolean): unknown {
  if (Array.isArray(body)) return body.filter(keep);
  if (!isRow(body)) return body;
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter(keep) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The lists of an answer that is no item itself, each made of its rows in another way. */
function changeLists(
  answer: Answer,
  { sent, shape }: { sent: SentCall; shape: Shape },
  change: (rows: unknown[]) => unknown[],
): Partial<Answer> | undefined {
  const { body } = answer;
  const isItem = isRow(body) && shape.idOf(body) !== undefined;
  if (!isList(sent, shape) || !isSuccess(answer) || isItem) return undefined;
  const isOfItems = (value: unknown): value is unknown[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => isRow(row) && (shape.idOf(row) ?? row.id) !== undefined);
  if (isOfItems(body)) return { body: change(body) };
  if (!isRow(body)) return undefined;
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    isOfItems(value) ? change(value) : value,
  ]);
  return { body: Object.fromEntries(entries) };
}

/** An item with another id of the same form. */
function withOtherId(body: unknown, shape: Shape): unknown {
  if (isWrapped(body) && isRow(body.data)) return { data: changeId(body.data, body.data.id) };
  return isRow(body) ? changeId(body, shape.idOf(body)) : body;
}

function changeId(row: Row, id: unknown): Row {
  const other =
    typeof id === 'number'
      ? id + 1000
      : String(id).replace(/.$/, (end) => (end === '1' ? '2' : '1'));
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === id ? other : value]),
  );
}

function withoutMember(body: unknown, name: string): unknown {
  if (Array.isArray(body)) return body.map((row) => withoutMember(row, name));
  if (!isRow(body)) return body;
  if (isRow(body.data) || Array.isArray(body.data))
    return { ...body, data: withoutMember(body.data, name) };
  const { [name]: _, ...rest } = body;
  return rest;
}

/** An item whose first text that the client sent is empty. */
function withoutText(body: unknown, sent: Row): unknown {
  if (isWrapped(body)) return { data: withoutText(body.data, sent) };
  if (!isRow(body)) return body;
  const name = Object.keys(sent).find(
    (key) => typeof sent[key] === 'string' && sent[key] !== '' && body[key] === sent[key],
  );
  return name === undefined ? body : { ...body, [name]: '' };
}
