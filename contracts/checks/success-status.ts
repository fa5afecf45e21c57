import { findResource } from '../../openapi/model/api.ts';
import { withoutContent } from '../../openapi/model/content.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { planBodies, takesListedValue } from '../cases/bodies.ts';
import { isRefusal, missingParameters, outcomesOf } from '../cases/outcomes.ts';
import {
  aboutItem,
  aboutStatus,
  type Check,
  called,
  clauseOf,
  shownAnswer,
} from '../clauses/check.ts';
import { type Doubt, judgeStatus } from '../clauses/judge-status.ts';
import { toKeyDoubt } from '../clauses/key-doubts.ts';
import { isInProse, statedSuccesses } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { countOf, idAsked, isList } from '../transcript/items.ts';
import { isOnlyAccepted, ledgerOf } from '../transcript/ledger.ts';
import { idInAnswer } from '../transcript/made.ts';
import { mayRepeat, succeedsLater } from '../transcript/repeats.ts';
import { answeredFor, isAnsweredFor, type Transcript } from '../transcript/transcript.ts';

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
    const { document } = transcript;
    if (lacksListedValues(transcript))
      judge.inconclusive('no item was seen whose values a valid body could reuse');
    const doubts = doubtsOf(transcript);
    const refused: Answer[] = [];
    for (const exchange of answeredFor(transcript, ...kinds)) {
      const { purpose, operation } = exchange.case;
      const { status } = exchange.response;
      const missing = operation ? missingParameters(operation, exchange.request) : [];
      const { isOpen } = outcomesOf(document, exchange.case);
      if (missing.length > 0)
        judge.inconclusive(`${called(exchange)} needs ${missing.join(', ')}, which no call sends`);
      else if (purpose.kind === 'create' && isOpen(status)) refused.push(exchange);
      else if ((operation?.sunset ?? Number.POSITIVE_INFINITY) > exchange.endedAt)
        judgeStatus(document, judge, exchange, {
          doubts,
          violation: () => ({
            message: `${called(exchange)} answers ${status} to a valid call`,
            ...(status === 404 && purpose.kind === 'read'
              ? aboutItem(idAsked(exchange))
              : aboutStatus(exchange)),
          }),
        });
    }
    for (const exchange of refused)
      judge.inconclusive(
        `${called(exchange)} refused what was made for it: ${shownAnswer(exchange.response)}`,
      );
  },
};

/** Lists the reasons why a valid call may get another status than those that the document states. */
function doubtsOf(transcript: Transcript): Doubt[] {
  const { document, exchanges } = transcript;
  const lacksValues = lacksListedValues(transcript);
  return [
    function mayRefuseValues(create) {
      if (!isAnsweredFor(create, 'create')) return false;
      const { purpose } = create.case;
      const isUsable = purpose.unused !== undefined && takesUnused(transcript, purpose.unused);
      const mayRefuse = lacksValues || (purpose.mayRefuse === true && !isUsable);
      const isContent = [400, 422].includes(create.response.status);
      return mayRefuse && (isContent || mayRepeat(transcript, create));
    },
    // What a document does not list it may forget: another check says so.
    function mayBeForgotten(answer) {
      const { operation } = answer.case;
      const { status } = answer.response;
      const mayForget = status < 300 && !isInProse(document) && !lacksContent(answer);
      return mayForget && operation && !isDescribed(operation, status);
    },
    // A deployment may find a new item a moment later, so that a change is made again.
    function isTriedAgain({ number, response: { status }, case: { purpose, operation } }) {
      if (purpose.kind !== 'change' || status !== 404) return false;
      const { id, how } = purpose;
      return answeredFor(transcript, 'change').some(
        ({ number: later, case: { purpose: other, operation: own } }) =>
          later > number && own === operation && other.id === id && other.how === how,
      );
    },
    (answer) => succeedsLater(exchanges, answer),
    (answer) => toKeyDoubt(transcript, answer),
    (answer) => toPendingReason(transcript, answer),
    // Another client may have removed the item, or some replica may not know it yet.
    function isGoneOrLate(read) {
      const { purpose, operation } = read.case;
      const resource = findResource(document, operation);
      if (read.response.status !== 404 || purpose.kind !== 'read' || !resource) return false;
      return readHistories(transcript, resource).isUnsure(idAsked(read), read.sentAt);
    },
  ];
}

/**
 * Whether an answer lacks the content that each described success has; a 204 has none, and what was
 * not recorded may have.
 */
function lacksContent({ case: { operation, method }, response }: Answer): boolean {
  const successes = operation ? statedSuccesses(operation) : [];
  const mayHaveNone = method === 'HEAD' || withoutContent.includes(response.status);
  const isEmpty = response.text === '' && response.unjudged === undefined && !mayHaveNone;
  return isEmpty && successes.every(({ schema }) => schema !== undefined);
}

/** Why a read may be refused: the create of its item was only accepted, and nothing showed it yet. */
function toPendingReason(transcript: Transcript, read: Answer): string | undefined {
  const { purpose, operation } = read.case;
  const resource = findResource(transcript.document, operation);
  if (purpose.kind !== 'read' || !resource || !isRefusal(read.response.status)) return undefined;
  const id = idAsked(read);
  const isIts = (one: Answer) => isOnlyAccepted(one) && idInAnswer(one, resource) === id;
  const { shown = [] } = ledgerOf(transcript).record(resource, read.request.path, id) ?? {};
  const isPending =
    answeredFor(transcript, 'create').some(isIts) &&
    !shown.some(({ exchange }) => exchange.number < read.number);
  return isPending ? `${called(read)} shows no item that was only accepted (202)` : undefined;
}

/** Whether a create succeeded whose value of a property nothing else has. */
function takesUnused(transcript: Transcript, property: string): boolean {
  return answeredFor(transcript, 'silence').some(
    ({ case: { purpose }, response }) => purpose.unused === property && response.status < 300,
  );
}

/** Whether valid bodies take values from listed items, and no list or create ever showed an item. */
function lacksListedValues(transcript: Transcript): boolean {
  const { document, observer } = transcript;
  const takesValues = document.resources.some(
    (resource) => resource.operations.create && takesListedValue(planBodies(document, resource)),
  );
  const showsItem = (exchange: Answer) =>
    exchange.response.status < 300 &&
    (isList(exchange) ? countOf(exchange) > 0 : exchange.response.json !== undefined);
  return (
    observer.choosesCalls &&
    takesValues &&
    !answeredFor(transcript, 'list', 'create').some(showsItem)
  );
}
