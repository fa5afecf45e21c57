import { type Check, called, clauseOf } from '../clauses/check.ts';
import { headerValue } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

const hour = 3_600_000;

/** The date is a day long and begins in each time zone at another instant. */
const earliest = -14 * hour;
const latest = 24 * hour + 12 * hour;

/** If a deprecated operation announces its removal date, it is the stated one. */
export const sunsetDate: Check = {
  id: 'sunset-date',
  clause: clauseOf('sunset-date'),
  unheld: 'no answer carried Sunset',
  needs: 'a removal date',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const { operation } = exchange.case;
      const sent = headerValue(exchange, 'Sunset');
      if (operation?.sunset === undefined || sent === undefined) continue;
      const { sunset } = operation;
      const instant = Date.parse(sent);
      judge.hold(
        !Number.isNaN(instant) && instant - sunset >= earliest && instant - sunset <= latest,
        exchange,
        () => ({
          message: `${called(exchange)} announces a removal date (Sunset) other than the stated one`,
          expected: new Date(sunset).toUTCString(),
          actual: `Sunset: ${sent}`,
        }),
      );
    }
  },
};
