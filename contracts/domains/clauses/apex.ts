import type { DomainFacts } from '../observe.ts';
import { broken, inconclusive, kept, type Ruling, toDig, unanswered, vacuous } from './ruling.ts';

/** Whether an apex domain has the addresses of the platform, as ALIAS and ANAME records give them. */
export function judgeApex({ name, isApex, aliases, own, platform }: DomainFacts): Ruling {
  if (!isApex) return vacuous('it is a subdomain');
  const [alias] = aliases.links;
  if (alias !== undefined)
    return broken({
      message: `The apex domain ${name} has a CNAME record`,
      expected: 'an ALIAS or ANAME record, which shows as addresses',
      actual: `CNAME ${alias.target}`,
      repeat: toDig(name, 'CNAME'),
    });
  const addresses = [...own.a.addresses, ...own.aaaa.addresses];
  const failure = own.a.failure ?? own.aaaa.failure;
  const repeat = toDig(name, 'A');
  if (addresses.length === 0 && failure !== undefined)
    return unanswered({
      message: `The addresses of ${name} could not be looked up`,
      expected: 'an answer of a name server',
      actual: failure,
      repeat,
    });
  if (addresses.length === 0)
    return broken({
      message: `The apex domain ${name} has no address`,
      expected: 'the addresses of the platform',
      actual: aliases.exists ? 'no A and no AAAA record' : 'no records at all (NXDOMAIN)',
      repeat,
    });
  if (platform === undefined)
    return inconclusive(
      `no --target says which host is the platform's; the name has ${addresses.join(', ')}`,
    );
  if (platform.addresses.length === 0)
    return inconclusive(
      `${platform.host} has no address to compare with (${platform.failure ?? 'none is listed'})`,
    );
  const others = addresses.filter((address) => !platform.addresses.includes(address));
  if (others.length === 0) return kept;
  return broken({
    message: `The apex domain ${name} has addresses that are not of the platform`,
    expected: `addresses of ${platform.host}: ${platform.addresses.join(', ')}`,
    actual: addresses.join(', '),
    repeat,
  });
}
