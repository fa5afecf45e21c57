import type { Repeat } from '../to-shell-line.ts';

/** What is wrong with a domain, as a finding describes it. */
export type Breach = {
  message: string;
  problems?: string[];
  expected: string;
  actual: string;
  /** How to see it again. */
  repeat?: Repeat;
};

/** What became of a clause on a domain. */
export type Ruling =
  | { verdict: 'kept' }
  | ({ verdict: 'broken' } & Breach)
  | ({ verdict: 'unanswered' } & Breach)
  | { verdict: 'inconclusive' | 'vacuous' | 'unobserved'; reason: string };

export const kept: Ruling = { verdict: 'kept' };

export function broken(breach: Breach): Ruling {
  return { verdict: 'broken', ...breach };
}

export function unanswered(breach: Breach): Ruling {
  return { verdict: 'unanswered', ...breach };
}

/** It could not be decided. */
export function inconclusive(reason: string): Ruling {
  return { verdict: 'inconclusive', reason };
}

/** There is nothing of what the clause is about. */
export function vacuous(reason: string): Ruling {
  return { verdict: 'vacuous', reason };
}

/** It cannot be seen from outside, or nobody asked for it. */
export function unobserved(reason: string): Ruling {
  return { verdict: 'unobserved', reason };
}

/** Asks for the records of a name again. */
export function toDig(name: string, type: string): Repeat {
  return { tool: 'dig', name, type };
}

/** An address that gave no answer, and why. */
type SilentAddress = {
  address: string;
  reason: string;
  /** Whether this machine has no way to it. */
  isLocal: boolean;
};

type SilenceOptions = {
  name: string;
  /** How many addresses were asked. */
  asked: number;
  expected: string;
  toRepeat: (address: string) => Repeat;
};

/**
 * What becomes of a clause where addresses of a name gave no answer; undefined where that does not
 * matter, as others gave one and this machine has no way to these.
 */
export function judgeSilence(
  silent: readonly SilentAddress[],
  { name, asked, expected, toRepeat }: SilenceOptions,
): Ruling | undefined {
  const others = silent.filter(({ isLocal }) => !isLocal);
  const [one] = others;
  if (one)
    return unanswered({
      message:
        silent.length === asked
          ? `${name} did not answer`
          : `${others.length} of ${asked} addresses of ${name} did not answer`,
      expected,
      actual: others.map(({ address, reason }) => `${address}: ${reason}`).join('; '),
      repeat: toRepeat(one.address),
    });
  return silent.length === asked
    ? inconclusive('no address of the name can be reached from this machine')
    : undefined;
}
