import type { Basis, ClauseVerdict, Report, Verdict } from '../events.ts';
import { html, type Markup } from '../markup.ts';
import { count, toOperationName } from '../summary.ts';

/** The symbol tells verdicts apart without colour. */
const symbols: Record<Verdict | ClauseVerdict, string> = {
  drift: '✕',
  unanswered: '…',
  standard: '!',
  disagreement: '±',
  known: '•',
  difference: '≠',
  inconclusive: '?',
  vacuous: '–',
  kept: '✓',
};

/** The verdict as a label with its symbol; a count goes before it. */
export function badge(verdict: Verdict | ClauseVerdict, times?: number): Markup {
  return html`<span class="badge is-${verdict}"><span aria-hidden="true">${symbols[verdict]}</span> ${times !== undefined && `${number(times)} `}${verdict}</span>`;
}

/**
 * Text that came from a run, kept apart from what stands around it, so that its direction does not
 * spread.
 */
export function quoted(text: string): Markup {
  return html`<bdi>${text}</bdi>`;
}

/** A number with its noun, and with commas where it is long. */
export function counted(value: number, one: string, many?: string): string {
  return count(value, one, many).replace(/^\d+/, number(value));
}

/** Like {@link quoted}, for names and values of the machine. */
export function code(text: string): Markup {
  return html`<code><bdi>${text}</bdi></code>`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function seconds(value: number): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 1 })} s`;
}

/** Where a clause comes from: its § or RFC, and what kind of ground that is. */
export function source({ source: from, basis }: { source: string; basis: Basis }): Markup {
  return html`<span class="source"><bdi>${from}</bdi>${basis !== 'none' && html` <span class="basis">(${basis})</span>`}</span>`;
}

/** A section with its heading. `note` tells in a sentence what is in it. */
export function section(id: string, title: string, note: string, content: Markup): Markup {
  return html`
<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title" tabindex="-1">${title}</h2>
<p class="note">${note}</p>
${content}
</section>`;
}

/**
 * Everything that findings name as a target: those of the run, then strangers such as the baseline.
 */
export function targetNames({ targets, findings }: Report): string[] {
  return [
    ...new Set([...targets.map(({ name }) => name), ...findings.map(({ target }) => target)]),
  ];
}

/** The operations of the document, then none (the empty one), then others that findings name. */
export function operationNames({ operations, findings }: Report): string[] {
  return [
    ...new Set([
      ...operations.map(({ id }) => id),
      '',
      ...findings.map(({ operation }) => operation),
    ]),
  ];
}

/** An operation for a reader. */
export function operationLabel(operation: string): string {
  return toOperationName(operation);
}
