import { parseJson } from '../../common/json.ts';
import { fitsRange, isJsonMedia, toEssence } from '../../common/media-type.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { mediaTypesOf } from '../../openapi/model/content.ts';
import type { Check } from '../clauses/check.ts';
import { isAnswered, type RawHeader, valuesOf } from '../transcript/exchange.ts';
import { hasOnlyNullFaults } from '../transcript/recognize-body.ts';
import type { FindProblems } from '../transcript/schema/validator.ts';

type Call = {
  document: Api;
  operation: Operation | undefined;
  /** Finds the problems of the body. */
  find: FindProblems | undefined;
  headers: readonly RawHeader[];
  body: string | undefined;
};

/** Returns how a request deviates from the document, if servers tolerate that. */
export function findRemark({ document, operation, find, headers, body }: Call): string | undefined {
  if (!operation || document.hint.requests === 'strict') return undefined;
  const accept = valuesOf(headers, 'Accept').join(', ');
  const offered = operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(mediaTypesOf);
  if (offered.length > 0 && !accepts(accept, offered))
    return `accepts ${accept}, and the document describes ${offered.join(' or ')}`;
  const described = [
    ...(operation.body ? (operation.body.mediaTypes ?? ['application/json']) : []),
    ...(operation.otherBody?.contents ?? []).map(({ mediaType }) => mediaType),
  ];
  if (!body || described.length === 0) return undefined;
  const [mediaType] = valuesOf(headers, 'Content-Type');
  const type = toEssence(mediaType ?? '');
  if (!described.some((range) => fitsRange(type, range)))
    return `sends a body ${mediaType === undefined ? 'without a Content-Type' : `as ${type}`}, and the document describes ${described.join(' or ')}`;
  const isFaulty = isJsonMedia(type) && find && hasOnlyNullFaults(document, find, parseJson(body));
  return isFaulty ? 'sends null for what the document describes as something else' : undefined;
}

/** Whether one of these is accepted; a vendor's type of JSON is JSON. */
function accepts(accept: string, offered: readonly string[]): boolean {
  const ranges = accept.split(',').map(toEssence);
  const fits = (range: string) =>
    range === '' ||
    offered.some(
      (type) => fitsRange(type, range) || (range.endsWith('+json') && isJsonMedia(type)),
    );
  return ranges.some(fits);
}

/** A remark on the client for each call that the document does not describe so and that succeeded. */
export const clientRemarks: Check = {
  id: 'client',
  clause: {
    basis: 'described',
    source: 'the document',
    text: 'A request is as the document describes it.',
  },
  unheld: 'no request was otherwise than the document describes',
  needs: 'the clause itself',
  judge({ exchanges }, judge) {
    for (const exchange of exchanges) {
      const { remark, operation, negotiated } = exchange.case;
      if (remark === undefined || !isAnswered(exchange) || exchange.response.status >= 400)
        continue;
      judge.hold(false, exchange, () => ({
        verdict: 'client',
        message: `a client of ${(operation ?? negotiated)?.id} ${remark}`,
        expected: 'a request as the document describes it',
        actual: `the target tolerates it: ${exchange.response.status}`,
      }));
    }
  },
};
