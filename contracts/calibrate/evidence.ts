import { count } from '../../common/cli/count.ts';
import { shortForm, toForm } from '../silences/reading.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { countOf, isList } from '../transcript/items.ts';

/** The maximum number of kinds of exchanges that are listed. */
const maxKinds = 12;

/** A line for each kind of exchange: what was asked, what came, how often, and when last. */
export function toEvidence(shown: readonly Exchange[]): string[] {
  const kinds = [...Map.groupBy(shown, toKind)];
  const lines = kinds.slice(0, maxKinds).map(([kind, exchanges]) => {
    const last = Math.max(...exchanges.map(({ endedAt }) => endedAt));
    const at = `${new Date(last).toISOString().slice(0, 19)}Z`;
    return `${kind} (${count(exchanges.length, 'time')}, last at ${at})`;
  });
  const more = kinds.length - lines.length;
  return more > 0
    ? [...lines, `and ${count(more, 'more kind', 'more kinds')} of exchanges`]
    : lines;
}

function toKind(one: Exchange): string {
  const { method, path } = one.request;
  const { id, purpose } = one.case;
  const question = purpose.kind === 'silence' ? purpose.probe : id;
  // The same question, asked again.
  const what = method === 'POST' ? ` (${question.replace(/ \(\d+\)$/, '')})` : '';
  return `${method} ${path}${what}: ${toOutcome(one)}`.slice(0, 200);
}

function toOutcome(one: Exchange): string {
  if (!isAnswered(one)) return `no answer: ${one.failure.message}`;
  const { status } = one.response;
  return isList(one) ? `${status}, ${count(countOf(one), 'item')}` : shortForm(toForm(one));
}
