import type { Socket } from 'node:net';
import type { Mutate } from '../../../tools/lab/deployment.ts';

/** A deployment that is out to take the suite down, or does so by accident. */
export type HostileRow = {
  id: string;
  about: string;
  /**
   * What it does otherwise than the true deployment; or what it does with a connection, below HTTP.
   */
  mutate?: Mutate;
  onConnection?: (socket: Socket, number: number) => void;
  /** Options of the command; unless given, no limit is tried or waited for. */
  options?: string[];
  /** How the command must end. Where it is 1 or 0, with every report. */
  ends: 0 | 1 | 2;
  /** What it must print, line breaks as spaces. */
  says?: RegExp;
};
