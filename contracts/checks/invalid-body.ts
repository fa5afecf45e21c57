import { parseJson } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import { findResource } from '../../openapi/model/api.ts';
import { aboutItem, type Check, called, clauseOf } from '../clauses/check.ts';
import { type Doubt, judgeStatus } from '../clauses/judge-status.ts';
import { toKeyDoubt } from '../clauses/key-doubts.ts';
import { itemIn } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** A body that lacks a required field or contains an invalid value is answered with 400. */
export const invalidBody: Check = {
  id: 'invalid-body',
  clause: clauseOf('invalid-body'),
  unheld: 'no call was answered of which only the body was invalid',
  cases: ['invalid-create'],
  needsCases: ['invalid-create'],
  needs: 'an answer to an invalid body',
  general:
    'A body that breaks its schema is answered with the 400 or 422 that the document states.',
  follows: ['reliable-answers'],
  part: 'status',
  judge(transcript, judge) {
    const { document } = transcript;
    const isOfKey: Doubt = (exchange) => toKeyDoubt(transcript, exchange) !== undefined;
    for (const exchange of answeredFor(transcript, 'invalid-create')) {
      const { status } = exchange.response;
      const { operation, purpose } = exchange.case;
      const { idProperty = 'id' } = findResource(document, operation) ?? {};
      judgeStatus(document, judge, exchange, {
        doubts: [isOfKey, isNoJson],
        violation: () => ({
          message: `${called(exchange)} answers ${status} to an invalid body (${purpose.what})`,
          group: `${called(exchange)} ${status}`,
          ...(status < 300 && aboutItem(valueAt(itemIn(exchange), idProperty))),
        }),
      });
    }
  },
};

/** A 422 alone is about what JSON says; a deployment that reads no JSON may refuse it before. */
const isNoJson: Doubt = ({ request: { body }, response: { status } }) =>
  status === 400 && parseJson(String(body ?? '')) === undefined;
