import { expect, it } from 'vitest';
import { type Page, type PagedForm, startNotes, writeNotes } from '../../support/paged-notes.ts';
import { resultOf, verifyWrites } from '../../support/verify-writes.ts';

const styles = ['page', 'offset', 'after', 'next', 'link'] as const;
type Style = (typeof styles)[number];

/** Describes what a deployment does wrong with pages. */
type Fault = 'ignored' | 'overlap' | 'gap';

const described: Record<Style, Omit<PagedForm, 'toPage'>> = {
  page: { parameters: { page: 'integer' } },
  offset: { parameters: { offset: 'integer' } },
  after: { parameters: { cursor: 'string' }, nextIn: 'next_cursor' },
  next: { parameters: {}, nextIn: 'next' },
  link: { parameters: {}, header: 'Link' },
};

/** Notes whose list has pages in a style, with a fault from the second page on. */
function toPaged(style: Style, fault?: Fault): PagedForm {
  const toPage: PagedForm['toPage'] = (notes, query, size): Page => {
    const number = Number(query.get(style === 'after' ? 'cursor' : style) ?? 0);
    const start = style === 'page' ? (Math.max(1, number) - 1) * size : number;
    const shift = { ignored: -start, overlap: -1, gap: 1, none: 0 }[fault ?? 'none'];
    const from = start + (start === 0 ? 0 : shift);
    const shown = notes.slice(from, from + size);
    const next = start + size < notes.length ? start + size : null;
    const address = `/notes?per_page=${size}&${style}=${next}`;
    if (style === 'next') return { shown, next: next === null ? null : address };
    if (style === 'after') return { shown, next: next === null ? null : String(next) };
    const isLinked = style === 'link' && next !== null;
    return { shown, ...(isLinked && { headers: { Link: `<${address}>; rel="next"` } }) };
  };
  return { ...described[style], toPage };
}

async function verifyNotes(style: Style, fault?: Fault) {
  const paged = toPaged(style, fault);
  const { url } = await startNotes(paged);
  return verifyWrites(url, await writeNotes(paged), { only: ['pages'] });
}

it.each(styles)('goes through pages in the style "%s", and finds each item once', async (style) => {
  const report = await verifyNotes(style);
  expect(report.findings).toEqual([]);
  expect(resultOf(report, 'pages')).toMatchObject({ verdict: 'kept', held: 2 });
});

it.each([
  ['ignored', 'page', /^list shows the same items on several pages$/],
  ['overlap', 'link', /^list shows an item on more than one page$/],
  ['gap', 'after', /^list shows some items that were created on no page$/],
] as const)('finds the fault "%s" of pages in the style "%s"', async (fault, style, text) => {
  const { findings } = await verifyNotes(style, fault);
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([['pages', 'drift']]);
  expect(findings[0]?.message).toMatch(text);
});
