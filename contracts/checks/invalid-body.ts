import { findResource } from '../document.ts';
import { statedErrors } from '../stated.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { aboutItem, type Check, called, shown } from './check.ts';

/** A body that lacks a required field or holds an invalid value is answered with 400. */
export const invalidBody: Check = {
  id: 'invalid-body',
  clause: {
    basis: 'stated',
    source: '§4.2, §7',
    text: 'A body that lacks a required field or holds an invalid value is answered with 400.',
  },
  needs: 'an answer to an invalid body',
  general: 'A body that breaks its schema is answered with the 400 or 422 that the document states.',
  follows: ['reliable-answers'],
  part: 'status',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'invalid-create')) {
      const { status, text, json } = exchange.response;
      const { operation, purpose } = exchange.case;
      const { idProperty = 'id' } = findResource(transcript.document, operation) ?? {};
      const stated = (operation ? statedErrors(operation) : []).map((response) => response.status);
      const expected = ['400', '422'].filter((one) => stated.includes(one));
      if (expected.length === 0) continue;
      judge.hold(expected.includes(String(status)), exchange, () => ({
        message: `${called(exchange)} does not answer ${expected.join(' or ')} to an invalid body (${purpose.what})`,
        expected: expected.join(' or '),
        actual: `${status} ${shown(text)}`,
        group: `${called(exchange)} ${status}`,
        ...(status < 300 && aboutItem((json as Record<string, unknown> | null | undefined)?.[idProperty])),
      }));
    }
  },
};
