import { membersOf } from '../json.ts';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Failure } from '../transcript/exchange.ts';
import {
  BrokenEntry,
  failureOf,
  headersOf,
  missingOf,
  objectOf,
  statusOf,
  textOf,
  timeOf,
  toBytes,
  unknownFailure,
  urlOf,
} from './recorded-values.ts';
import type { NoExchange } from './skipped-entry.ts';

type Members = Record<string, unknown>;

/** The exchange of a line of JSON in the form of `docs/recordings.md`. Throws a {@link BrokenEntry}. */
export function fromLine(line: Members): RecordedExchange | NoExchange {
  const request = objectOf(line, 'request');
  const url = urlOf(request, 'url');
  if (url === undefined) return { kind: 'not-http', problem: 'is no request of HTTP' };
  const sentAt = timeOf(line, 'sentAt');
  const body = toBody(request);
  return {
    request: {
      method: textOf(request, 'method'),
      url,
      headers: headersOf(request),
      ...(body && { body }),
    },
    ...toOutcome(line),
    sentAt,
    endedAt: line.endedAt === undefined ? sentAt : timeOf(line, 'endedAt'),
    ...missingOf(line),
  };
}

function toOutcome(line: Members): Pick<RecordedExchange, 'response' | 'failure'> {
  if (line.failure !== undefined) return { failure: failureOf(line.failure) ?? unknownFailure };
  if (line.response === undefined) return { failure: unknownFailure };
  const response = objectOf(line, 'response');
  return {
    response: {
      status: statusOf(response),
      headers: headersOf(response),
      body: toBody(response) ?? { bytes: new Uint8Array(), isDecoded: true },
    },
  };
}

/** A body: its text, or an object of the text or the bytes in base64. */
function toBody({ body }: Members): RecordedBody | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return { bytes: toBytes(body, 'utf8'), isDecoded: true };
  const { text, base64, isCut, isDecoded } = membersOf(body) ?? {};
  const cut = isCut === true && { isCut: true };
  if (typeof text === 'string') return { bytes: toBytes(text, 'utf8'), ...cut, isDecoded: true };
  if (typeof base64 === 'string')
    return { bytes: toBytes(base64, 'base64'), ...cut, ...(isDecoded === true && { isDecoded }) };
  throw new BrokenEntry('has a body that is no text and no object with "text" or "base64"');
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
