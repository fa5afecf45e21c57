import { idAsked } from '../transcript/histories.ts';
import { idOf } from '../transcript/ids.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { aboutItem, aboutMember, type Check, called, isSame, shown } from './check.ts';
import { type Item, itemsOf, toChangedReason, wholeSets } from './lists.ts';
import { sharedIds } from './shared-ids.ts';

/** An item is the same wherever it is shown: as created, as read, and in lists. */
export const readBack: Check = {
  id: 'read-back',
  clause: {
    basis: 'stated',
    source: '§4.1, §4.2, §4.3',
    text: 'An item is stored when it is created, and is the same as created, as read and as listed.',
  },
  unheld: 'no item was seen twice',
  cases: ['list', 'read', 'create'],
  needs: 'the clause itself',
  follows: ['unique-ids', 'created-as-sent', 'read-back'],
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const {
        idProperty,
        item: { properties },
      } = resource;
      const { changed } = wholeSets(transcript, resource);
      const shared = sharedIds(transcript, resource);
      const others = [...changed.values()].filter(
        ({ id, moves }) => !shared.has(id) && moves.some((move) => move !== 'gone'),
      );
      if (others.length > 0) judge.inconclusive(toChangedReason(others));
      const versions = new Map<string, { item: Item; where: string }>();
      for (const exchange of answeredFor(transcript, 'create', 'read', 'list', 'count')) {
        const {
          case: { operation, purpose },
          response,
        } = exchange;
        if (operation?.resource !== resource.name || response.status >= 300) continue;
        const single =
          typeof response.json === 'object' &&
          response.json !== null &&
          !Array.isArray(response.json)
            ? [response.json as Item]
            : [];
        for (const item of itemsOf(exchange) ?? single) {
          const id = idOf(item, idProperty);
          const isShared = id !== undefined && shared.has(id);
          if (id === undefined || (changed.has(id) && !isShared)) continue;
          const known = versions.get(id);
          const differing = known
            ? Object.keys(properties).filter((name) => !isSame(known.item[name], item[name]))
            : [];
          const told = isShared || differing.length === 0 ? [differing[0]] : differing;
          for (const differs of known ? told : [])
            judge.hold(differs === undefined, exchange, () => ({
              message: isShared
                ? `${called(exchange)} shows another item under ${idProperty} ${id} than ${known?.where}`
                : `item ${id} has another "${differs}" in ${called(exchange)} than in ${known?.where}`,
              expected: `${member(known?.item ?? {}, differs)}, as in ${known?.where}`,
              actual: `${member(item, differs)}, in ${called(exchange)}`,
              group: isShared ? 'two items under one id' : `an item has another "${differs}"`,
              ...(isShared ? aboutItem(id) : aboutMember(id, differs ?? '')),
            }));
          if (!known) versions.set(id, { item, where: called(exchange) });
        }
        if (purpose.kind === 'read' && single[0] !== undefined) {
          const asked = idAsked(exchange.request.path);
          judge.hold(idOf(single[0], idProperty) === asked, exchange, () => ({
            message: `${called(exchange)} answers with another item than the one asked for`,
            expected: `"${idProperty}": ${asked}`,
            actual: shown(single[0]),
          }));
        }
      }
    }
  },
};

function member(item: Item, name = ''): string {
  return Object.hasOwn(item, name) ? `"${name}": ${shown(item[name])}` : `no "${name}"`;
}
