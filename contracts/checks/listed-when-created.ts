import { count } from '../cli/count.ts';
import { valueAt } from '../description/property-path.ts';
import { neverFound } from '../transcript/created-items.ts';
import { idOf } from '../transcript/ids.ts';
import { itemIn } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { aboutItem, aboutMember, type Check, shown } from './check.ts';
import { clauseOf } from './clause-of.ts';
import { itemsWith, wholeSets } from './lists.ts';

/** A created item appears in the list and in the list of its own filter values, once. */
export const listedWhenCreated: Check = {
  id: 'listed-when-created',
  clause: clauseOf('listed-when-created'),
  unheld: 'no complete list was received after a create',
  cases: ['create', 'list'],
  needs: 'the clause itself',
  follows: ['unique-ids', 'read-back', 'filter', 'listed-when-created'],
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const { idProperty, filters } = resource;
      const sets = wholeSets(transcript, resource);
      const lost = neverFound(transcript, resource);
      if (sets.cutReason !== undefined) judge.inconclusive(sets.cutReason);
      for (const exchange of answeredFor(transcript, 'create')) {
        const item = itemIn(exchange);
        const id = idOf(item, idProperty);
        if (
          exchange.case.operation?.resource !== resource.name ||
          exchange.response.status >= 300 ||
          item === undefined ||
          id === undefined
        )
          continue;
        const views = [
          {},
          ...filters
            .filter((name) => typeof item[name] === 'string')
            .map((name) => ({ [name]: String(item[name]) })),
        ];
        for (const view of views) {
          for (const whole of sets.settledViews(view)) {
            if (whole.exchange.sentAt < exchange.endedAt) continue;
            const isListed = whole.items.some((listed) => idOf(listed, idProperty) === id);
            const isSure = isListed && transcript.isTraffic === true;
            if (!isSure && sets.isUnsure(id, whole.exchange.sentAt)) continue;
            const { marker } = exchange.request;
            if (marker !== undefined && !transcript.isTraffic) {
              const copies = itemsWith(whole, marker);
              judge.hold(copies.length < 2, exchange, () => ({
                message: 'one create added more than one item',
                expected: `one item with ${shown(marker)}`,
                actual: `${count(copies.length, 'item')}, with "${idProperty}": ${copies.map((copy) => shown(valueAt(copy, idProperty))).join(', ')}`,
                ...aboutItem(id),
              }));
            }
            judge.hold(isListed, exchange, () => ({
              message: `a created item is missing from the list${Object.keys(view).length > 0 ? ` filtered by its ${Object.keys(view).join(', ')}` : ''}`,
              expected: `an item with "${idProperty}": ${id} in ${whole.exchange.request.path}`,
              actual: `${count(whole.items.length, 'item')}, without ${shown(item)}`,
              ...(Object.keys(view).length > 0 && !lost.has(id)
                ? aboutMember(id, ...Object.keys(view))
                : aboutItem(id)),
            }));
          }
        }
      }
    }
  },
};
