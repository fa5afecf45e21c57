import { membersOf } from '../json.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import { fromHarEntry } from './from-har-entry.ts';
import { fromJournalEntry, isJournalEntry } from './from-journal-entry.ts';
import type { HarContext } from './har-bodies.ts';
import {
  BrokenEntry,
  headersOf,
  knownFailureOf,
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

/**
 * The exchange of a line of JSON: in the form of `docs/recordings.md`, or an entry of a HAR or of the
 * twin's journal. Throws a {@link BrokenEntry}.
 */
export async function fromLine(
  line: Members,
  context: HarContext,
): Promise<RecordedExchange | NoExchange> {
  if ('startedDateTime' in line) return fromHarEntry(line, context);
  return isJournalEntry(line) ? fromJournalEntry(line) : fromOwnForm(line);
}

function fromOwnForm(line: Members): RecordedExchange | NoExchange {
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
  if (line.failure !== undefined) return { failure: knownFailureOf(line) };
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
