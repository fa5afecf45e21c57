import { count } from '../../../common/cli/count.ts';
import { number } from '../../../common/look/amounts.ts';
import { html, type Markup } from '../../../common/look/markup.ts';
import { code, quoted } from '../../../common/look/parts.ts';
import { sourceLinks } from '../../../common/look/source-links.ts';
import type { Basis, ClauseVerdict, Report, Verdict } from '../events.ts';
import { toSafeUrl, toVerdictLabel } from '../summary.ts';

/** The symbol tells verdicts apart without colour. */
const symbols: Record<Verdict | ClauseVerdict, string> = {
  drift: '✕',
  unanswered: '…',
  standard: '!',
  undocumented: '∅',
  moved: '↷',
  mock: '◦',
  known: '•',
  difference: '≠',
  inconclusive: '?',
  vacuous: '–',
  unobserved: '–',
  client: '→',
  kept: '✓',
};

/** The verdict as a label with its symbol; a count goes before it. */
export function badge(verdict: Verdict | ClauseVerdict, times?: number): Markup {
  return html`<span class="badge is-${verdict}"><span aria-hidden="true">${symbols[verdict]}</span> ${times !== undefined && `${number(times)} `}${toVerdictLabel(verdict)}</span>`;
}

type TargetTable = {
  kind: string;
  first: string;
  names: readonly string[];
  rows: readonly Markup[];
};

/** A table whose first column is followed by one for each target. */
export function targetTable({ kind, first, names, rows }: TargetTable): Markup {
  return html`
<table role="table" class="stacks ${kind}">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${first}</th>${names.map((name) => html`<th role="columnheader" scope="col">${quoted(name)}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>`;
}

/** The cells of a row of it, one for each target. */
export function targetCells(
  names: readonly string[],
  toContent: (name: string) => Markup,
): Markup[] {
  return names.map(
    (name) =>
      html`<td role="cell"><span class="cell-label">${quoted(name)}</span>${toContent(name)}</td>`,
  );
}

/** A number with its noun, and with commas where it is long. */
export function counted(value: number, one: string, many?: string): string {
  return count(value, one, many).replace(/^\d+/, number(value));
}

export function seconds(value: number): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 1 })} s`;
}

/** Returns the source of a clause, a § or an RFC, with its basis. */
export function source({ source: from, basis }: { source: string; basis: Basis }): Markup {
  return html`<span class="source">${sources(from)}${basis !== 'none' && html` <span class="basis">(${basis})</span>`}</span>`;
}

/** The parts of a source, of which an RFC leads to what it names. */
export function sources(from: string): Markup[] {
  return sourceLinks(from, () => undefined);
}

/** The id of the row of a clause. */
export function clauseAnchor(clause: string): string {
  return `clause-${clause.replaceAll(/[^\w-]/g, '-')}`;
}

/** The id of a clause, which leads to its row where it has one. */
export function clauseLink({ clauses }: Report, clause: string): Markup {
  const hasRow = clauses.some(({ id }) => id === clause);
  return hasRow ? html`<a href="#${clauseAnchor(clause)}">${code(clause)}</a>` : code(clause);
}

/** A link out of this page to where the reference shows something, where its address is known. */
export function docsLink(name: string, url: string | undefined): Markup | undefined {
  const href = toSafeUrl(url);
  return href === undefined
    ? undefined
    : html`<a class="docs" href="${href}" rel="noreferrer" aria-label="${name} in the reference">in the reference</a>`;
}
