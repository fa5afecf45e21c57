import { isDeepStrictEqual } from 'node:util';
import { toRecord } from '../../domains/dns-records.ts';
import { DomainError, type DomainsState } from '../../domains/domains-state.ts';
import { hostName, toDomainKind, toHostName } from '../../domains/host-name.ts';
import { quote } from '../../json/quote.ts';
import { addRedirect } from './change-domains.ts';
import type { FindHostProblem } from './domain-handlers.ts';
import { maxZoneSize, sizeOf } from './zone.ts';

/** Takes what is wrong at a place. */
export type Report = (place: string, problem: string) => void;

/** Reports what is wrong below a place. */
export function within(report: Report, above: string): Report {
  return (place, problem) => report(`${above}/${place}`, problem);
}

/**
 * Notes what the domains of a snapshot have that no calls of the admin lead to: names, records,
 * redirects and states that cannot be. They fit the schema of the admin's document.
 */
export async function checkDomains(
  given: DomainsState,
  report: Report,
  findHostProblem: FindHostProblem,
): Promise<void> {
  const checkName = (place: string, name: string): boolean => {
    const problem = findNameProblem(name);
    if (problem !== undefined) report(place, problem);
    return problem === undefined;
  };
  /** The kind of a name that a project can have. */
  const checkHost = async (place: string, name: string) => {
    if (!checkName(place, name)) return undefined;
    const kind = await toDomainKind(name);
    const problem =
      findHostProblem(name)?.replace(/\.$/, '') ??
      (kind ? undefined : `must be a name below a public suffix, but is ${quote(name)}`);
    if (problem !== undefined) report(place, problem);
    return problem === undefined ? kind : undefined;
  };
  if (given.project)
    for (const field of ['target', 'authority'] as const)
      checkName(`project/${field}`, given.project[field]);
  const names = new Set<string>();
  for (const [index, domain] of given.domains.entries()) {
    const at = within(report, `domains/${index}`);
    const { name, kind } = domain;
    if (names.has(name)) at('name', `is ${quote(name)}, as is that of another domain`);
    names.add(name);
    const actual = await checkHost(`domains/${index}/name`, name);
    if (actual && kind !== actual)
      at('kind', `must be ${actual} by the public suffix list, but is ${kind}`);
  }
  let state: DomainsState = { ...given, redirects: [] };
  for (const [index, redirect] of given.redirects.entries()) {
    const at = `redirects/${index}`;
    const isHost = (await checkHost(`${at}/from`, redirect.from)) !== undefined;
    if (!isHost || !checkName(`${at}/to`, redirect.to)) continue;
    try {
      state = addRedirect(state, redirect);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const reason = error.message.replace(/^The /, 'the ').replace(/\.$/, '');
      report(at, `is refused: ${reason}`);
    }
  }
  for (const [index, name] of given.removed.entries()) checkName(`removed/${index}`, name);
  checkZone(given, report);
}

function checkZone({ zone }: DomainsState, report: Report): void {
  const size = sizeOf(zone);
  if (size > maxZoneSize) {
    report('zone', `has ${size} changes and records together, of at most ${maxZoneSize}`);
    return;
  }
  for (const [index, { name, records, at, seenAt }] of zone.entries()) {
    const ofChange = within(report, `zone/${index}`);
    const problem = findNameProblem(name);
    if (problem !== undefined) ofChange('name', problem);
    if (seenAt < at) ofChange('seenAt', `must not be before ${at} ("at"), but is ${seenAt}`);
    for (const [of, record] of records.entries()) {
      const canonical = toRecord(record);
      if (typeof canonical === 'string')
        ofChange(`records/${of}`, `is no record: ${canonical.replace(/\.$/, '')}`);
      else if (!isDeepStrictEqual(canonical, record))
        ofChange(`records/${of}`, `must be ${JSON.stringify(canonical)}`);
      else if (record.name !== name)
        ofChange(`records/${of}/name`, `must be ${quote(name)}, but is ${quote(record.name)}`);
    }
  }
}

function findNameProblem(name: string): string | undefined {
  return toHostName(name) === name
    ? undefined
    : `must be ${hostName} in lower case, but is ${quote(name)}`;
}
