import { type Check, clauseOf, shown } from '../clauses/check.ts';
import type { Answer } from '../transcript/exchange.ts';
import type { Item } from '../transcript/items.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { itemsWith, wholeLists } from '../transcript/whole-lists.ts';

/** A create that was refused leaves nothing behind. */
export const refusedLeavesNothing: Check = {
  id: 'refused-leaves-nothing',
  clause: clauseOf('refused-leaves-nothing'),
  unheld: 'no complete list was received after a refused create',
  cases: ['invalid-create', 'list'],
  needsCases: ['list', 'invalid-create', 'credential'],
  needs: 'the clause itself',
  judge(transcript, judge) {
    const { choosesCalls, seesAllCalls, evidence } = transcript.observer;
    const isOwn = choosesCalls ? () => true : ownMarkers(transcript);
    for (const resource of transcript.document.resources) {
      const { views } = wholeLists(transcript, resource);
      const outcomes = answeredFor(transcript, 'invalid-create', 'credential').flatMap(
        (exchange): { exchange: Answer; left: Item | undefined }[] => {
          const { case: testCase, request, response } = exchange;
          if (
            testCase.operation?.kind !== 'create' ||
            testCase.operation.resource !== resource.name ||
            response.status < 400
          )
            return [];
          const { marker } = request;
          const later = views.filter((view) => view.exchange.sentAt > exchange.endedAt);
          if (marker === undefined || later.length === 0 || !isOwn(marker)) return [];
          const wasThere = views.some(
            (view) => view.exchange.sentAt < exchange.sentAt && itemsWith(view, marker).length > 0,
          );
          const [left] = later.flatMap((view) => itemsWith(view, marker));
          return wasThere && !seesAllCalls ? [] : [{ exchange, left }];
        },
      );
      const isSure = outcomes.filter(({ left }) => left).length >= evidence.leftItems;
      for (const { exchange, left } of outcomes)
        if (isSure || left === undefined)
          judge.hold(left === undefined, exchange, () => ({
            message: `a create that was answered with ${exchange.response.status} still added an item`,
            expected: 'no new item',
            actual: shown(left),
          }));
    }
  },
};

/** Gives the function that says whether one create alone sent a text. */
function ownMarkers({ exchanges }: Transcript): (marker: string) => boolean {
  const times = new Map<string, number>();
  for (const { request } of exchanges)
    if (request.marker !== undefined)
      times.set(request.marker, (times.get(request.marker) ?? 0) + 1);
  return (marker) => times.get(marker) === 1;
}
