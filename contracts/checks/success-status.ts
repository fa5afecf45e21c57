import type { Operation, Parameter } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { withoutContent } from '../../openapi/model/content.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { planBodies, takesListedValue } from '../cases/bodies.ts';
import { needsMadeValue } from '../cases/example-call.ts';
import { isOpenStatus, isRefusal } from '../cases/open-statuses.ts';
import {
  aboutItem,
  aboutStatus,
  type Check,
  called,
  clauseOf,
  shownAnswer,
} from '../clauses/check.ts';
import { toKeyDoubt } from '../clauses/key-doubts.ts';
import { isInProse, isStatedSuccess, statedSuccesses } from '../document/stated.ts';
import type { Answered } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { idAsked } from '../transcript/ids.ts';
import { countOf, isList } from '../transcript/items.ts';
import { isOnlyAccepted, ledgerOf } from '../transcript/ledger.ts';
import { idInAnswer } from '../transcript/made.ts';
import { mayRepeat, succeedsLater } from '../transcript/repeats.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** The purposes of calls that are known to be valid. */
const kinds = ['list', 'read', 'create', 'call', 'count', 'change'] as const;

/**
 * A well-formed call with a valid key gets the success status that the interface states, and no
 * other.
 */
export const successStatus: Check = {
  id: 'success-status',
  clause: clauseOf('success-status'),
  unheld: 'no call that is known to be valid was answered',
  cases: ['list', 'read', 'create'],
  needs: 'a success status',
  general: 'A valid call is answered with a success status that the document states.',
  follows: ['reliable-answers', 'read-back'],
  part: 'status',
  judge(transcript, judge) {
    const lacksValues = lacksListedValues(transcript);
    if (lacksValues) judge.inconclusive('no item was seen whose values a valid body could reuse');
    const refused: Answered[] = [];
    for (const exchange of answeredFor(transcript, ...kinds)) {
      const { case: testCase, request, response } = exchange;
      const { operation, purpose } = testCase;
      const { status } = response;
      const missing = operation ? missingParameters(operation, request) : [];
      if (missing.length > 0) {
        judge.inconclusive(`${called(exchange)} needs ${missing.join(', ')}, which no call sends`);
        continue;
      }
      const expected = operation ? statedSuccesses(operation) : [];
      const isExpected = operation !== undefined && isStatedSuccess(operation, status);
      const isCreate = purpose.kind === 'create';
      if (isCreate && isOpenStatus(transcript.document, testCase, status)) refused.push(exchange);
      else if (expected.length > 0 && !isRemoved(exchange, operation?.sunset)) {
        const open = isExpected ? undefined : whyOpen(transcript, exchange, lacksValues);
        if (typeof open === 'string') judge.inconclusive(open);
        if (open) continue;
        judge.hold(isExpected, exchange, () => ({
          message: `${called(exchange)} answers ${status} to a valid call`,
          expected: expected.map((one) => one.status).join(' or '),
          actual: shownAnswer(response),
          ...(status === 404 && purpose.kind === 'read'
            ? aboutItem(idAsked(request.path))
            : aboutStatus(exchange)),
        }));
      }
    }
    for (const exchange of refused)
      judge.inconclusive(
        `${called(exchange)} refused what was made for it: ${shownAnswer(exchange.response)}`,
      );
  },
};

/**
 * Returns the reason why an answer to a valid call may be right although no success states it, or
 * `true` where no more need be said; `lacksValues` says whether valid bodies lack values of items.
 */
function whyOpen(
  transcript: Transcript,
  exchange: Answered,
  lacksValues: boolean,
): string | boolean | undefined {
  const { document, exchanges, observer } = transcript;
  const { case: testCase, response } = exchange;
  const { operation, purpose } = testCase;
  const { status } = response;
  const isCreate = purpose.kind === 'create';
  const takesValue =
    isCreate && purpose.unused !== undefined && takesUnused(transcript, purpose.unused);
  const mayRefuse = isCreate && ((purpose.mayRefuse && !takesValue) || lacksValues);
  const isOfMadeValue = observer.choosesCalls && operation && needsMadeValue(operation);
  // What a document does not list it may forget: another check says so.
  const mayForget = status < 300 && !isInProse(document) && !lacksContent(exchange);
  return (
    (!isCreate && isOpenStatus(document, testCase, status)) ||
    (mayRefuse && ([400, 422].includes(status) || mayRepeat(transcript, exchange))) ||
    (isOfMadeValue && isRefusal(status)) ||
    (mayForget && operation && !isDescribed(operation, status)) ||
    (status === 404 && isTriedAgain(transcript, exchange)) ||
    succeedsLater(exchanges, exchange) ||
    toKeyDoubt(transcript, exchange) ||
    toDoubt(transcript, exchange) ||
    (status === 404 && purpose.kind === 'read' && isGoneOrLate(transcript, exchange))
  );
}

