import type { Transaction } from 'dredd';
import { membersOf, parseJson } from '../../common/json.ts';
import type { Api, Operation, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isSecured } from '../../openapi/model/security.ts';
import type { Scenario } from './scenarios.ts';

export type Situation = {
  document: Api;
  ids: KnownIds;
  /** The path of the target's base URL, without a slash at its end. */
  basePath: string;
  key: string | undefined;
  /** Whether the target may be written to. */
  writes: boolean;
};

/** Remembers which items the target has, from its answers: the last of each collection counts. */
export class KnownIds {
  readonly #document: Api;
  /** By the path of their collection without a slash. */
  readonly #own = new Map<string, Set<string>>();
  readonly #shown = new Map<string, string>();

  constructor(document: Api) {
    this.#document = document;
  }

  isCollection(collection: string): boolean {
    return this.#document.resources.some(({ name }) => name === collection);
  }

  /** An item of a collection: one that this run created, or if it may be any, one that was shown. */
  find(collection: string, { mayBeAny }: { mayBeAny: boolean }): string | undefined {
    const own = [...(this.#own.get(collection) ?? [])].at(-1);
    return own ?? (mayBeAny ? this.#shown.get(collection) : undefined);
  }

  /** All that this run created and did not delete, e.g. `pets/121`. */
  created(): string[] {
    return [...this.#own].flatMap(([collection, ids]) =>
      [...ids].map((id) => `${collection}/${id}`),
    );
  }

  learn(operation: Operation, { real, fullPath }: Transaction): void {
    const { kind } = operation;
    const resource = findResource(this.#document, operation);
    if (!real || real.statusCode >= 300 || !resource) return;
    const { name, idProperty } = resource;
    const own = this.#own.get(name) ?? new Set();
    this.#own.set(name, own);
    if (kind === 'delete') own.delete(decodeURIComponent(fullPath.split('/').at(-1) ?? ''));
    const body = parseJson(real.body ?? '');
    const id = membersOf(Array.isArray(body) ? body[0] : body)?.[idProperty];
    if (!['string', 'number', 'bigint'].includes(typeof id)) return;
    if (kind === 'create') own.add(String(id));
    else this.#shown.set(name, String(id));
  }
}

/** Answers that nobody can or should bring about, and why. */
const unreachable: Record<string, string> = {
  '410': 'it needs a clock past the removal date',
  '413': 'no size limit is stated, so no body is surely too large',
  '429': "a key's quota is never used up on purpose",
};

/**
 * Changes a transaction's request into one that its documented status answers. Gives the reason for
 * skipping it where there is no such request.
 */
export function arrange(
  transaction: Transaction,
  { operation, missing }: Scenario,
  situation: Situation,
): string | undefined {
  const { request, expected } = transaction;
  const status = expected.statusCode;
  const reason =
    unreachable[status] ?? (missing && `the document gives no example of its ${missing}`);
  if (reason) return reason;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(operation.method) && !situation.writes)
    return 'it writes; --allow-writes permits it on a target beyond this machine';
  if (isSecured(operation)) request.headers.Authorization = `Bearer ${situation.key}`;
  const call: Call = {
    query: new URLSearchParams(request.uri.split('?')[1] ?? ''),
    pathValues: exampleValues(operation),
  };
  const problem = change(transaction, { operation, situation, call });
  if (problem) return problem;
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name) =>
    encodeURIComponent(call.pathValues.get(name) ?? 'none'),
  );
  const { query } = call;
  transaction.fullPath = `${situation.basePath}${path}${query.size > 0 ? `?${query}` : ''}`;
  return undefined;
}

type Call = { query: URLSearchParams; pathValues: Map<string, string> };

/** Changes a request so that it gets the expected status. Returns the reason if none does. */
function change(
  { request, expected: { statusCode: status } }: Transaction,
  { operation, situation, call }: { operation: Operation; situation: Situation; call: Call },
): string | undefined {
  const { document, ids } = situation;
  const isInvalid = status === '400' || status === '422';
  if (/^2\d\d$/.test(status)) return fillKnownIds(call.pathValues, operation, ids);
  if (status === '404') return fillUnknownId(call.pathValues, operation, document);
  if (status === '401') delete request.headers.Authorization;
  else if (status === '415' && operation.body) request.headers['Content-Type'] = 'text/plain';
  else if (isInvalid && operation.body) request.body = '{';
  else return `no request is known that ${status} answers`;
  return undefined;
}

function exampleValues({ parameters }: Operation): Map<string, string> {
  const values = new Map<string, string>();
  for (const { in: at, name, examples } of parameters) {
    const [example] = Object.values(examples);
    if (at === 'path' && example !== undefined) values.set(name, String(example));
  }
  return values;
}

/** Only what this run created may be changed or removed. */
function fillKnownIds(
  values: Map<string, string>,
  { method, path }: Operation,
  ids: KnownIds,
): string | undefined {
  for (const [, collection = '', name = ''] of path.matchAll(/(?<=^\/(.+))\/\{([^{}]+)\}/g)) {
    const id = ids.find(collection, { mayBeAny: method === 'GET' || method === 'HEAD' });
    if (id !== undefined) values.set(name, id);
    else if (ids.isCollection(collection))
      return `no item of /${collection} is known: none was listed or created`;
    else if (!values.has(name))
      return `the document gives no example of its path parameter "${name}"`;
  }
  return undefined;
}

function fillUnknownId(
  values: Map<string, string>,
  { parameters }: Operation,
  document: Api,
): string | undefined {
  const parameter = parameters.findLast((one) => one.in === 'path');
  if (!parameter) return 'its path names no item that could be unknown';
  const schema = document.schemas.resolve(parameter.schema);
  values.set(parameter.name, unknownId(schema));
  return undefined;
}

function unknownId({ type, format, maximum }: Schema): string {
  if (type === 'integer' || type === 'number')
    return String(typeof maximum === 'number' ? maximum : 2_147_483_646);
  return format === 'uuid' ? crypto.randomUUID() : `unknown-${crypto.randomUUID()}`;
}
