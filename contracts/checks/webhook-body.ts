import { count } from '../../common/cli/count.ts';
import { type Check, called, toWrongBody } from '../clauses/check.ts';

/** A webhook or callback that arrives has the body that the document describes. */
export const webhookBody: Check = {
  id: 'webhook-body',
  clause: {
    basis: 'described',
    source: 'the document',
    text: 'A webhook or callback that is sent has the body that the document describes.',
  },
  isStatedByNeed: true,
  unheld: 'no webhook arrived; verify and the proxy listen for them with --webhooks',
  needs: 'a webhook or callback',
  part: 'body',
  judge({ webhooks }, judge) {
    if (!webhooks) return;
    for (const { exchange, problems, pointer } of webhooks.arrivals)
      judge.hold(problems.length === 0, exchange, () => ({
        ...toWrongBody(
          `${called(exchange)} has a body that breaks its schema`,
          {
            ...exchange.response,
            text: String(exchange.request.body),
            json: exchange.request.value,
          },
          problems,
        ),
        clause: { basis: 'stated', source: pointer, text: webhookBody.clause.text },
        group: `bodies of ${called(exchange)}`,
      }));
    const { missing, unjudged } = webhooks;
    if (missing.length > 0)
      judge.inconclusive(
        `no ${missing.slice(0, 3).join(', no ')} arrived in time, and nothing states when it is sent`,
      );
    if (unjudged.length > 0)
      judge.inconclusive(
        `${count(unjudged.length, 'request')} that arrived could not be judged: ${unjudged.slice(0, 3).join('; ')}`,
      );
  },
};
