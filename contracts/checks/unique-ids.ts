import { answeredFor } from '../transcript/transcript.ts';
import { aboutItem, type Check, called } from './check.ts';
import { itemsOf } from './lists.ts';

/** The service gives each item an id of its own. */
export const uniqueIds: Check = {
  id: 'unique-ids',
  clause: { basis: 'stated', source: '§2', text: 'The service assigns each created item an id that no other item has.' },
  unheld: 'neither a list nor a created item was received',
  cases: ['create', 'list'],
  needs: 'the clause itself',
  follows: ['unique-ids'],
  judge(transcript, judge) {
    for (const { idProperty, name } of transcript.document.resources) {
      const created = new Map<string, string>();
      for (const exchange of answeredFor(transcript, 'list', 'create', 'create-with-id', 'observed', 'count')) {
        const {
          case: { operation },
          response,
        } = exchange;
        if (operation?.resource !== name) continue;
        if (operation.kind === 'list') {
          const ids = (itemsOf(exchange) ?? []).map((item) => String(item[idProperty]));
          const twice = ids.find((id, index) => ids.indexOf(id) !== index);
          judge.hold(twice === undefined, exchange, () => ({
            message: `${called(exchange)} lists one id twice`,
            expected: 'each id once',
            actual: `"${idProperty}": ${twice} twice`,
            about: [...aboutItem(twice).about, `ids of ${name}`],
          }));
        }
        const id =
          operation.kind === 'create' && response.status < 300
            ? (response.json as Record<string, unknown> | undefined)?.[idProperty]
            : undefined;
        if (id === undefined || id === null) continue;
        const earlier = created.get(String(id));
        judge.hold(earlier === undefined, exchange, () => ({
          message: `${called(exchange)} gives an id that another item has`,
          expected: 'a new id',
          actual: `"${idProperty}": ${id}, as ${earlier} has`,
          about: [...aboutItem(id).about, `ids of ${name}`],
        }));
        created.set(String(id), exchange.case.id);
      }
      judgeTaken(transcript, judge, name, idProperty);
    }
  },
};

/** An id that the list showed before anything was created is taken. */
function judgeTaken(
  transcript: Parameters<Check['judge']>[0],
  judge: Parameters<Check['judge']>[1],
  resource: string,
  idProperty: string,
): void {
  const listed = new Map<string, number>();
  for (const exchange of answeredFor(transcript, 'list', 'create')) {
    const {
      case: { operation },
      response,
      endedAt,
      sentAt,
    } = exchange;
    if (operation?.resource !== resource) continue;
    if (operation.kind === 'list')
      for (const item of itemsOf(exchange) ?? [])
        if (!listed.has(String(item[idProperty]))) listed.set(String(item[idProperty]), endedAt);
    const id =
      operation.kind === 'create' && response.status < 300
        ? (response.json as Record<string, unknown> | undefined)?.[idProperty]
        : undefined;
    if (id === undefined || id === null) continue;
    const since = listed.get(String(id));
    judge.hold(since === undefined || since >= sentAt, exchange, () => ({
      message: `${called(exchange)} gives an id that another item has`,
      expected: 'a new id',
      actual: `"${idProperty}": ${id}, listed before`,
      about: [...aboutItem(id).about, `ids of ${resource}`],
    }));
  }
}
