import type { Api } from '../../openapi/index.ts';
import type { Round } from '../fidelity/replay-all.ts';
import { learnAnswers } from './learn-answers.ts';
import { learnOrders } from './learn-lists.ts';
import { type LearnOptions, learnMembers } from './learn-members.ts';
import { learnParents } from './learn-parents.ts';
import { learnRefusals } from './learn-refusals.ts';
import { learnTimes } from './learn-times.ts';
import { type Line, Lines } from './lines.ts';
import { observe } from './observe.ts';

export type Learning = LearnOptions & {
  title: string;
  /** Replays all recordings on twins with an overlay. */
  replayAll: (overlay: string | undefined) => Promise<Round>;
};

/** The most times that recordings are replayed: what a line explains may be what the next one needs. */
const maxRounds = 5;

/**
 * Learns lines from recordings until a round adds none: each is proposed by what the twin answers
 * otherwise, and explains every observation.
 */
export async function learn({ title, replayAll, ...options }: Learning): Promise<Lines> {
  const lines = new Lines();
  for (let round = 0; round < maxRounds; round++) {
    const { document, runs } = await replayAll(
      lines.all.length === 0 ? undefined : lines.toOverlay(title),
    );
    const seen = [...runs].flatMap(([file, replayed]) => observe(file, replayed, document));
    const found: Line[] = [
      ...learnMembers(seen, options),
      ...learnAnswers(seen),
      ...learnRefusals(seen),
      ...learnParents(seen),
      ...learnOrders(seen),
      ...learnTimes(seen),
    ];
    if (!lines.add(found)) break;
  }
  return lines;
}

/** The title of an overlay that is learned for a document. */
export function titleOf({ title }: Pick<Api, 'title'>): string {
  return `What recordings show of ${title}`;
}
