import { answeredFor } from '../transcript/transcript.ts';
import { type Check, shown } from './check.ts';
import { clauseOf } from './clause-of.ts';
import { itemsWith, wholeSets } from './lists.ts';

/** A create that was refused leaves nothing behind. */
export const refusedLeavesNothing: Check = {
  id: 'refused-leaves-nothing',
  clause: clauseOf('refused-leaves-nothing'),
  unheld: 'no complete list was received after a refused create',
  cases: ['invalid-create', 'list'],
  needs: 'the clause itself',
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { views } = wholeSets(transcript, resource);
      for (const exchange of answeredFor(transcript, 'invalid-create', 'credential')) {
        const { case: testCase, request, response } = exchange;
        if (
          testCase.operation?.kind !== 'create' ||
          testCase.operation.resource !== resource.name ||
          response.status < 400
        )
          continue;
        const { marker } = request;
        const later = views.filter((view) => view.exchange.sentAt > exchange.endedAt);
        if (marker === undefined || later.length === 0) continue;
        const [left] = later.flatMap((view) => itemsWith(view, marker));
        judge.hold(left === undefined, exchange, () => ({
          message: `a create that was answered with ${response.status} still added an item`,
          expected: 'no new item',
          actual: shown(left),
        }));
      }
    }
  },
};
