import { aboutItem, type Check, called, shown } from '../clauses/check.ts';
import { readLastWalk } from '../transcript/page-walks.ts';

/** Going from page to page shows each item once, and ends. */
export const pages: Check = {
  id: 'pages',
  clause: {
    basis: 'described',
    source: 'the document',
    text: 'The pages of a list show each item once, and come to an end.',
  },
  isStatedByNeed: true,
  unheld: 'no list was read page by page',
  cases: ['page'],
  needsCases: ['list', 'create', 'page'],
  needs: 'pages of a list',
  part: 'body',
  judge(transcript, judge) {
    for (const resource of transcript.document.resources) {
      const walk = readLastWalk(transcript, resource);
      const last = walk?.pages.at(-1);
      if (!walk || !last) continue;
      const { repeated, again, missing } = walk;
      judge.hold(repeated === undefined, repeated ?? last, () => ({
        message: `${called(last)} shows the same items on several pages`,
        expected: 'items that no page before shows, or none',
        actual: `only items of pages before, on page ${walk.pages.indexOf(repeated ?? last) + 1}`,
      }));
      // A page that is shown again shows all its items again.
      if (repeated) continue;
      for (const { page, item, id } of again)
        judge.hold(false, page, () => ({
          message: `${called(page)} shows an item on more than one page`,
          expected: `"${resource.idProperty}": ${id} on one page`,
          actual: shown(item),
          ...aboutItem(id),
        }));
      judge.hold(missing.length === 0, last, () => ({
        message: `${called(last)} shows some items that were created on no page`,
        expected: `"${resource.idProperty}": ${missing[0]} on a page`,
        actual: `${walk.pages.length} pages without it`,
        ...aboutItem(missing[0]),
      }));
    }
  },
};
