import { membersOf } from '../json.ts';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Failure } from '../transcript/exchange.ts';
import {
  headersOf,
  objectOf,
  statusOf,
  textOf,
  timeOf,
  unrecorded,
  urlOf,
} from './recorded-values.ts';
import type { NoExchange } from './skipped-entry.ts';

type Members = Record<string, unknown>;

/** The exchange of an entry of the twin's journal, as its admin lists them. Throws a BrokenEntry. */
export function fromJournalEntry(entry: Members): RecordedExchange | NoExchange {
  const { key, status, milliseconds, absoluteUrl } = entry;
  if (typeof absoluteUrl !== 'string')
    return { kind: 'not-http', problem: 'is no request of HTTP' };
  const url = urlOf(entry, 'absoluteUrl') as string;
  const request = objectOf(entry, 'request');
  const body = toBody(request);
  const sentAt = timeOf(entry, 'at');
  const sent = {
    method: textOf(entry, 'method'),
    url,
    headers: withKeyName(headersOf(request), key),
    ...(body && { body }),
  };
  const times = { sentAt, endedAt: sentAt + (typeof milliseconds === 'number' ? milliseconds : 0) };
  if (typeof status !== 'number') {
    return { request: sent, failure: toJournalFailure(entry.reason), ...times };
  }
  const response = objectOf(entry, 'response');
  return {
    request: sent,
    response: {
      status: statusOf(entry),
      headers: withClock(headersOf(response), entry.clock, times),
      body: toBody(response) ?? { bytes: new Uint8Array(), isDecoded: true },
    },
    ...times,
  };
}

function toBody(message: Members): RecordedBody | undefined {
  const { body, bytes, truncated } = message;
  if (typeof body !== 'string') return Number(bytes) > 0 ? unrecorded : undefined;
  return { bytes: Buffer.from(body), isDecoded: true, ...(truncated === true && { isCut: true }) };
}

/** Why the twin gave no response: it was told to break the connection, or the client left. */
export function toJournalFailure(reason: unknown): Failure {
  const isFault = membersOf(reason)?.step === 'fault';
  const kind = isFault ? 'dropped' : 'aborted';
  return { kind, message: 'the connection ended before a response' };
}

/** Recordings of the twin filter keys, and name the one that was accepted. */
export function withKeyName(headers: RawHeader[], key: unknown): RawHeader[] {
  if (typeof key !== 'string') return headers;
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'authorization'
      ? [name, value.replace('[Filtered]', key)]
      : [name, value],
  );
}

/** A clock that shows another time than a response has shows it in its seconds, at least. */
const minMoved = 2000;

/**
 * The headers of a response of the twin with `Date` by the clock of its sandbox, where that was moved:
 * windows and dates of removal go by it.
 */
export function withClock(
  headers: RawHeader[],
  clock: unknown,
  { endedAt }: Pick<RecordedExchange, 'endedAt'>,
): RawHeader[] {
  const instant = typeof clock === 'string' ? Date.parse(clock) : Number.NaN;
  if (Number.isNaN(instant) || Math.abs(instant - endedAt) < minMoved) return headers;
  const others = headers.filter(([name]) => name.toLowerCase() !== 'date');
  return [...others, ['Date', new Date(instant).toUTCString()]];
}

/** Whether a value has the form of an entry of the journal. */
export function isJournalEntry(value: Members): boolean {
  return 'milliseconds' in value && 'at' in value && membersOf(value.request) !== undefined;
}
