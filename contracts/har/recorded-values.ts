import { explainConnection } from '../../common/cli/explain-connection.ts';
import { membersOf } from '../../common/json.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import { type Failure, type RawHeader, valuesOf } from '../transcript/exchange.ts';

/** A value of a recording is not what it must be; the message ends a sentence about the entry. */
export class BrokenEntry extends Error {}

type Members = Record<string, unknown>;

/** The object of this name. Throws {@link BrokenEntry}. */
export function objectOf(parent: Members, name: string): Members {
  const value = parent[name];
  const members = Array.isArray(value) ? undefined : membersOf(value);
  if (members) return members;
  throw new BrokenEntry(`has no object "${name}"`);
}

/** The text of this name. Throws {@link BrokenEntry}. */
export function textOf(parent: Members, name: string): string {
  const value = parent[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new BrokenEntry(`has no text "${name}"`);
}

/**
 * Returns the absolute HTTP URL in a member; undefined for other schemes. Throws {@link
 * BrokenEntry}.
 */
export function urlOf(parent: Members, name: string): string | undefined {
  const text = textOf(parent, name);
  const url = URL.parse(text);
  if (!url) throw new BrokenEntry(`has no absolute URL "${name}", but "${text.slice(0, 80)}"`);
  return /^https?:$/.test(url.protocol) ? text : undefined;
}

/** An HTTP status. Throws {@link BrokenEntry}. */
export function statusOf(parent: Members): number {
  const { status } = parent;
  if (Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999)
    return Number(status);
  throw new BrokenEntry(`has no HTTP status, but ${JSON.stringify(status)?.slice(0, 40)}`);
}

/** A time in ISO 8601, with microseconds or not. Throws {@link BrokenEntry}. */
export function timeOf(parent: Members, name: string): number {
  const value = parent[name];
  const [, micros = '0'] = /\.\d{3}(\d{3})/.exec(String(value)) ?? [];
  const time = Date.parse(String(value)) + Number(micros) / 1000;
  if (Number.isFinite(time)) return time;
  throw new BrokenEntry(
    `has no time "${name}", but ${(JSON.stringify(value) ?? 'nothing').slice(0, 40)}`,
  );
}

/**
 * Headers, as a list of `{ name, value }`. Pseudo headers of HTTP/2 are left out, and the values that
 * Chrome joins with line breaks are separate. Throws {@link BrokenEntry}.
 */
export function headersOf(parent: Members): RawHeader[] {
  const listed: unknown[] = Array.isArray(parent.headers) ? parent.headers : [];
  return listed.flatMap((header) => {
    const { name, value } = membersOf(header) ?? {};
    if (typeof name !== 'string') throw new BrokenEntry('has a header without a name');
    if (name.startsWith(':')) return [];
    return String(value ?? '')
      .split('\n')
      .map((line) => [name, line] as const);
  });
}

/** Headers with the type of the body, where a recorder wrote that down apart from them. */
export function withType(headers: RawHeader[], body: unknown): RawHeader[] {
  const { mimeType } = membersOf(body) ?? {};
  const isType = typeof mimeType === 'string' && /^[\w.+-]+\/[\w.+-]+\s*(?:;|$)/.test(mimeType);
  const isMissing = isType && valuesOf(headers, 'Content-Type')[0] === undefined;
  return isMissing ? [...headers, ['Content-Type', mimeType]] : headers;
}

/** A text as the body that it was before it was recorded. */
export function toBytes(text: string, encoding: unknown): Uint8Array {
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

/** A body of which nothing was recorded, though there was something. */
export const unrecorded: RecordedBody = { bytes: new Uint8Array(), isCut: true };

/** A kind of failure, from a recording of ours. */
export function failureOf(value: unknown): Failure | undefined {
  const { kind, message } = membersOf(value) ?? {};
  if (!Object.hasOwn(failureKinds, String(kind))) return undefined;
  return { kind: kind as Failure['kind'], message: explainConnection(String(message ?? '')) };
}

const failureKinds: Record<Failure['kind'], true> = {
  unreachable: true,
  dropped: true,
  'cut-off': true,
  lost: true,
  aborted: true,
  timeout: true,
  'not-http': true,
  'too-large': true,
  undecodable: true,
};

/** Why there is no response, where a recording does not say: the client may have given up. */
export const unknownFailure: Failure = {
  kind: 'aborted',
  message: 'no response was recorded, and not why',
};

/** Whether a recording of ours says that it was without credentials. */
export function missingOf({ _missing: missing }: Members): Pick<RecordedExchange, 'missing'> {
  return Array.isArray(missing) && missing.includes('credentials')
    ? { missing: ['credentials'] }
    : {};
}
