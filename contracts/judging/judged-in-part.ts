import { count } from '../cli/count.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { countOf, itemsOf } from '../transcript/items.ts';
import { maxItems } from '../transcript/sample.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { maxFollowed } from '../transcript/whole-lists.ts';

/** What was not judged because there is too much of it, one sentence each. */
export function whyNotAllJudged({ target, document, exchanges }: Transcript): string[] {
  const unjudged = exchanges.flatMap(({ response }) => response?.unjudged ?? []);
  const lengths = exchanges.filter(isAnswered).map(countOf);
  const long = lengths.filter((length) => length > maxItems);
  const longest = long.reduce((most, length) => Math.max(most, length), 0);
  const crowds = document.resources.filter(({ name, idProperty }) => {
    const ids = new Set<string | undefined>();
    for (const exchange of exchanges.filter(isAnswered))
      if (exchange.case.operation?.resource === name)
        for (const item of itemsOf(exchange) ?? []) ids.add(idOf(item, idProperty));
    return ids.size > maxFollowed;
  });
  return [
    ...[...Map.groupBy(unjudged, (reason) => reason)].map(([reason, { length: answers }]) =>
      toUnjudgedBodies(answers, reason),
    ),
    ...(long.length > 0
      ? [
          `of ${count(long.length, 'list')} only the first ${maxItems} items were judged, as ${long.length === 1 ? 'it has' : 'they have up to'} ${longest}`,
        ]
      : []),
    ...crowds.map(
      ({ name }) => `of the ${name} that were listed only the first ${maxFollowed} were followed`,
    ),
  ].map((what) => `${target.name}: ${what}`);
}

/** How many bodies were not judged, and why. */
export function toUnjudgedBodies(answers: number, reason: string): string {
  const bodies =
    answers === 1 ? 'the body of 1 answer was' : `the bodies of ${answers} answers were`;
  return `${bodies} not judged, as ${reason}`;
}
