import { findIn } from '../../openapi/model/responses.ts';
import { type Check, called } from '../clauses/check.ts';
import { anyOperation } from '../clauses/needs.ts';
import { statedSuccesses } from '../document/stated.ts';
import { headerValue, twinName } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** A success has the headers that the document requires of it. */
export const requiredHeaders: Check = {
  id: 'required-headers',
  clause: {
    basis: 'described',
    source: anyOperation,
    text: 'A success has the headers that the document marks as required.',
  },
  unheld: 'no success was received whose headers are required',
  needs: 'a required header and no clauses',
  part: 'headers',
  judge(transcript, judge) {
    // Some headers are those of a connection, which the mock leaves to its server.
    if (transcript.target.name === twinName) return;
    for (const exchange of answersOfOperations(transcript)) {
      const { operation } = exchange.case;
      const { status } = exchange.response;
      const stated = operation && findIn(statedSuccesses(operation), status);
      if (!stated || status >= 300) continue;
      // OpenAPI describes the media type elsewhere, whatever stands here.
      for (const [name, { required }] of Object.entries(stated.headers))
        if (required && name.toLowerCase() !== 'content-type')
          judge.hold(headerValue(exchange, name) !== undefined, exchange, () => ({
            message: `${called(exchange)} answers ${status} without the header ${name}`,
            expected: `the header ${name}`,
            actual: `no ${name}`,
          }));
    }
  },
};
