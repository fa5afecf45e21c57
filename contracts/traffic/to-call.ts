import { hash } from 'node:crypto';
import { membersOf } from '../../common/json.ts';
import { type HidingRules, hideInHeader, hideInUrls } from '../../common/secrets/fields.ts';
import { type FieldRules, isSecretParameter } from '../../common/secrets/names.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { asksForKey } from '../../openapi/model/key-places.ts';
import { planBodies } from '../cases/bodies.ts';
import type { Case, Purpose } from '../cases/case.ts';
import { type Exchange, type RawHeader, valuesOf } from '../transcript/exchange.ts';
import { type FoundPath, findOperation, recognizeCall } from '../transcript/recognize.ts';
import { recognizeBody } from '../transcript/recognize-body.ts';
import { compileBodyOf } from '../transcript/schema/validator.ts';
import { findRemark } from './client-remarks.ts';
import { isNoKey, type KeyFields, readCredential, type SentCredential } from './credentials.ts';
import type { KeyBook } from './key-book.ts';
import { type RecordedExchange, readOutcome } from './read-outcome.ts';
import { secretsOf } from './secrets.ts';

/** A recorded exchange as it was recognized by itself, whatever else passed. */
export type Call = {
  /** Its case is that of a call with a valid key. */
  exchange: Exchange;
  credential: SentCredential;
  /** The members of a valid create's body. */
  sent?: Record<string, unknown>;
};

export type ToCallOptions = {
  document: Api;
  fields: KeyFields;
  keys: KeyBook;
};

/** Longer texts are not followed, and may be refused for their size. */
const maxBody = 1000;

/** Returns the part of a URL's path below the base URL; undefined for another origin or path. */
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
  { document, fields, keys }: ToCallOptions,
): Promise<Call> {
  const { method, headers } = recorded.request;
  const url = new URL(recorded.request.url);
  const found = findOperation(document, { method, path });
  const credential = credentialOf(recorded, url, { found, fields, keys });
  const isOtherForm = isNegotiated(headers, recorded.response?.status);
  const operation = isOtherForm ? undefined : found.operation;
  const body = readText(recorded.request);
  const asked = new URL(`http://target${path}${url.search}`);
  const isOfKey = credential.form === 'in-query' ? isSecretParameter : fields.isStatedParameter;
  for (const name of [...asked.searchParams.keys()])
    if (isOfKey(name)) asked.searchParams.delete(name);
  const { sent, ...described } = describeCall({
    ...{ document, operation, asked, headers, body },
  });
  const [mediaType] = valuesOf(headers, 'Content-Type');
  const find = found.operation && compileBodyOf(document, found.operation, mediaType);
  const remark = findRemark({ document, operation: found.operation, find, headers, body });
  const testCase: Case = {
    id: `${found.operation?.id ?? method}/exchange ${number}`,
    ...described,
    ...(operation && { operation }),
    ...(remark !== undefined && { remark }),
    ...(isOtherForm && found.operation && { negotiated: found.operation }),
    method,
    path,
    credential: 'valid',
    purpose: operation ? described.purpose : toProtocol(method, found, described.purpose),
    priority: 1,
    writes: method !== 'GET' && method !== 'HEAD',
  };
  const exchange: Exchange = {
    number,
    case: testCase,
    request: {
      ...toShownRequest(recorded, url, { path, operation, body, rules: fields.rules }),
      ...toMarker(document, operation, sent),
      ...toKeyName(credential, keys),
    },
    ...toSpan(recorded),
    ...(await readOutcome(recorded)),
  };
  return { exchange, credential, ...(sent && { sent }) };
}

type Sender = { found: FoundPath; fields: KeyFields; keys: KeyBook };

/** The credential of a call; of a recording without credentials, nobody can say that there was none. */
function credentialOf(
  { request: { headers }, missing }: RecordedExchange,
  { searchParams }: URL,
  { found: { operation }, fields, keys }: Sender,
): SentCredential {
  const { waysIn } = operation && asksForKey(operation) ? operation : fields;
  const shown = readCredential(headers, searchParams, keys, waysIn);
  return missing?.includes('credentials') && shown.form !== 'token' ? { form: 'unclear' } : shown;
}

type ShowOptions = {
  rules: FieldRules;
  path: string;
  operation: Operation | undefined;
  body: string | undefined;
};

/** Returns a request as a report may show it, with the secrets to hide. */
function toShownRequest(
  recorded: RecordedExchange,
  { search }: URL,
  { path, operation, body, rules }: ShowOptions,
): Exchange['request'] {
  const { method, headers, body: sentBody } = recorded.request;
  // No body is an empty one where a body is asked for, and elsewhere nothing that could be shown.
  const isShown = body !== undefined && (sentBody !== undefined || operation?.body !== undefined);
  const secrets = secretsOf(recorded, rules);
  const hide = (secret: string) => (isNoKey(secret) ? secret : '$KEY');
  return {
    method,
    path: path + hideInUrls(search, { rules, hide }),
    headers: toShownHeaders(headers, { rules, hide }),
    ...toSession(headers),
    ...(isShown && { body }),
    ...(secrets.length > 0 && { secrets }),
  };
}

