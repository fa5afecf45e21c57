import { toExcerpt } from '../../common/look/visible.ts';
import type { Api } from '../../openapi/index.ts';
import type { Refused } from '../report/events.ts';
import { type Answer, isAnswered } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** Purposes of calls that are made to be refused. */
const toBeRefused = ['invalid-create', 'unknown-id', 'credential', 'protocol', 'silence'];

/** The operations whose calls a target refused, all of them, with what it said to the last one. */
export function toRefused(
  { operations }: Api,
  { target, exchanges }: Pick<Transcript, 'target' | 'exchanges'>,
): Refused[] {
  const fair = exchanges
    .filter(isAnswered)
    .filter(
      ({ case: { credential, purpose } }) =>
        credential === 'valid' && !toBeRefused.includes(purpose.kind),
    );
  const answers = Map.groupBy(fair, ({ case: { operation } }) => operation?.id);
  return operations.flatMap(({ id, method, path }): Refused[] => {
    const all = answers.get(id) ?? [];
    // What is made up tells less of what is missing.
    const last = all.findLast((one) => one.case.purpose.kind !== 'fuzz') ?? all.at(-1);
    if (!last || all.some(({ response }) => response.status < 400)) return [];
    return [{ target: target.name, operation: id, method, path, reason: toWords(last) }];
  });
}

function toWords({ response: { status, text } }: Answer): string {
  const words = toExcerpt(text.replace(/\s+/g, ' ').trim(), 160);
  return words === '' ? String(status) : `${status} ${words}`;
}
