import { toEssence } from '../../openapi/content.ts';
import type { Check } from '../clauses/check.ts';
import { type Answered, headerValue, isAnswered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';

/** HEAD is answered as GET of the same address just before or after it: in status and media type. */
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
      ].filter((get) => get !== undefined);
      if (beside.length === 0) continue;
      const same = beside.filter((get) => get.response.status === response.status);
      const own = typeOf(exchange);
      const isTyped = own === undefined || same.some((get) => (typeOf(get) ?? own) === own);
      const shownBy = (one: Answered) =>
        same.length > 0 ? (typeOf(one) ?? 'no media type') : String(one.response.status);
      const expected = [...new Set(beside.map(shownBy))];
      judge.hold(same.length > 0 && isTyped, exchange, () => ({
        message: `HEAD is answered with ${shownBy(exchange)}, and GET of the same address with ${expected[0]}`,
        group: 'HEAD is not answered like GET',
        expected: expected.join(' or '),
        actual: shownBy(exchange),
      }));
    }
  },
};

/** Returns the media type of an answer without its parameters. */
function typeOf(exchange: Answered): string | undefined {
  const type = headerValue(exchange, 'Content-Type');
  return type === undefined ? undefined : toEssence(type);
}

function isPlainGet({ case: { credential }, request, response }: Answered): boolean {
  return request.method === 'GET' && credential === 'valid' && response.status !== 429;
}

/** Whether two calls ask for the same, with the same key and in the same media types. */
function isSameCall({ request: get }: Answered, { request: head }: Answered): boolean {
  return (
    get.path === head.path &&
    get.keyName === head.keyName &&
    (get.headers.Accept ?? '') === (head.headers.Accept ?? '')
  );
}
