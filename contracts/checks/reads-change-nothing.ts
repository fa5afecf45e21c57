import { answeredFor } from '../run/transcript.ts';
import { type Check, called } from './check.ts';
import { itemsOf, wholeSets } from './lists.ts';

/** Nothing is ever removed, and reading adds nothing: what a list showed once it shows again. */
export const readsChangeNothing: Check = {
  id: 'reads-change-nothing',
  clause: { basis: 'stated', source: '§4, RFC 9110 §9.2.1', text: 'Reading changes nothing, and no item goes away.' },
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const whole = wholeSets(transcript, resource).whole({});
      if (!whole) continue;
      const last = new Set(whole.items.map((item) => String(item[resource.idProperty])));
      for (const exchange of answeredFor(transcript, 'list', 'count')) {
        const {
          case: { operation },
          endedAt,
        } = exchange;
        if (operation !== resource.operations.list || endedAt >= whole.exchange.sentAt) continue;
        const gone = (itemsOf(exchange) ?? []).find((item) => !last.has(String(item[resource.idProperty])));
        judge.hold(gone === undefined, exchange, () => ({
          message: `an item that ${called(exchange)} listed is gone later`,
          expected: `an item with "${resource.idProperty}": ${gone?.[resource.idProperty]}`,
          actual: `${whole.items.length} items without it`,
        }));
      }
      judgeUnexplained(transcript, judge, resource.name, resource.idProperty, whole);
    }
  },
};

/** Without a create between them, two whole lists hold the same items. */
function judgeUnexplained(
  transcript: Parameters<Check['judge']>[0],
  judge: Parameters<Check['judge']>[1],
  resource: string,
  idProperty: string,
  whole: { items: Record<string, unknown>[]; exchange: Parameters<typeof itemsOf>[0] },
): void {
  const first = answeredFor(transcript, 'list').find(
    ({ case: { id, operation, purpose } }) =>
      operation?.resource === resource &&
      id.endsWith('(before)') &&
      Object.keys(purpose.filters).length === 0 &&
      purpose.limit !== undefined,
  );
  const before = first && itemsOf(first);
  if (!first || !before || before.length >= (first.case.purpose.limit ?? 0)) return;
  const known = new Set(before.map((item) => String(item[idProperty])));
  for (const {
    case: { operation },
    response,
  } of transcript.exchanges) {
    const id =
      operation?.kind === 'create' ? (response?.json as Record<string, unknown> | null | undefined)?.[idProperty] : undefined;
    if (id !== undefined) known.add(String(id));
  }
  const unexplained = whole.items.filter((item) => !known.has(String(item[idProperty])));
  // Somebody else may add one or two meanwhile.
  judge.hold(unexplained.length < 3, whole.exchange, () => ({
    message: 'items appeared that nobody created',
    expected: 'the items that were there and those that were created',
    actual: `${unexplained.length} more, one with "${idProperty}": ${unexplained[0]?.[idProperty]}`,
  }));
}
