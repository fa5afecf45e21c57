import { type Check, called, shownAnswer } from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { linkCases } from '../transcript/link-cases.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** A link of a response leads to something that is there, as long as the response shows it. */
export const links: Check = {
  id: 'links',
  clause: {
    basis: 'described',
    source: anyOperation,
    text: 'A link that the document describes for a response leads to something that is there.',
  },
  unheld: 'no response had the values of a link to a read',
  cases: ['link'],
  needsCases: ['link', 'list', 'read', 'create', 'call'],
  needs: 'a link of a response and no clauses',
  follows: ['reliable-answers', 'read-back', 'operation-exists'],
  part: 'status',
  judge(transcript, judge) {
    const { document } = transcript;
    const answered = transcript.exchanges.filter(isAnswered);
    for (const exchange of answeredFor(transcript, 'link')) {
      const { purpose, id } = exchange.case;
      const { status } = exchange.response;
      const from = answered.find(({ number }) => number === purpose.from);
      if (!from || status === 403) continue;
      const isNowhere = status === 404 || status === 410;
      // What somebody else deleted meanwhile is shown no more.
      const isShownStill =
        from.case.method !== 'GET' ||
        answered.some(
          (one) =>
            one.number > exchange.number &&
            one.case.operation === from.case.operation &&
            one.response.status < 300 &&
            linkCases(document, one).some(
              (link) => link.id === id && link.path === exchange.request.path,
            ),
        );
      if (isNowhere && !isShownStill) continue;
      judge.hold(!isNowhere, exchange, () => ({
        message: `${called(exchange)} answers ${status} where the link "${purpose.name}" of ${called(from)} leads to it`,
        expected: 'an answer that is there, as the document describes the link',
        actual: shownAnswer(exchange.response),
      }));
    }
  },
};
