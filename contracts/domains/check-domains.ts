import { UsageError } from '../cli/usage-error.ts';
import type { NameServer } from '../dns/name-server.ts';
import { createResolver } from '../dns/resolver.ts';
import { type CheckedDomain, type CheckOptions, checkDomain } from './check-domain.ts';
import { toNameText } from './domain-name.ts';

export type CheckAllOptions = CheckOptions & {
  /** The name servers to ask, in this order. */
  servers: readonly NameServer[];
  /** Called for each domain that was checked. */
  onDomain?: (name: string) => void;
};

/** How many domains are checked at a time. */
const concurrency = 8;

/** Checks domains, redirects and removals. Throws {@link UsageError}. */
export async function checkDomains(options: CheckAllOptions): Promise<CheckedDomain[]> {
  const { names, redirects, removed, servers, timeout } = options;
  const resolver = createResolver({ servers, timeout });
  const all = [...names, ...redirects.map(({ from }) => from), ...removed];
  const domains = [...new Map(all.map((domain) => [toNameText(domain), domain])).values()];
  const checked: CheckedDomain[] = [];
  const waiting = domains.entries();
  const work = async () => {
    for (const [index, domain] of waiting) {
      checked[index] = await checkDomain(domain, options, resolver);
      options.onDomain?.(toNameText(domain));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const silence = resolver.whySilent();
  if (silence !== undefined)
    throw new UsageError(
      `No name server answered: ${silence}. Name one that does with --dns-server ADDRESS.`,
    );
  return checked;
}
