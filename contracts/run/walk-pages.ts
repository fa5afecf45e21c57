import type { Resource } from '../../openapi/index.ts';
import { type Case, plainCase } from '../cases/case.ts';
import { type Answer, isAnswered } from '../transcript/exchange.ts';
import { grace, recordsOf } from '../transcript/ledger.ts';
import { keptIds } from '../transcript/leftovers.ts';
import { type NextPage, nextPage } from '../transcript/next-page.ts';
import {
  isFaulty,
  maxPages,
  pagesOf,
  readLastWalk,
  showsNothingNew,
} from '../transcript/page-walks.ts';
import { callsLeft, reserve } from './keys/budget.ts';
import { listedItems } from './listed.ts';
import type { Session } from './session.ts';
import type { Turn } from './turn.ts';

/** The pages that a list is divided into, where its size can be chosen. */
const wantedPages = 4;

/**
 * Reads each list that has pages from its first page to its last. Where an item is missing or comes
 * twice, does it again after a while: others may have added or deleted something meanwhile.
 */
export async function walkPages({ session, document }: Turn): Promise<void> {
  for (const resource of document.resources) {
    const { list } = resource.operations;
    if (!list || !session.choice.isChosen(list) || !pagesOf(resource)) continue;
    for (const walk of ['first', 'second']) {
      const affordable = callsLeft(session.keys.bulk);
      if (affordable < maxPages + reserve) break;
      await walkThrough(session, { resource, walk });
      const seen = readLastWalk(session.transcript, resource);
      if (!seen || !isFaulty(seen)) break;
      if (walk === 'first') await session.pause(grace);
    }
  }
}

async function walkThrough(
  session: Session,
  { resource, walk }: { resource: Resource; walk: string },
): Promise<void> {
  const rules = pagesOf(resource);
  const { list } = resource.operations;
  if (!rules || !list) return;
  const expected = keptIds(session.transcript, resource);
  const shown = listedItems(session, resource).length;
  if (Math.max(expected.length, shown) < 2) return;
  const size = pageSizeFor(session, resource, rules.pageSize);
  let next: NextPage = { query: new URLSearchParams(size) };
  const pages: Answer[] = [];
  while (typeof next === 'object' && pages.length < maxPages) {
    const text = next.query.toString();
    const one: Case = {
      ...plainCase(list, `page ${pages.length + 1} of the ${walk} walk`),
      path: `${list.path}${text && `?${text}`}`,
      purpose: { kind: 'page', walk, expected },
    };
    const page: Awaited<ReturnType<Session['call']>> = await session.call(one);
    if (!page || !isAnswered(page)) return;
    pages.push(page);
    if (pages.length > 2 && showsNothingNew(pages, resource)) return;
    next = nextPage(rules, resource, pages);
  }
}

/** The parameter that divides all items that were seen into a few pages, if there is one. */
function pageSizeFor(
  { transcript }: Session,
  resource: Resource,
  pageSize: { name: string; min?: number; max?: number } | undefined,
): Record<string, string> {
  if (!pageSize) return {};
  const { min = 1, max = Number.POSITIVE_INFINITY } = pageSize;
  const wanted = Math.ceil(recordsOf(transcript, resource).length / wantedPages);
  return { [pageSize.name]: String(Math.max(1, min, Math.min(max, wanted))) };
}
