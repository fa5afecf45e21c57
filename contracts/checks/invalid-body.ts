import { parseJson } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import { findResource } from '../../openapi/model/api.ts';
import { aboutItem, type Check, called, clauseOf, shownAnswer } from '../clauses/check.ts';
import { toKeyDoubt } from '../clauses/key-doubts.ts';
import { statedErrors } from '../document/stated.ts';
import type { Answered } from '../transcript/exchange.ts';
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
    for (const exchange of answeredFor(transcript, 'invalid-create')) {
      const { status, text } = exchange.response;
      const { operation, purpose } = exchange.case;
      const { idProperty = 'id' } = findResource(transcript.document, operation) ?? {};
      const stated = (operation ? statedErrors(operation) : []).map((response) => response.status);
      const expected = ['400', '422'].filter((one) => stated.includes(one));
      if (expected.length === 0 || toKeyDoubt(transcript, exchange) !== undefined) continue;
      // A 422 alone is about what JSON says; one that reads no JSON may refuse it before.
      if (status === 400 && !stated.includes('400') && !isJson(exchange)) continue;
      judge.hold(expected.includes(String(status)), exchange, () => ({
        message: `${called(exchange)} answers ${status} to an invalid body (${purpose.what})`,
        expected: expected.join(' or '),
        actual: shownAnswer({ status, text }),
        group: `${called(exchange)} ${status}`,
        ...(status < 300 && aboutItem(valueAt(itemIn(exchange), idProperty))),
      }));
    }
  },
};

function isJson({ request: { body } }: Answered): boolean {
  return parseJson(String(body ?? '')) !== undefined;
}
