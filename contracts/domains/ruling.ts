import { dnsPort, type NameServer } from '../../common/dns/name-server.ts';
import type { ReportedExchange } from '../report/events.ts';
import type { Visit } from './visit.ts';

/** What is wrong with a domain, as a finding describes it. */
export type Breach = {
  message: string;
  expected: string;
  actual: string;
  /** A line for a shell that shows it again. */
  again?: string;
  exchange?: ReportedExchange;
};

/** What became of a clause on a domain. */
export type Ruling =
  | { verdict: 'kept' }
  | ({ verdict: 'drift' | 'unanswered' } & Breach)
  /** It could not be decided, there is nothing of what it is about, or nobody can or should see it. */
  | { verdict: 'inconclusive' | 'vacuous' | 'unobserved'; reason: string };

export const kept: Ruling = { verdict: 'kept' };

export function drift(breach: Breach): Ruling {
  return { verdict: 'drift', ...breach };
}

export function unanswered(breach: Breach): Ruling {
  return { verdict: 'unanswered', ...breach };
}

export function inconclusive(reason: string): Ruling {
  return { verdict: 'inconclusive', reason };
}

export function vacuous(reason: string): Ruling {
  return { verdict: 'vacuous', reason };
}

export function unobserved(reason: string): Ruling {
  return { verdict: 'unobserved', reason };
}

/** Asks a name server for the records of a name again. */
export function toDig(name: string, type: string, server: NameServer | undefined): string {
  if (server === undefined) return `dig +noall +answer ${name} ${type}`;
  const port = server.port === dnsPort ? '' : ` -p ${server.port}`;
  return `dig +noall +answer @${server.address}${port} ${name} ${type}`;
}

/**
 * What becomes of a clause where addresses of a name are silent; it is kept where others showed that,
 * and this machine has no way to the silent ones.
 */
export function judgeSilence(
  silent: readonly Visit[],
  { name, asked, expected }: { name: string; asked: number; expected: string },
): Ruling {
  const heard = silent.filter(({ isOutOfReach }) => !isOutOfReach);
  if (heard.length > 0)
    return unanswered({
      message: `${heard.length} of ${asked} addresses of ${name} did not answer`,
      expected,
      actual: heard.map(({ address, exchange }) => `${address}: ${exchange.failure}`).join('; '),
    });
  return silent.length === asked
    ? inconclusive('no address of the name can be reached from this machine')
    : kept;
}
