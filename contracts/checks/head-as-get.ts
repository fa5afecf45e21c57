import { needsMadeValue } from '../cases/example-call.ts';
import type { Check } from '../clauses/check.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** HEAD is answered where GET is, with the same status. */
export const headAsGet: Check = {
  id: 'head-as-get',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §9.1, §9.3.2',
    text: 'HEAD gets the same answer as GET, without content.',
  },
  unheld: 'no HEAD was answered',
  cases: ['protocol'],
  needsCases: ['protocol'],
  needs: 'a collection to list',
  part: 'status',
  judge(transcript, judge) {
    for (const exchange of answeredFor(transcript, 'protocol')) {
      const { purpose, parametersOf } = exchange.case;
      // A value that was made up may be wrong.
      if (purpose.rule !== 'head' || (parametersOf && needsMadeValue(parametersOf))) continue;
      judge.hold(exchange.response.status === 200, exchange, () => ({
        message: `HEAD is answered with ${exchange.response.status}, not with the 200 that is stated for GET`,
        group: 'HEAD is not answered like GET',
        expected: '200',
        actual: String(exchange.response.status),
      }));
    }
  },
};
