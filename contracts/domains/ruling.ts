import { dnsPort, type NameServer } from '../dns/name-server.ts';
import type { ReportedExchange } from '../report/events.ts';

/** What is wrong with a domain, as a finding describes it. */
export type Breach = {
  message: string;
  problems?: string[];
  expected: string;
  actual: string;
  /** A line for a shell that shows it again. */
  again?: string;
  exchange?: ReportedExchange;
};

/** What became of a clause on a domain. */
export type Ruling =
  | { verdict: 'kept' }
  | ({ verdict: 'broken' | 'unanswered' } & Breach)
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

/** Asks for the records of a name again, at the name server that was asked if it is a given one. */
export function toDig(name: string, type: string, server: NameServer | undefined): string {
  if (server === undefined) return `dig +noall +answer ${name} ${type}`;
  const port = server.port === dnsPort ? '' : ` -p ${server.port}`;
  return `dig +noall +answer @${server.address}${port} ${name} ${type}`;
}

/** An address that gave no answer, and why. */
export type Silence = {
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
  /** The line that asks an address again. */
  toAgain: (address: string) => string;
};

/**
 * What becomes of a clause where addresses of a name gave no answer; undefined where that does not
 * matter, as others gave one and this machine has no way to these.
 */
export function judgeSilence(
  silent: readonly Silence[],
  { name, asked, expected, toAgain }: SilenceOptions,
): Ruling | undefined {
  const others = silent.filter(({ isLocal }) => !isLocal);
  const [first] = others;
  if (first)
    return unanswered({
      message: `${others.length} of ${asked} addresses of ${name} did not answer`,
      expected,
      actual: others.map(({ address, reason }) => `${address}: ${reason}`).join('; '),
      again: toAgain(first.address),
    });
  return silent.length === asked
    ? inconclusive('no address of the name can be reached from this machine')
    : undefined;
}
