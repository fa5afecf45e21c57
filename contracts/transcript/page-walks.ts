import { toJson } from '../../common/json.ts';
import type { ListRules, Resource } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { type Answer, isAnswered } from './exchange.ts';
import { type Item, idOf, idsIn, isList, itemsIn } from './items.ts';
import { nextPage, type PageWays, pageWaysOf } from './next-page.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';

/** The maximum number of pages of a list that are asked for one after the other. */
export const maxPages = 12;

/** Returns the rules of a resource's list, if the document describes a way to its other pages. */
export function pagesOf({ operations: { list } }: Resource): ListRules | undefined {
  const rules = listRulesOf(list);
  const { isLinked, paging } = pageWaysOf(rules);
  return paging || isLinked ? rules : undefined;
}

/** A list that was read page by page. */
export type PageWalk = {
  pages: readonly AnsweredPage[];
  /**
   * The first non-empty page without new items, if the list has more or the previous page links to
   * it.
   */
  repeated: AnsweredPage | undefined;
  /** Items of the run that more than one page shows, each with the second page. */
  again: readonly PageItem[];
  /** Whether pages show items of others twice: they may have moved meanwhile. */
  isDoubtful: boolean;
  /** The items that the run created and that no page shows. */
  missing: readonly string[];
};

type PageItem = { page: AnsweredPage; item: Item; id: string };

type AnsweredPage = AnsweredFor<'page'>;

/** The last walk through the pages of a collection; undefined where none was made. */
export function readLastWalk(transcript: Transcript, resource: Resource): PageWalk | undefined {
  const all = answeredFor(transcript, 'page').filter(
    ({ case: { operation } }) => operation === resource.operations.list,
  );
  const walk = all.at(-1)?.case.purpose.walk;
  const pages = all.filter(({ case: { purpose } }) => purpose.walk === walk);
  const rules = pagesOf(resource);
  const isWhole = pages.every((page) => page.response.status < 300 && isList(page));
  const isRefused = transcript.exchanges.some(
    (exchange) =>
      exchange.case.operation === resource.operations.list &&
      exchange.case.purpose.kind === 'page' &&
      exchange.case.purpose.walk === walk &&
      (!isAnswered(exchange) || exchange.response.status === 429),
  );
  if (!rules || pages.length === 0 || !isWhole || isRefused) return undefined;
  const expected = new Set(pages[0]?.case.purpose.expected);
  const { seen, twice, repeated } = goThrough(pages, resource, rules);
  const again = twice.filter(({ id }) => expected.has(id));
  const unseen = [...expected].filter((id) => !seen.has(id));
  const isSelection = rules?.shows === 'selection';
  const hasEnded = nextPage(rules, resource, pages) === 'none';
  // Nothing says what a page after the last one shows, if nobody but the client asks for it.
  const isBeyondLast = isCounted(pageWaysOf(rules)) && unseen.length === 0;
  return {
    pages,
    repeated: isBeyondLast ? undefined : repeated,
    again,
    isDoubtful: twice.length > again.length,
    missing: hasEnded && !isSelection ? unseen : [],
  };
}

/** The ids that pages show, what they show twice, and the first page with nothing new. */
function goThrough(
  pages: readonly AnsweredPage[],
  resource: Resource,
  rules: ListRules,
): { seen: Set<string>; twice: PageItem[]; repeated: AnsweredPage | undefined } {
  const seen = new Set<string>();
  const twice: PageItem[] = [];
  const walked = withoutFirstAgain(pages, resource, pageWaysOf(rules));
  const repeated = walked.find((_, at) => showsNothingNew(walked.slice(0, at + 1), resource));
  for (const page of walked) {
    const items = itemsIn(page).flatMap((item): PageItem[] => {
      const id = idOf(item, resource.idProperty);
      return id === undefined ? [] : [{ page, item, id }];
    });
    if (page !== repeated) twice.push(...items.filter(({ id }) => seen.has(id)));
    for (const { id } of items) seen.add(id);
  }
  return { seen, twice, repeated };
}

/** Whether the client counts pages or items, and no answer names the next page. */
function isCounted({ isLinked, paging }: PageWays): boolean {
  return !isLinked && (paging?.style === 'page' || paging?.style === 'offset');
}

/** The pages without page 1 where it is the first page, as pages are counted from 1. */
function withoutFirstAgain(
  pages: readonly AnsweredPage[],
  resource: Resource,
  { paging }: PageWays,
): readonly AnsweredPage[] {
  const [first, second, ...others] = pages;
  if (!first || !second || paging?.style !== 'page' || paging.first !== 1) return pages;
  const isNumberOne =
    new URLSearchParams(second.request.path.split('?')[1]).get(paging.parameter) === '1';
  const isAgain = isNumberOne && toJson(idsIn(first, resource)) === toJson(idsIn(second, resource));
  return isAgain ? [first, ...others] : pages;
}

/** Whether the last page of a walk shows only items of the pages before it. */
export function showsNothingNew(pages: readonly Answer[], resource: Resource): boolean {
  const idsOf = (page: Answer) => idsIn(page, resource);
  const before = new Set(pages.slice(0, -1).flatMap(idsOf));
  const last = pages.slice(-1).flatMap(idsOf);
  return last.length > 0 && last.every((id) => id !== undefined && before.has(id));
}

/** Whether a walk shows that something is wrong. */
export function isFaulty({ repeated, again, isDoubtful, missing }: PageWalk): boolean {
  return repeated !== undefined || again.length > 0 || isDoubtful || missing.length > 0;
}
