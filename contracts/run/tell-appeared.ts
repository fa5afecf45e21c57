import type { Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isUnsafe } from '../cases/case.ts';
import { type Answer, type Exchange, isAnswered, type MadeItem } from '../transcript/exchange.ts';
import { countOf, type Item, idOf, rowsOf, toSegment } from '../transcript/items.ts';
import { grace } from '../transcript/ledger.ts';
import { createdAt, isCreatedSince, leavesOf } from '../transcript/made.ts';
import { mayHaveMore } from '../transcript/whole-lists.ts';
import { newIdsIn } from './allowed-calls.ts';
import { listNow } from './prove-made.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';
import { wait } from './wait.ts';

/**
 * Looks for what calls of the run made beside the items of its creates, such as the kernel of a
 * session: new items that an answer named, or that show what was sent, and any if a call failed.
 * Nothing proves whose they are, so they are reported and never deleted.
 */
export async function tellAppeared({ session }: Turn): Promise<void> {
  const { document, exchanges } = session.transcript;
  const calls = exchanges.filter(
    ({ case: one }) => one.operation && isUnsafe(one) && one.method !== 'DELETE',
  );
  const named = new Map(calls.flatMap((call) => namedBeside(session, call)));
  const failed = calls.find(({ response }) => (response?.status ?? 500) >= 500);
  const causes = [...named.values(), ...(failed ? [failed] : [])];
  const [first] = calls;
  if (!first) return;
  // A deployment may need a moment to show what it made.
  if (causes.length > 0)
    await wait(Math.max(...causes.map(({ endedAt }) => endedAt)) + grace - Date.now());
  for (const resource of document.resources.filter(isOpenToClients)) {
    for (const item of await newIn(session, resource, first)) {
      const naming = named.get(idOf(item, resource.idProperty) ?? '');
      const showing = calls.find(
        (call) => session.ownership.shows(item, call) || pathShows(session, call, item),
      );
      const isNew = `is new at ${resource.path}`;
      const answer = failed?.response ? `answered ${failed.response.status}` : 'not answered';
      const byOthers = `it was ${answer}, and this ${isNew}; the run or somebody else made it`;
      const signs = [
        [naming, 'unproven', `its answer names this, which ${isNew}`],
        [showing, 'unproven', `this shows what it sent, and ${isNew}`],
        [failed, 'others', byOthers],
      ] as const;
      const [cause, whose, reason] = signs.find(([call]) => call !== undefined) ?? [];
      if (cause && whose && reason) add(cause, resource, { item, whose, reason });
    }
  }
}

/** The texts of an item that nobody but the run sends. */
function textsOfRun({ values }: Session, item: Item): string[] {
  return leavesOf(item).filter(
    (leaf) => typeof leaf === 'string' && values.isMarked(leaf),
  ) as string[];
}

/** Whether the path of a call has a text of the run that an item shows. */
function pathShows(session: Session, { request: { path } }: Exchange, item: Item): boolean {
  return textsOfRun(session, item).some((text) => path.includes(toSegment(text) ?? ' '));
}

/** The ids that the answer of a call was the first to show, but for that of its own item. */
function namedBeside(session: Session, call: Exchange): [string, Exchange][] {
  if (!isAnswered(call) || call.response.status >= 300) return [];
  const ids = newIdsIn(session, call).filter((id) => id !== call.made?.id);
  return ids.map((id) => [id, call]);
}

/** Whether clients make or delete items of a collection, unlike those of a log, and its path is whole. */
function isOpenToClients({ path, operations }: Resource): boolean {
  return !path.includes('{') && (operations.create ?? operations.delete) !== undefined;
}

/** The items of a collection that appeared since a call, but for those that its creates returned. */
async function newIn(session: Session, resource: Resource, since: Exchange): Promise<Item[]> {
  const { exchanges } = session.transcript;
  const { idProperty, path, operations } = resource;
  const before = exchanges.filter(
    (one): one is Answer =>
      isAnswered(one) && one.case.operation === operations.list && one.endedAt <= since.sentAt,
  );
  const isWhole = before.some((list) => showsAll(list, resource));
  const seen = before.flatMap((list) => rowsOf(list).map((row) => idOf(row, idProperty)));
  const made = exchanges
    .flatMap((one) => [one, ...(one.creates ?? [])])
    .filter(({ case: { operation } }) => {
      const { operations: own } = findResource(session.transcript.document, operation) ?? {};
      // What no list of its own shows may be in any.
      return own?.list === undefined || operation?.resource === resource.name;
    })
    .map((one) => one.made?.id);
  const known = new Set([undefined, ...seen, ...made]);
  const at = { path, number: exchanges.length, purpose: { kind: 'tidy', id: '' } } as const;
  const now = (await listNow(session, resource, at)) ?? [];
  const isNew = (item: Item) =>
    textsOfRun(session, item).length > 0 ||
    (createdAt(item) === undefined ? isWhole : isCreatedSince(since, item, since.sentAt));
  return now.filter((item) => !known.has(idOf(item, idProperty)) && isNew(item));
}

/** Whether a list without filters shows all items that there are. */
function showsAll(list: Answer, resource: Resource): boolean {
  const { purpose } = list.case;
  const isIgnored = purpose.kind === 'silence' && purpose.silence === 'unknown-query-parameter';
  const asked = purpose.kind === 'list' ? purpose : undefined;
  const isPlain = isIgnored || (asked && Object.keys(asked.filters).length === 0);
  return isPlain === true && !mayHaveMore(resource, asked ?? {}, countOf(list));
}

/** Notes an item of a collection as one that a call made. */
function add(
  call: Exchange,
  { name, path, idProperty }: Resource,
  { item, ...how }: { item: Item } & Pick<MadeItem, 'whose' | 'reason'>,
): void {
  const id = idOf(item, idProperty) as string;
  const operation: Operation = {
    ...(call.case.operation as Operation),
    ...{ kind: 'create', resource: name },
  };
  const create = {
    ...call,
    case: { ...call.case, operation },
    request: { ...call.request, path },
    made: { id, item, ...how },
  };
  call.creates = [...(call.creates ?? []), create];
}
