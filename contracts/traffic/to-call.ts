import { hash } from 'node:crypto';
import { planBodies } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { type ApiDocument, findResource, type Operation } from '../description/document.ts';
import { asksForKey } from '../description/key-places.ts';
import { membersOf } from '../json.ts';
import type { Body } from '../transcript/body.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { findOperation } from '../transcript/recognize.ts';
import type { FindProblems } from '../transcript/schema/validator.ts';
import { isKeyParameter, isNoKey, readCredential, type SentCredential } from './credentials.ts';
import { describeCall, isNegotiated, toProtocol } from './describe-call.ts';
import type { KeyBook } from './key-book.ts';
import { type KeyFields, keyFieldsOf } from './key-fields.ts';
import { readOutcome, recordedValues } from './read-outcome.ts';
import type { RawHeader, RecordedExchange } from './recorded-exchange.ts';
import { secretsOf } from './secrets.ts';
/** A recorded exchange as it was recognized by itself, whatever else passed. */
export type Call = {
  /** Its case is that of a call with a valid key. */
  exchange: Exchange;
  credential: SentCredential;
  /** What a valid body of a create holds. */
  sent?: Record<string, unknown>;
};

export type ToCallOptions = {
  document: ApiDocument;
  /** What is wrong with a body, by the operation's id. */
  bodies: ReadonlyMap<string, FindProblems>;
  /** The base URL of the target. */
  baseUrl: string;
  keys: KeyBook;
  read: (bytes: Uint8Array) => Body;
};

/** Longer texts are not followed, and may be refused for their size. */
const maxBody = 1000;

/**
 * What follows the base URL in a URL; undefined where it is another address, or another path of the
 * host.
 */
export function toPathBelow(baseUrl: string, url: URL): string | undefined {
  const base = new URL(baseUrl);
  // That of a host alone has the path "/".
  const before = base.pathname.replace(/\/$/, '');
  const isBelow = url.origin === base.origin && url.pathname.startsWith(`${before}/`);
  return isBelow ? url.pathname.slice(before.length) : undefined;
}

/** Reads a recorded exchange; `number` is its place in the recording. */
export async function toCall(
  recorded: RecordedExchange,
  path: string,
  number: number,
  { document, bodies, keys, read }: ToCallOptions,
): Promise<Call> {
  const { request, missing } = recorded;
  const { sentAt, endedAt } = toSpan(recorded);
  const { method, headers } = request;
  const url = new URL(request.url);
  const found = findOperation(document, { method, path });
  const fields = keyFieldsOf(document);
  const { waysIn } = asksForKey(found.operation) ? (found.operation as Operation) : fields;
  const shownCredential = readCredential(headers, url.searchParams, keys, waysIn);
  const mayLack = missing?.includes('credentials') && shownCredential.form !== 'token';
  const credential: SentCredential = mayLack ? { form: 'unclear' } : shownCredential;
  const negotiated = isNegotiated(headers) ? found.operation : undefined;
  const operation = negotiated ? undefined : found.operation;
  const body = readText(request);
  const asked = new URL(`http://target${path}${url.search}`);
  const isOfKey = credential.form === 'in-query' ? isKeyParameter : fields.isStatedParameter;
  for (const name of [...asked.searchParams.keys()])
    if (isOfKey(name)) asked.searchParams.delete(name);
  const described = describeCall({ document, bodies, operation, asked, headers, body });
  const keyName = nameKey(credential, keys);
  const marker = operation && toMarker(document, operation, described.sent);
  const testCase: Case = {
    id: `${found.operation?.id ?? method}/exchange ${number}`,
    ...(operation && { operation }),
    ...(negotiated && { negotiated }),
    method,
    path,
    credential: 'valid',
    purpose: operation ? described.purpose : toProtocol(method, found, described.purpose),
    ...(described.leftOpen && { leftOpen: described.leftOpen }),
    priority: 1,
    writes: method !== 'GET' && method !== 'HEAD',
  };
  // No body is an empty one where a body is asked for, and elsewhere nothing that could be shown.
  const isShown = request.body !== undefined || operation?.body !== undefined;
  const shown = { isKey: keys.isKey, fields };
  const secrets = secretsOf(recorded, fields);
  const cookies = recordedValues(headers, 'Cookie').join('; ');
  const outcome = await readOutcome(recorded, read);
  return {
    exchange: {
      number,
      case: testCase,
      request: {
        method,
        path: path + toShownQuery(url, shown),
        headers: toShownHeaders(headers, shown),
        ...(isShown && body !== undefined && { body }),
        ...(keyName !== undefined && { keyName }),
        ...(cookies !== '' && { session: hash('sha256', cookies) }),
        ...(marker !== undefined && { marker }),
        ...(secrets.length > 0 && { secrets }),
      },
      sentAt,
      endedAt,
      ...outcome,
    },
    credential,
    ...(described.sent && { sent: described.sent }),
  };
}

