import { answeredFor } from '../transcript/transcript.ts';
import { type Check, called, shown } from './check.ts';

/** A body that lacks a required field or holds an invalid value is answered with 400. */
export const invalidBody: Check = {
  id: 'invalid-body',
  clause: {
    basis: 'stated',
    source: '§4.2, §7',
    text: 'A body that lacks a required field or holds an invalid value is answered with 400.',
  },
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'invalid-create')) {
      const { status, text } = exchange.response;
      judge.hold(status === 400, exchange, () => ({
        message: `${called(exchange)} does not answer 400 to an invalid body (${exchange.case.purpose.what})`,
        expected: '400',
        actual: `${status} ${shown(text)}`,
        group: `${called(exchange)} ${status}`,
      }));
    }
  },
};