function toSession(headers: readonly RawHeader[]): Pick<Exchange['request'], 'session'> {
  const cookies = valuesOf(headers, 'Cookie').join('; ');
  return cookies === '' ? {} : { session: hash('sha256', cookies) };
}

/**
 * Returns the time span of an exchange. In recordings with whole milliseconds, spans within the
 * same millisecond overlap, so their order proves nothing.
 */
function toSpan({ sentAt, endedAt }: RecordedExchange): Pick<Exchange, 'sentAt' | 'endedAt'> {
  return { sentAt, endedAt: Number.isInteger(sentAt) ? endedAt + 1 : endedAt };
}

/** The name of a key; what is sent in another form may be none. */
function toKeyName(
  { form, token }: SentCredential,
  keys: KeyBook,
): Pick<Exchange['request'], 'keyName'> {
  const isKey = token !== undefined && (form === 'token' || keys.isKey(token));
  const keyName = isKey ? keys.nameOf(token) : undefined;
  return keyName === undefined ? {} : { keyName };
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
  document: Api,
  operation: Operation | undefined,
  sent: Record<string, unknown> | undefined,
): Pick<Exchange['request'], 'marker'> {
  const resource = findResource(document, operation);
  if (operation?.kind !== 'create' || !resource || !sent) return {};
  const { markerProperty, parts } = planBodies(document, resource);
  const fields = parts.wrapper ? membersOf(sent[parts.wrapper.property]) : sent;
  const text = markerProperty === undefined ? undefined : fields?.[markerProperty];
  const isMarker = typeof text === 'string' && text.length >= 8 && text.length <= maxBody;
  return isMarker ? { marker: text } : {};
}

const plainHeaders = ['content-type', 'content-encoding', 'accept', 'prefer'];

/** The headers that say what was asked for, and with what credential; others may hold secrets. */
function toShownHeaders(
  headers: readonly RawHeader[],
  hiding: HidingRules,
): Record<string, string> {
  const shown = headers.flatMap(([name, value]): RawHeader[] => {
    const lower = name.toLowerCase();
    if (plainHeaders.includes(lower)) return [[name, value]];
    if (lower === 'cookie' || !hiding.rules.isHeader(name)) return [];
    const of = lower === 'authorization' ? 'Authorization' : name;
    return [[of, hideInHeader(name, value.trim(), hiding)]];
  });
  return Object.fromEntries(shown);
}

/** The purpose of a call, read from the call alone, and the members of a valid create's body. */
type CallDescription = Pick<Case, 'purpose' | 'leftOpen'> & {
  sent?: Record<string, unknown>;
};

type CaseOptions = {
  document: Api;
  operation: Operation | undefined;
  /** Path and query below the base URL, without a key in it. */
  asked: URL;
  headers: readonly RawHeader[];
  body: string | undefined;
};

/** Reads what a call asks for. */
function describeCall({ document, operation, asked, headers, body }: CaseOptions): CallDescription {
  if (!operation) return { purpose: { kind: 'observed' } };
  const [mediaType] = valuesOf(headers, 'Content-Type');
  const find = compileBodyOf(document, operation, mediaType);
  const isEncoded = valuesOf(headers, 'Content-Encoding').length > 0;
  const recognized =
    operation.kind === 'create' && find && body !== undefined && !isEncoded
      ? recognizeBody(document, operation, { find, sent: { mediaType, text: body } })
      : undefined;
  const purpose = recognizeCall({
    document,
    operation,
    url: asked,
    toCreate: () => (asked.search === '' ? recognized?.purpose : undefined),
  });
  const leftOpen =
    purpose?.kind === 'silence'
      ? { silence: purpose.silence, probe: purpose.probe }
      : recognized?.leftOpen;
  const sent = membersOf(recognized?.value);
  return {
    purpose: purpose ?? { kind: 'observed' },
    ...(leftOpen && { leftOpen }),
    ...(sent && { sent }),
  };
}

/** The purpose of HEAD of a list that GET answers, and of methods that nobody describes for a path. */
function toProtocol(
  method: string,
  { other }: ReturnType<typeof findOperation>,
  purpose: Purpose,
): Purpose {
  if (method === 'HEAD' && other?.kind === 'list' && other.method === 'GET')
    return { kind: 'protocol', rule: 'head' };
  return other && method !== 'HEAD' ? { kind: 'protocol', rule: 'method' } : purpose;
}

/**
 * Whether a request asks for something else than the whole JSON, by what HTTP has for that: then the
 * interface does not say what follows. A vendor's type of JSON is JSON, unless that is not acceptable.
 */
function isNegotiated(headers: readonly RawHeader[], status: number | undefined): boolean {
  const names = headers.map(([name]) => name.toLowerCase());
  const others = /^(if-(?:none-match|match|(?:un)?modified-since|range)|range|x-http-method.*)$/;
  if (names.some((name) => others.test(name))) return true;
  const accepted = valuesOf(headers, 'Accept').join(',');
  if (accepted.trim() === '') return false;
  if (/\+json\b/i.test(accepted)) return status === 406;
  return !/application\/(?:json|\*)|\*\/\*/i.test(accepted) || /text\/html/i.test(accepted);
}
