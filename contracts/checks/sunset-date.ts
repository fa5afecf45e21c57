import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';
import { type Check, called } from './check.ts';

const day = 86_400_000;

/** Where a deprecated operation tells its removal date, it is the stated one. */
export const sunsetDate: Check = {
  id: 'sunset-date',
  clause: { basis: 'stated', source: '§4.3, §9', text: 'A removal date that a response tells (Sunset) is the stated one.' },
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { operation } = exchange.case;
      const sent = headerValue(exchange, 'Sunset');
      if (operation?.sunset === undefined || sent === undefined) continue;
      const { sunset } = operation;
      const instant = Date.parse(sent);
      judge.hold(!Number.isNaN(instant) && Math.abs(instant - sunset) <= day, exchange, () => ({
        message: `${called(exchange)} tells another removal date than the stated one`,
        expected: new Date(sunset).toUTCString(),
        actual: `Sunset: ${sent}`,
      }));
    }
  },
};
