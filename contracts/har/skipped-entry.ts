/**
 * Why an entry of a recording is no exchange with a deployment: it is broken or too long to read, a
 * cache answered, the client never sent it, or it is not HTTP.
 */
export type SkipKind = 'broken' | 'too-long' | 'from-cache' | 'not-sent' | 'not-http';

/** An entry that is passed over: its number, from 1, and why, as the end of a sentence about it. */
export type SkippedEntry = { entry: number; kind: SkipKind; problem: string };

/** What a value of a recording is, where it is no exchange. */
export type NoExchange = Omit<SkippedEntry, 'entry'>;

/** A value that is not of the form of an exchange; the problem ends a sentence about it. */
export function toBroken(problem: string): NoExchange {
  return { kind: 'broken', problem };
}
