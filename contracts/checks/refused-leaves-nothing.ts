import { answeredFor } from '../run/transcript.ts';
import { type Check, shown } from './check.ts';
import { wholeSets } from './lists.ts';

/** A create that was refused leaves nothing behind. */
export const refusedLeavesNothing: Check = {
  id: 'refused-leaves-nothing',
  clause: { basis: 'stated', source: '§4.2, §7', text: 'A create that is answered with 400 or 401 adds no item.' },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const sets = wholeSets(transcript, resource);
      const views = [
        sets.whole({}),
        ...resource.filters.flatMap((name) => values(transcript, name).map((value) => sets.whole({ [name]: value }))),
      ].filter((view) => view !== undefined);
      for (const exchange of answeredFor(transcript, 'invalid-create', 'credential')) {
        const { case: one, request, response } = exchange;
        if (one.operation?.kind !== 'create' || one.operation.resource !== resource.name || response.status < 400) continue;
        const { marker } = request;
        const later = views.filter((view) => view.exchange.sentAt > exchange.endedAt);
        if (marker === undefined || later.length === 0) continue;
        const left = later.flatMap(({ items }) => items).find((item) => Object.values(item).includes(marker));
        judge.hold(left === undefined, exchange, () => ({
          message: `a create that was answered with ${response.status} added an item all the same`,
          expected: 'no new item',
          actual: shown(left),
        }));
      }
    }
  },
};

function values(transcript: Parameters<Check['judge']>[0], filter: string): string[] {
  return [...new Set(answeredFor(transcript, 'list').map(({ case: { purpose } }) => purpose.filters[filter]))].filter(
    (value) => value !== undefined,
  );
}