/**
 * When an exchange was under way. Two that a recording in whole milliseconds shows one after the
 * other within one may have been under way together, so that nothing follows from their order.
 */
function toSpan({ sentAt, endedAt }: RecordedExchange): Pick<Exchange, 'sentAt' | 'endedAt'> {
  return { sentAt, endedAt: Number.isInteger(sentAt) ? endedAt + 1 : endedAt };
}

/** The name of a key; what is sent in another form may be none. */
function nameKey({ form, token }: SentCredential, keys: KeyBook): string | undefined {
  const isKey = token !== undefined && (form === 'token' || keys.isKey(token));
  return isKey ? keys.nameOf(token) : undefined;
}

/** The text of a request body; undefined where it was not recorded whole. */
function readText({ body }: RecordedExchange['request']): string | undefined {
  if (!body) return '';
  return body.isCut || body.bytes.length > maxBody * 1000
    ? undefined
    : Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.byteLength).toString();
}

/** A text that only the item of a create holds, as far as its length can say. */
function toMarker(
  document: ApiDocument,
  operation: Operation,
  sent: Record<string, unknown> | undefined,
): string | undefined {
  const resource = findResource(document, operation);
  if (operation.kind !== 'create' || !resource || !sent) return undefined;
  const { markerProperty, parts } = planBodies(document, resource);
  const fields = parts.wrapper ? membersOf(sent[parts.wrapper.property]) : sent;
  const text = markerProperty === undefined ? undefined : fields?.[markerProperty];
  return typeof text === 'string' && text.length >= 8 && text.length <= maxBody ? text : undefined;
}

type Keys = Pick<KeyBook, 'isKey'> & { fields: KeyFields };

/** The query with `$KEY` in the place of keys. */
function toShownQuery({ search }: URL, keys: Keys): string {
  if (search === '') return '';
  const parts = search.slice(1).split('&');
  const shown = parts.map((part) => {
    const [[name = '', value = ''] = []] = [...new URLSearchParams(part)];
    const isSecret = value !== '' && (keys.fields.isParameter(name) || keys.isKey(value));
    return isSecret ? `${encodeURIComponent(name)}=$KEY` : part;
  });
  return `?${shown.join('&')}`;
}

const plainHeaders = ['content-type', 'content-encoding', 'accept', 'prefer'];

/**
 * The headers that say what was asked for, and with what credential, `$KEY` in the place of keys;
 * others may hold secrets.
 */
function toShownHeaders(headers: readonly RawHeader[], keys: Keys): Record<string, string> {
  return Object.fromEntries(
    headers.flatMap(([name, value]): RawHeader[] => {
      const lower = name.toLowerCase();
      if (lower === 'authorization') return [['Authorization', toShownCredential(value.trim())]];
      if (plainHeaders.includes(lower)) return [[name, value]];
      return keys.fields.isHeader(name) || keys.isKey(value.trim()) ? [[name, '$KEY']] : [];
    }),
  );
}

/** Another first word of a credential may be a part of a secret. */
const schemes = /^(?:basic|bearer|token|digest|api-?key|key|jwt|oauth|hawk|negotiate)$/i;

/** A credential in the form in which it was sent. */
function toShownCredential(value: string): string {
  const [scheme = '', ...rest] = value.split(/\s+/);
  const token = rest.join(' ');
  if (value === '' || isNoKey(token)) return schemes.test(scheme) || value === '' ? value : '$KEY';
  if (token === '') return /^bearer$/i.test(scheme) ? value : '$KEY';
  return schemes.test(scheme) ? `${scheme} $KEY` : '$KEY';
}
