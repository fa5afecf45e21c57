import type { Transcript } from '../transcript/transcript.ts';
import {
  readCredentialsFirst,
  readErrorCodes,
  readFurtherMembers,
  readHeadAndOptions,
  readIdForm,
  readOrdersPayload,
  readRateLimitBody,
  readUnauthenticatedQuota,
  readUnknownPath,
} from './answer-silences.ts';
import {
  readBodySize,
  readDefaultStatus,
  readEmptyName,
  readIntegerRange,
  readMediaType,
  readNewId,
  readReadAfterCreate,
  readRepeatedCreate,
  readUnknownBodyField,
  readUnknownCategory,
  readUnusualName,
} from './create-silences.ts';
import { readDeprecationHeaders, readFurtherHeaders } from './header-silences.ts';
import { readLimitOutOfRange } from './limit-out-of-range.ts';
import {
  readListOrder,
  readUnknownQueryParameter,
  readUnknownStatusFilter,
} from './list-silences.ts';
import { readRateLimitWindows } from './rate-limit-windows.ts';
import type { Reader, Reading } from './reading.ts';

const readers: Readonly<Record<string, Reader>> = {
  'limit-out-of-range': readLimitOutOfRange,
  'unknown-status-filter': readUnknownStatusFilter,
  'unknown-query-parameter': readUnknownQueryParameter,
  'list-order': readListOrder,
  'default-status': readDefaultStatus,
  'unknown-body-field': readUnknownBodyField,
  'unknown-category': readUnknownCategory,
  'integer-range': readIntegerRange,
  'empty-name': readEmptyName,
  'unusual-name': readUnusualName,
  'repeated-create': readRepeatedCreate,
  'new-id': readNewId,
  'read-after-create': readReadAfterCreate,
  'media-type': readMediaType,
  'body-size': readBodySize,
  'pet-id-form': readIdForm,
  'deprecation-headers': readDeprecationHeaders,
  'orders-payload': readOrdersPayload,
  'credentials-first': readCredentialsFirst,
  'error-codes': readErrorCodes,
  'rate-limit-body': readRateLimitBody,
  'rate-limit-windows': readRateLimitWindows,
  'unauthenticated-quota': readUnauthenticatedQuota,
  'unknown-path': readUnknownPath,
  'head-and-options': readHeadAndOptions,
  'further-members': readFurtherMembers,
  'further-headers': readFurtherHeaders,
};

/** Reads what a target does in a silence; undefined where none of its answers shows it. */
export function readSilence(
  transcript: Transcript,
  silence: string,
  { withExamples = false } = {},
): Reading | undefined {
  const { document } = transcript;
  const [resource] = document.resources;
  const read = Object.hasOwn(readers, silence) ? readers[silence] : undefined;
  return resource && read?.({ transcript, document, resource, withExamples });
}

/** The transcript without answers that break a stated clause: those are drift, and pin nothing. */
export function withoutBroken(transcript: Transcript, broken: ReadonlySet<number>): Transcript {
  return {
    ...transcript,
    exchanges: transcript.exchanges.filter(({ number }) => !broken.has(number)),
  };
}
