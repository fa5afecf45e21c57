import type { Check } from '../clauses/check.ts';
import { type Answer, isAnswered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** HEAD is answered as GET of the same address just before or after it, with the same status. */
export const headAsGet: Check = {
  id: 'head-as-get',
  clause: {
    basis: 'standard',
    source: 'RFC 9110 §9.1, §9.3.2',
    text: 'HEAD gets the same answer as GET, without content.',
  },
  unheld: 'no HEAD was answered beside a GET of the same address',
  cases: ['protocol'],
  needsCases: ['protocol', 'list'],
  needs: 'a collection to list',
  part: 'status',
  judge(transcript, judge) {
    const gets = transcript.exchanges.filter(isAnswered).filter(isPlainGet);
    for (const exchange of answeredFor(transcript, 'protocol')) {
      const { case: testCase, number, response } = exchange;
      if (testCase.purpose.rule !== 'head') continue;
      const alike = gets.filter((get) => isSameCall(get, exchange));
      // The state may have changed between the two.
      const beside = [
        alike.findLast((get) => get.number < number),
        alike.find((get) => get.number > number),
      ].flatMap((get) => get?.response.status ?? []);
      if (beside.length === 0) continue;
      judge.hold(beside.includes(response.status), exchange, () => ({
        message: `HEAD is answered with ${response.status}, and GET of the same address with ${beside[0]}`,
        group: 'HEAD is not answered like GET',
        expected: [...new Set(beside)].join(' or '),
        actual: String(response.status),
      }));
    }
  },
};

function isPlainGet({ case: { credential }, request, response }: Answer): boolean {
  return request.method === 'GET' && credential === 'valid' && response.status !== 429;
}

/** Whether two calls ask for the same, with the same key and in the same media types. */
function isSameCall({ request: get }: Answer, { request: head }: Answer): boolean {
  return (
    get.path === head.path &&
    get.keyName === head.keyName &&
    (get.headers.Accept ?? '') === (head.headers.Accept ?? '')
  );
}
