import type { Change } from '../cases/case.ts';
import type { Answered } from './exchange.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';

type Look = AnsweredFor<'look'>;

/** A change that a deployment made as it says, and what was seen of the item afterwards. */
export type MadeChange = { change: Answered; id: string; looks: Look[] };

/** Whether a change may still have to be made: it was only accepted. */
export function isOnlyAccepted({ response: { status } }: Answered): boolean {
  return status === 202;
}

/**
 * The changes of a kind that were answered with a success, and those that are only accepted with
 * `withAccepted`: they may be made later. Looks before the next change are its own; of looks at the
 * same, the last counts. None in traffic, where others may have changed the item in between.
 */
export function madeChanges(
  transcript: Transcript,
  how: Change,
  { withAccepted = false } = {},
): MadeChange[] {
  const made: MadeChange[] = [];
  /** The last change of each item. */
  const last = new Map<string, MadeChange>();
  for (const exchange of answeredFor(transcript, 'change', 'look')) {
    const { operation, purpose } = exchange.case;
    const key = `${operation?.resource} ${purpose.id}`;
    if (purpose.kind === 'change') {
      const change = { change: exchange, id: purpose.id, looks: [] };
      last.set(key, change);
      const isMade = exchange.response.status < 300 && (withAccepted || !isOnlyAccepted(exchange));
      if (purpose.how === how && isMade) made.push(change);
    } else if (purpose.after === how) last.get(key)?.looks.push(exchange as Look);
  }
  return made.map(({ looks, ...change }) => ({
    ...change,
    looks: [...new Map(looks.map((look) => [look.request.path, look])).values()],
  }));
}
