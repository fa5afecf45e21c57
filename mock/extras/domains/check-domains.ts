import { isDeepStrictEqual } from 'node:util';
import { toRecord } from '../../domains/dns-records.ts';
import type { DomainsState } from '../../domains/domains-state.ts';
import { hostName, toDomainKind, toHostName } from '../../domains/host-name.ts';
import { quote } from '../../json/quote.ts';
import type { FindHostProblem } from './domain-handlers.ts';
import { maxZoneSize, sizeOf } from './zone.ts';

/** Takes what is wrong at a place. */
export type Report = (place: string, problem: string) => void;

/** Reports what is wrong below a place. */
export function within(report: Report, above: string): Report {
  return (place, problem) => report(`${above}/${place}`, problem);
}

/**
 * Notes what the domains of a snapshot have that no calls of the admin lead to: names, records and
 * redirects that cannot be. They fit the schema of the admin's document.
 */
export async function checkDomains(
  given: DomainsState,
  report: Report,
  findHostProblem: FindHostProblem,
): Promise<void> {
  const { project, domains, redirects, removed, zone } = given;
  const checkName = (place: string, name: string) => {
    if (toHostName(name) !== name)
      report(place, `must be ${hostName} in lower case, but is ${quote(name)}`);
  };
  const checkHost = async (place: string, name: string) => {
    checkName(place, name);
    const problem =
      findHostProblem(name)?.replace(/\.$/, '') ??
      ((await toDomainKind(name)) ? undefined : 'must be a name below a public suffix');
    if (problem !== undefined) report(place, problem);
  };
  for (const [index, { name }] of domains.entries()) await checkHost(`domains/${index}/name`, name);
  for (const [index, { from, to }] of redirects.entries()) {
    await checkHost(`redirects/${index}/from`, from);
    if (!domains.some(({ name }) => name === to))
      report(`redirects/${index}/to`, `must be a domain of the project, but is ${quote(to)}`);
  }
  if (project) checkName('project/target', project.target);
  for (const [index, name] of removed.entries()) checkName(`removed/${index}`, name);
  if (sizeOf(zone) > maxZoneSize)
    return report('zone', `has more than ${maxZoneSize} changes and records together`);
  for (const [index, { name, records }] of zone.entries())
    for (const [of, record] of records.entries())
      if (record.name !== name || !isDeepStrictEqual(toRecord(record), record))
        report(`zone/${index}/records/${of}`, `is no record of ${quote(name)}`);
}
