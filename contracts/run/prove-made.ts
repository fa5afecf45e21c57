import type { Case } from '../cases/case.ts';
import { listCase } from '../cases/list-cases.ts';
import { readCase } from '../cases/read-cases.ts';
import { findResource, type Resource } from '../description/document.ts';
import { membersOf } from '../json.ts';
import { type Answered, type Exchange, isAnswered, type Made } from '../transcript/exchange.ts';
import { toSegment } from '../transcript/ids.ts';
import { type Item, shownIn } from '../transcript/items.ts';
import { largestPage } from './listed.ts';
import { pathOnItem } from './ownership.ts';
import type { Session } from './session.ts';

/**
 * Tells whose the item is that a create answered with: from its answer, or else from a read of it,
 * or from a list that shows it.
 */
export async function proveMade(session: Session, create: Answered): Promise<Made> {
  const { ownership, isTemporary } = session;
  const made = ownership.claim(create);
  if (isTemporary) return made.id === undefined ? made : { ...made, whose: 'own' };
  if (made.whose !== 'unproven' || made.isUnmarked) return made;
  const read = made.id === undefined ? undefined : await readMade(session, create, made.id);
  const byRead = read ? ownership.claim(create, read) : made;
  if (byRead.whose !== 'unproven') return byRead;
  return findMade(session, create, await listBeside(session, create)) ?? byRead;
}

async function readMade(session: Session, create: Answered, id: string) {
  const { document } = session.transcript;
  const { read } = findResource(document, create.case.operation)?.operations ?? {};
  const segment = toSegment(id);
  if (!read || segment === undefined) return undefined;
  const answer = await session.call({
    ...readCase(read, segment, { kind: 'read', id }, 1),
    id: `${read.id}/${id}, as ${create.case.id} made it`,
    path: pathOnItem(read, create.request.path, segment),
    isNeeded: true,
  });
  if (!answer || !isAnswered(answer) || answer.response.status >= 300) return undefined;
  return membersOf(shownIn(answer));
}

/** Whose what a create made is, by the items of a list; undefined where none shows what was sent. */
export function findMade(
  { ownership }: Session,
  create: Exchange,
  items: readonly Item[],
): Made | undefined {
  const made = items.find((item) => ownership.shows(item, create));
  return made && ownership.claim(create, made);
}

/** The items of the list that shows what a create added, on its largest page. */
export async function listBeside(
  session: Session,
  create: Exchange,
  purpose?: Case['purpose'],
): Promise<Item[]> {
  const resource = findResource(session.transcript.document, create.case.operation);
  const one = resource && listAt(session, resource, create);
  const list = one && (await session.call({ ...one, ...(purpose && { purpose }) }));
  const shown = list && isAnswered(list) && list.response.status < 300 ? shownIn(list) : undefined;
  const items: unknown[] = Array.isArray(shown) ? shown : [];
  return items.map(membersOf).filter((item) => item !== undefined);
}

/** The list that shows what a create added, with the largest page. */
function listAt({ transcript }: Session, resource: Resource, create: Exchange): Case | undefined {
  const { list } = resource.operations;
  if (!list) return undefined;
  const number = String(create.number);
  const plain =
    largestPage(transcript.document, resource, 'after', `made by ${number}`) ??
    listCase({ document: transcript.document, resource }, list, {});
  const query = plain.path.split('?')[1];
  const path = pathOnItem(list, create.request.path, '');
  return { ...plain, path: query === undefined ? path : `${path}?${query}`, isNeeded: true };
}
