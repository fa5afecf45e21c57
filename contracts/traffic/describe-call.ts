import { membersOf } from '../../common/json.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import type { Case, Purpose } from '../cases/case.ts';
import { type RawHeader, valuesOf } from '../transcript/exchange.ts';
import { type findOperation, recognizeCall } from '../transcript/recognize.ts';
import { recognizeBody } from '../transcript/recognize-body.ts';
import type { FindBody } from '../transcript/schema/validator.ts';

/** The purpose of a call, read from the call alone, and the members of a valid create's body. */
export type CallDescription = Pick<Case, 'purpose' | 'leftOpen'> & {
  sent?: Record<string, unknown>;
};

type Asked = {
  document: Api;
  /** Gives the validator of an operation's request body. */
  bodies: FindBody;
  operation: Operation | undefined;
  /** Path and query below the base URL, without a key in it. */
  asked: URL;
  headers: readonly RawHeader[];
  body: string | undefined;
};

/** Reads what a call asks for. */
export function describeCall({
  document,
  bodies,
  operation,
  asked,
  headers,
  body,
}: Asked): CallDescription {
  if (!operation) return { purpose: { kind: 'observed' } };
  const [mediaType] = valuesOf(headers, 'Content-Type');
  const find = bodies(operation, mediaType);
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
export function toProtocol(
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
export function isNegotiated(headers: readonly RawHeader[], status: number | undefined): boolean {
  const names = headers.map(([name]) => name.toLowerCase());
  const others = /^(if-(?:none-match|match|(?:un)?modified-since|range)|range|x-http-method.*)$/;
  if (names.some((name) => others.test(name))) return true;
  const accepted = valuesOf(headers, 'Accept').join(',');
  if (accepted.trim() === '') return false;
  if (/\+json\b/i.test(accepted)) return status === 406;
  return !/application\/(?:json|\*)|\*\/\*/i.test(accepted) || /text\/html/i.test(accepted);
}
