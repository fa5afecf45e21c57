import type { Resource } from '../../openapi/index.ts';
import { type Case, type CaseStage, readCase } from '../cases/case.ts';
import { surveyCases } from '../cases/list-cases.ts';
import { shownElsewhere } from '../transcript/created-items.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { idAsked, idsIn, toSegment } from '../transcript/items.ts';
import { grace, recordsOf } from '../transcript/ledger.ts';
import { leftItems } from '../transcript/leftovers.ts';
import { listedIds } from './listed.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/** Pauses before missing items are requested again, in milliseconds. */
const pauses = [300, 700, 1500];

/** The maximum number of items that are read because no list shows them. */
const maxUnlisted = 20;

/**
 * Requests created items again while reads or lists do not show them, because a deployment may need
 * a moment. If it ever needed one, it gets all of it before the last survey, as other replicas may
 * lag further behind.
 */
export async function awaitSeen({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    const created = new Map(createdBy(session, resource).map(({ id, endedAt }) => [id, endedAt]));
    const last = Math.max(0, ...created.values());
    let round = 1;
    const look = async (reads: readonly Case[]) => {
      round += 1;
      await session.callAll([
        ...surveyCases({ document, resource }, 'after', String(round)),
        ...reads.map((read) => ({ ...read, id: `${read.id} (later ${round})` })),
      ]);
    };
    /** The first read of each item that was missing, by id. */
    const late = new Map<string, Case>();
    for (const pause of pauses) {
      const unread = unreadOf(session, resource, created);
      const ids = listedIds(session, resource, 'after');
      const isListed = !ids || [...created.keys()].every((id) => ids.has(id));
      for (const [id, read] of unread) if (!late.has(id)) late.set(id, read);
      if (unread.size === 0 && isListed) break;
      await session.pause(pause);
      await look([...unread.keys()].flatMap((id) => late.get(id) ?? []));
    }
    if (round === 1 && !readHistories(session.transcript, resource).isLate) continue;
    await session.pause(last + grace - Date.now());
    await look([...late.values()]);
  }
}

/**
 * Reads a whole list again if the last survey was too early for a slow deployment or lacks created
 * items. Also reads items of the run that lists show under other ids.
 */
export async function surveyAgain({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    await readCopies(session, resource);
    const created = createdBy(session, resource);
    const asked = lastAsked(session, resource, 'after')?.sentAt ?? 0;
    const surveyed = lastAsked(session, resource, 'last')?.sentAt ?? 0;
    const isEarly = created.some(({ endedAt }) => endedAt <= asked && asked < endedAt + grace);
    const listed = listedIds(session, resource, 'last');
    // What the store was filled with since is not in that survey.
    const isMissing = created.some(
      ({ id, endedAt }) => endedAt <= surveyed && listed?.has(id) === false,
    );
    if (!isMissing && !(isEarly && readHistories(session.transcript, resource).isLate)) continue;
    await session.pause(Math.max(0, ...created.map(({ endedAt }) => endedAt)) + grace - Date.now());
    const before = session.transcript.exchanges.length;
    await session.callAll(surveyCases({ document, resource }, 'after', 'again'));
    await readUnlisted(session, resource, before);
  }
}

/**
 * Reads created items that no list has shown since an exchange: someone else may have deleted them.
 */
async function readUnlisted(session: Session, resource: Resource, since: number): Promise<void> {
  const lists = session.transcript.exchanges.slice(since).filter(isAnswered);
  const listed = new Set(lists.flatMap((list) => idsIn(list, resource)));
  const unlisted = createdBy(session, resource).filter(({ id }) => !listed.has(id));
  await readAll(session, resource, { ids: unlisted.map(({ id }) => id), why: 'unlisted' });
}

/** Reads each other id under which the last list shows an item of the run: it may be a copy. */
async function readCopies(session: Session, resource: Resource): Promise<void> {
  const { exchanges } = session.transcript;
  const { list, read } = resource.operations;
  const last = exchanges.findLast(({ case: { operation } }) => operation === list);
  const known = new Set(
    exchanges.flatMap((one) => (one.case.operation === read ? idAsked(one) : [])),
  );
  const shown = last && isAnswered(last) ? shownElsewhere(session.transcript, resource, last) : [];
  const ids = shown.map(({ shownId }) => shownId).filter((id) => !known.has(id));
  await readAll(session, resource, { ids, why: 'a copy' });
}

async function readAll(
  session: Session,
  { operations: { read } }: Resource,
  { ids, why }: { ids: readonly string[]; why: string },
): Promise<void> {
  await session.callAll(
    ids.slice(-maxUnlisted).flatMap((id) => {
      const path = toSegment(id);
      if (!read || path === undefined) return [];
      const one = readCase(read, path, { kind: 'read', id }, 2);
      return [{ ...one, id: `${one.id} (${why})` }];
    }),
  );
}

/** The last list requested in a stage. */
function lastAsked(
  { transcript }: Session,
  { operations }: Resource,
  stage: CaseStage,
): Exchange | undefined {
  return transcript.exchanges.findLast(
    ({ case: { operation, stage: madeIn } }) => operation === operations.list && madeIn === stage,
  );
}

/** The created items of a collection that are not known to be another's, and when they were. */
function createdBy(
  { transcript }: Session,
  { operations }: Resource,
): { id: string; endedAt: number }[] {
  return leftItems(transcript).flatMap(({ id, whose, create }) => {
    const { operation, purpose } = create.case;
    const isMeant = operation === operations.create && purpose.kind === 'create';
    return isMeant && whose !== 'others' && id !== undefined
      ? [{ id, endedAt: create.endedAt }]
      : [];
  });
}

/** The created items whose last read was answered with 404, each with that read. */
function unreadOf(
  { transcript }: Session,
  resource: Resource,
  created: ReadonlyMap<string, number>,
): Map<string, Case> {
  return new Map(
    recordsOf(transcript, resource).flatMap(({ id, missing, shown }): [string, Case][] => {
      const last = missing.at(-1);
      const seen = shown.findLast(({ exchange }) => exchange.case.purpose.kind === 'read');
      const isUnread = last && last.number > (seen?.exchange.number ?? 0);
      return created.has(id) && isUnread ? [[id, last.case]] : [];
    }),
  );
}
