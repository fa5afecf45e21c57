import { switchingTwin } from './contenders.ts';
import { type Goal, median, toCount, toTable } from './figures.ts';
import type { LoadGenerator } from './load.ts';
import { startServer } from './server-process.ts';
import type { Turn } from './servers/switching-twin.ts';
import { measures, type Rounds, warmUp } from './speed.ts';

/**
 * The twin with its journal and without, by turns in one process, as two processes of one program
 * differ by more than a journal costs. One process may still favour a side by how it was compiled,
 * so every round has a new one, and the median is that of rounds. What both pay for, such as the
 * memory of the entries that are there, is not seen.
 */
export async function compareJournal(
  load: LoadGenerator,
  { rounds, seconds }: Rounds,
): Promise<Goal[]> {
  const found = measures.map((measure) => ({
    measure,
    ratios: [] as number[],
    on: [] as number[],
    off: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(switchingTwin);
    for (const { measure, ratios, ...perSecond } of found) {
      await warmUp(server, load, measure);
      // The first and the last turn are only held against.
      const asked = server.ask(seconds * 8 + 2) as Promise<Turn[]>;
      const [turns] = await Promise.all([asked, load.run(server.api, measure, seconds * 2 + 4)]);
      ratios.push(toRatio(turns));
      for (const turn of turns) perSecond[turn.on ? 'on' : 'off'].push(turn.perSecond);
    }
    await server.stop();
    const ofRound = found
      .map(({ measure, ratios }) => `${measure.name} ${ratios.at(-1)?.toFixed(3)}`)
      .join(', ');
    process.stderr.write(`journal, round ${round + 1} of ${rounds}: ${ofRound}\n`);
  }
  const rows = found.map(({ measure, on, off }) => [
    measure.name,
    toCount(median(on)),
    toCount(median(off)),
  ]);
  console.log(`${toTable([['requests a second, median', 'with journal', 'without'], ...rows])}\n`);
  return found.map(({ measure, ratios }) => ({
    what: `${measure.name}: with journal to without`,
    measured: median(ratios),
    min: 0.95,
  }));
}

/**
 * Returns the ratio of speed with a journal to speed without one. Each turn is compared to the mean
 * of the turns around it, so that drift cancels out. The result is the geometric mean of these
 * ratios, so that rare events count. Throws if a turn has no requests.
 */
export function toRatio(turns: readonly Turn[]): number {
  const speed = (at: number) => {
    const { perSecond = 0 } = turns[at] ?? {};
    if (perSecond === 0) throw new Error('There was a turn without requests.');
    return perSecond;
  };
  const logarithms = turns.slice(1, -1).map(({ on, perSecond }, at) => {
    const ratio = Math.log(perSecond / ((speed(at) + speed(at + 2)) / 2));
    return on ? ratio : -ratio;
  });
  return Math.exp(logarithms.reduce((sum, one) => sum + one, 0) / logarithms.length);
}
