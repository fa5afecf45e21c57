import { count } from '../../common/cli/count.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import {
  aboutStatus,
  type Check,
  called,
  clearest,
  shownAnswer,
  type Violation,
} from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import { twinName } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** How many statuses a message names. */
const maxNamed = 2;
const maxProblems = 10;

/** An operation answers with no other status than the document describes for it. */
export const describedStatus: Check = {
  id: 'described-status',
  clause: {
    basis: 'described',
    source: anyOperation,
    text: 'An operation answers with a status that the document describes for it.',
  },
  unheld: 'only the mock answered operations with described responses',
  needs: 'responses and no clauses',
  follows: [
    'reliable-answers',
    'success-status',
    'operation-exists',
    'key-required',
    'unknown-id',
    'invalid-body',
    'scheme-case',
  ],
  part: 'status',
  judge(transcript, judge) {
    // A twin has to answer where the document is silent.
    if (transcript.target.name === twinName) return;
    const isNowhere = (status: number) =>
      !transcript.document.operations.some((operation) => isDescribed(operation, status));
    for (const exchange of answersOfOperations(transcript)) {
      const { operation } = exchange.case;
      const { status } = exchange.response;
      // A redirect may be that of a gateway, and failures of the server have a check of their own.
      const isOwn = [2, 4].includes(Math.floor(status / 100));
      if (!operation || operation.responses.length === 0 || !isOwn) continue;
      judge.hold(isDescribed(operation, status), exchange, () => ({
        message: `${called(exchange)} answers ${status}`,
        expected: operation.responses.map((response) => response.status).join(', '),
        actual: shownAnswer(exchange.response),
        group: `${status}, which ${isNowhere(status) ? 'is nowhere described' : undescribed}`,
        ...aboutStatus(exchange),
      }));
    }
  },
  sumUp(violations) {
    const byStatus = [...Map.groupBy(violations, ({ exchange }) => exchange.response?.status)]
      .map(([status, group]) => ({ status, group, times: timesOf(group) }))
      .toSorted((left, right) => right.times - left.times);
    const group = byStatus[0]?.group ?? violations;
    const plain = group.filter(({ exchange }) => exchange.case.purpose.kind !== 'silence');
    const shown = clearest(plain.length > 0 ? plain : group);
    const ids = new Set(violations.map(({ exchange }) => called(exchange)));
    const texts = byStatus.map(({ status, times }) => `${status} (${count(times, 'time')})`);
    const statuses = texts.length > 1 ? toList(texts) : String(byStatus[0]?.status);
    return {
      ...shown,
      message:
        ids.size > 1
          ? `${ids.size} operations answer ${texts.length > 1 ? `${statuses}, which ${undescribed}` : shown.group}`
          : `${called(shown.exchange)} answers ${statuses} where the document describes ${shown.expected}`,
      ...(texts.length > maxNamed && { problems: texts.slice(0, maxProblems) }),
    };
  },
  /** Statuses of the same operations are told together. */
  isAlike(left, right) {
    const [one, other] = [left, right].map(
      (violations) => new Set(violations.map(({ exchange }) => called(exchange))),
    ) as [Set<string>, Set<string>];
    return one.symmetricDifference(other).size === 0;
  },
};

const undescribed = 'the document does not describe';

/** The first of them, and how many more there are. */
function toList(texts: readonly string[]): string {
  const more = texts.length - maxNamed;
  const named = [...texts.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])];
  return `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

function timesOf(violations: readonly Violation[]): number {
  return violations.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0);
}
