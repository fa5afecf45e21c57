import type { Operation, Parameter } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { withoutContent } from '../../openapi/model/content.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { planBodies, takesListedValue } from '../cases/bodies.ts';
import { needsMadeValue } from '../cases/example-call.ts';
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
import { idAsked } from '../transcript/ids.ts';
import { countOf, isList } from '../transcript/items.ts';
import { eventsOf } from '../transcript/ledger.ts';
import { idInAnswer } from '../transcript/made.ts';
import { isOnlyAccepted } from '../transcript/made-changes.ts';
import { mayRepeat } from '../transcript/may-repeat.ts';
import { succeedsLater } from '../transcript/succeeds-later.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { wholeSets } from '../transcript/whole-sets.ts';

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
    const lacksValues = !transcript.isTraffic && lacksListedValues(transcript);
    if (lacksValues) judge.inconclusive('no item was seen whose values a valid body could reuse');
    const refused = new Set<Answered>();
    for (const exchange of answeredFor(
      transcript,
      'list',
      'read',
      'create',
      'call',
      'count',
      'change',
    )) {
      const { case: testCase, response } = exchange;
      const expected = testCase.operation
        ? statedSuccesses(testCase.operation).map(({ status }) => status)
        : [];
      const isExpected =
        testCase.operation !== undefined && isStatedSuccess(testCase.operation, response.status);
      const { purpose } = testCase;
      const refusedForAReason =
        purpose.kind === 'create' &&
        ((purpose.mayRefuse &&
          !(purpose.unused !== undefined && takesUnused(transcript, purpose.unused))) ||
          lacksValues) &&
        (response.status === 400 || response.status === 422 || mayRepeat(transcript, exchange));
      const missing = testCase.operation
        ? missingParameters(testCase.operation, exchange.request)
        : [];
      if (missing.length > 0) {
        judge.inconclusive(`${called(exchange)} needs ${missing.join(', ')}, which no call sends`);
        continue;
      }
      if (isRefusedCreate(transcript, exchange)) {
        refused.add(exchange);
        continue;
      }
      if (
        expected.length === 0 ||
        refusedForAReason ||
        hasOtherReason(exchange) ||
        (isRefusal(response.status) && isOfMadeValue(transcript, exchange)) ||
        isRemoved(exchange, testCase.operation?.sunset)
      )
        continue;
      // Of what a call without a kind needs, too little is known to say that a described refusal or
      // a missing item is wrong.
      if (
        purpose.kind === 'call' &&
        !isExpected &&
        testCase.operation &&
        (mayAnswer(testCase.operation, response.status) || mayRefuse(purpose, response.status))
      )
        continue;
      // What a document does not list it may forget: another check says so.
      const isUnlisted =
        response.status < 300 && !isInProse(transcript.document) && !lacksContent(exchange);
      if (isUnlisted && testCase.operation && !isDescribed(testCase.operation, response.status))
        continue;
      if (response.status === 404 && isTriedAgain(transcript, exchange)) continue;
      if (succeedsLater(transcript.exchanges, exchange)) continue;
      const doubt = toKeyDoubt(transcript, exchange) ?? toDoubt(transcript, exchange);
      if (doubt !== undefined) {
        judge.inconclusive(doubt);
        continue;
      }
      if (response.status === 404 && purpose.kind === 'read' && isGoneOrLate(transcript, exchange))
        continue;
      judge.hold(isExpected, exchange, () => ({
        message: `${called(exchange)} answers ${response.status} to a valid call`,
        expected: expected.join(' or '),
        actual: shownAnswer(response),
        ...(response.status === 404 && purpose.kind === 'read'
          ? aboutItem(idAsked(exchange.request.path))
          : aboutStatus(exchange)),
      }));
    }
    for (const [operation, [first]] of Map.groupBy(refused, called))
      if (first)
        judge.inconclusive(
          `${operation} refused what was made for it: ${shownAnswer(first.response)}`,
        );
  },
};

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

/**
 * Whether a change may be refused for what no schema says: what else there is, or what a caller may
 * do. An interface in prose would say so.
 */
function hasOtherReason({ case: { purpose }, response: { status } }: Answered): boolean {
  return purpose.kind === 'change' && [400, 403, 409, 412, 422, 428].includes(status);
}

/**
 * Whether a create was refused whose values the run made up: a deployment may know a reason that no
 * schema says. An interface in prose would say so.
 */
function isRefusedCreate(
  { document }: Transcript,
  { case: { purpose, operation }, response: { status } }: Answered,
): boolean {
  if (purpose.kind !== 'create' || isInProse(document)) return false;
  const isDescribedFailure =
    status >= 500 && operation !== undefined && isDescribed(operation, status);
  return isDescribedFailure || (isRefusal(status) && ![401, 405].includes(status));
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

/** Whether a refusal may be about values that were made up. */
function mayRefuse({ isMadeUp }: { isMadeUp?: boolean }, status: number): boolean {
  return isMadeUp === true && isRefusal(status);
}

/** Whether a call of the run needed a value that neither the document nor the target gives. */
function isOfMadeValue({ isTraffic }: Transcript, { case: { operation } }: Answered): boolean {
  return !isTraffic && operation !== undefined && needsMadeValue(operation);
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function mayAnswer(operation: Operation, status: number): boolean {
  return (
    isDescribed(operation, status) ||
    (operation.path.includes('{') && (status === 404 || status === 410))
  );
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
    wholeSets(transcript, resource).isUnsure(idAsked(request.path), sentAt)
  );
}

/** Why a read may be refused: the create of its item was only accepted, and nothing showed it yet. */
function toDoubt(transcript: Transcript, read: Answered): string | undefined {
  const { purpose, operation } = read.case;
  const resource = findResource(transcript.document, operation);
  if (purpose.kind !== 'read' || !resource || !isRefusal(read.response.status)) return undefined;
  const id = idAsked(read.request.path);
  const isIts = (one: Answered) => isOnlyAccepted(one) && idInAnswer(one, resource) === id;
  const isPending =
    answeredFor(transcript, 'create').some(isIts) &&
    !eventsOf(transcript, resource).some(
      (one) => one.id === id && one.what === 'shown' && one.exchange.number < read.number,
    );
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
  const { document } = transcript;
  const takesValues = document.resources.some(
    (resource) => resource.operations.create && takesListedValue(planBodies(document, resource)),
  );
  return takesValues && !hasAnyItem(transcript);
}

/** Whether a list or a create ever showed an item. */
function hasAnyItem(transcript: Transcript): boolean {
  return answeredFor(transcript, 'list', 'create').some(
    (exchange) =>
      exchange.response.status < 300 &&
      (isList(exchange) ? countOf(exchange) > 0 : exchange.response.json !== undefined),
  );
}
