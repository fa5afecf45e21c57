import type { Socket } from 'node:net';
import type { Mutate } from '../../../tools/lab/deployment.ts';
import { everyNth } from '../../support/sample.ts';

/** A deployment that is out to take the suite down, or does so by accident. */
export type HostileRow = {
  id: string;
  about: string;
  /** Changes what the true deployment does; or handles a connection, below HTTP. */
  mutate?: Mutate;
  onConnection?: (socket: Socket, number: number) => void;
  /** Options of the command; unless given, no limit is tried or waited for. */
  options?: string[];
  /** How the command must end, 1 by default. Where it is 1 or 0, with every report. */
  ends?: 0 | 1 | 2;
  /** The text that it must print, line breaks as spaces. */
  says?: RegExp;
};

/** Hostile deployments by their ids. */
export type HostileRows = Readonly<Record<string, Omit<HostileRow, 'id'>>>;

/** Returns every n-th of these deployments. */
export function sampleOf(rows: HostileRows): readonly HostileRow[] {
  return everyNth(
    8,
    Object.entries(rows).map(([id, row]) => ({ id, ...row })),
  );
}