/**
 * Whether an answer lacks the content that each described success has; a 204 has none, and what was
 * not recorded may have.
 */
function lacksContent({ case: { operation, method }, response }: Answered): boolean {
  const successes = operation ? statedSuccesses(operation) : [];
  const mayHaveNone = method === 'HEAD' || withoutContent.includes(response.status);
  const isEmpty = response.text === '' && response.unjudged === undefined && !mayHaveNone;
  return isEmpty && successes.every(({ schema }) => schema !== undefined);
}

/** Parameters that an operation requires and a call does not send. */
function missingParameters(
  { parameters }: Operation,
  { path, headers }: Answered['request'],
): string[] {
  const sent = new URLSearchParams(path.split('?')[1]);
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const isSent = ({ name, in: place }: Parameter) =>
    place === 'path' ||
    (place === 'query' && sent.has(name)) ||
    (place === 'header' && names.includes(name.toLowerCase())) ||
    (place === 'cookie' && names.includes('cookie'));
  return parameters.filter((one) => one.required && !isSent(one)).map(({ name }) => name);
}

/**
 * Whether another client may have removed the item, or it was created so shortly before that not
 * every replica knows it.
 */
function isGoneOrLate(
  transcript: Transcript,
  { case: { operation }, request, sentAt }: Answered,
): boolean {
  const resource = findResource(transcript.document, operation);
  return (
    resource !== undefined &&
    readHistories(transcript, resource).isUnsure(idAsked(request.path), sentAt)
  );
}

/** Why a read may be refused: the create of its item was only accepted, and nothing showed it yet. */
function toDoubt(transcript: Transcript, read: Answered): string | undefined {
  const { purpose, operation } = read.case;
  const resource = findResource(transcript.document, operation);
  if (purpose.kind !== 'read' || !resource || !isRefusal(read.response.status)) return undefined;
  const id = idAsked(read.request.path);
  const isIts = (one: Answered) => isOnlyAccepted(one) && idInAnswer(one, resource) === id;
  const { shown = [] } = ledgerOf(transcript).record(resource, read.request.path, id) ?? {};
  const isPending =
    answeredFor(transcript, 'create').some(isIts) &&
    !shown.some(({ exchange }) => exchange.number < read.number);
  return isPending ? `${called(read)} shows no item that was only accepted (202)` : undefined;
}

/** Whether a change was made again, as a deployment may find a new item a moment later. */
function isTriedAgain(
  transcript: Transcript,
  { number, case: { purpose, operation } }: Answered,
): boolean {
  if (purpose.kind !== 'change') return false;
  return answeredFor(transcript, 'change').some(
    (one) =>
      one.number > number &&
      one.case.operation === operation &&
      one.case.purpose.id === purpose.id &&
      one.case.purpose.how === purpose.how,
  );
}

function isRemoved({ endedAt }: { endedAt: number }, sunset: number | undefined): boolean {
  return sunset !== undefined && endedAt >= sunset;
}

/** Whether a create succeeded whose value of a property nothing else has. */
function takesUnused(transcript: Transcript, property: string): boolean {
  return answeredFor(transcript, 'silence').some(
    ({ case: { purpose }, response }) => purpose.unused === property && response.status < 300,
  );
}

/** Whether valid bodies take values from listed items, and no answer showed an item. */
function lacksListedValues(transcript: Transcript): boolean {
  const { document, observer } = transcript;
  const takesValues = document.resources.some(
    (resource) => resource.operations.create && takesListedValue(planBodies(document, resource)),
  );
  return observer.choosesCalls && takesValues && !hasAnyItem(transcript);
}

/** Whether a list or a create ever showed an item. */
function hasAnyItem(transcript: Transcript): boolean {
  return answeredFor(transcript, 'list', 'create').some(
    (exchange) =>
      exchange.response.status < 300 &&
      (isList(exchange) ? countOf(exchange) > 0 : exchange.response.json !== undefined),
  );
}
