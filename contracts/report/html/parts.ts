import { html, type Markup } from '../../look/markup.ts';
import { number } from '../../look/parts.ts';
import type { Basis, ClauseVerdict, Report, Verdict } from '../events.ts';
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

/** A number with its noun, and with commas where it is long. */
export function counted(value: number, one: string, many?: string): string {
  return count(value, one, many).replace(/^\d+/, number(value));
}

export function seconds(value: number): string {
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 1 })} s`;
}

/** Where a clause comes from: its § or RFC, and what kind of ground that is. */
export function source({ source: from, basis }: { source: string; basis: Basis }): Markup {
  return html`<span class="source"><bdi>${from}</bdi>${basis !== 'none' && html` <span class="basis">(${basis})</span>`}</span>`;
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
