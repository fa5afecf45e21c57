import { isDeepStrictEqual } from 'node:util';
import { addRedirect, maxZoneSize } from '../domains/change-domains.ts';
import { toRecord } from '../domains/dns-records.ts';
import { type AttachedDomain, DomainError, type DomainsState } from '../domains/domains-state.ts';
import { hostName, toDomainKind, toHostName } from '../domains/host-name.ts';
import { sizeOf } from '../domains/zone.ts';
import { quote } from '../json/quote.ts';
import type { Problem } from '../json/validator.ts';
import type { FindHostProblem } from './domain-handlers.ts';
import { addProblem } from './snapshot-text.ts';

/** Says why a name is none that the place may have; undefined where it is. */
type FindNameProblem = (name: string) => string | undefined | Promise<string | undefined>;

/**
 * Notes what the domains of a snapshot have that no calls of the admin lead to: names, records,
 * redirects and states that cannot be. They fit the schema of the admin's document.
 */
export async function checkDomains(
  given: DomainsState,
  problems: Problem[],
  findHostProblem: FindHostProblem,
): Promise<void> {
  const add = (pointer: string, problem: string) =>
    addProblem(problems, `/domains/${pointer}`, problem);
  const isName = async (pointer: string, name: string, findProblem: FindNameProblem) => {
    const problem = await findProblem(name);
    if (problem !== undefined) add(pointer, problem);
    return problem === undefined;
  };
  const findDomainProblem = async (name: string) => {
    const problem = findNameProblem(name) ?? findHostProblem(name);
    if (problem !== undefined) return problem.replace(/\.$/, '');
    return (await toDomainKind(name)) === undefined
      ? `must be a name below a public suffix, but is ${quote(name)}`
      : undefined;
  };
  for (const field of ['target', 'authority'] as const)
    if (given.project) await isName(`project/${field}`, given.project[field], findNameProblem);
  const names = new Set<string>();
  for (const [index, domain] of given.domains.entries()) {
    const at = `domains/${index}`;
    const { name, kind } = domain;
    if (names.has(name)) add(`${at}/name`, `is ${quote(name)}, as is that of another domain`);
    names.add(name);
    if (await isName(`${at}/name`, name, findDomainProblem)) {
      const actual = await toDomainKind(name);
      if (kind !== actual)
        add(`${at}/kind`, `must be ${actual} by the public suffix list, but is ${kind}`);
    }
    checkReached(domain, given.changes, (place, problem) => add(`${at}/${place}`, problem));
  }
  let state: DomainsState = { ...given, redirects: [] };
  for (const [index, redirect] of given.redirects.entries()) {
    const at = `redirects/${index}`;
    const { from, to } = redirect;
    const areNames =
      (await isName(`${at}/from`, from, findDomainProblem)) &&
      (await isName(`${at}/to`, to, findNameProblem));
    if (!areNames) continue;
    try {
      state = addRedirect(state, redirect);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const reason = error.message.replace(/^The /, 'the ').replace(/\.$/, '');
      add(at, `is refused: ${reason}`);
    }
  }
  for (const [index, name] of given.removed.entries())
    await isName(`removed/${index}`, name, findNameProblem);
  await checkZone(given, add);
}

type Add = (place: string, problem: string) => void;

/** Whether the states that a domain reached lie behind each other. */
function checkReached({ reached }: AttachedDomain, changes: number, add: Add): void {
  for (const [index, { at, changes: known, verifiedAt = at }] of reached.entries()) {
    const before = reached[index - 1]?.at ?? 0;
    if (at < before)
      add(`reached/${index}/at`, `must not be before ${before}, the one before it, but is ${at}`);
    if (verifiedAt > at)
      add(`reached/${index}/verifiedAt`, `must not be after ${at}, but is ${verifiedAt}`);
    if (known > changes)
      add(`reached/${index}/changes`, `must be at most ${changes} ("changes"), but is ${known}`);
  }
}

async function checkZone({ zone, changes }: DomainsState, add: Add): Promise<void> {
  const size = sizeOf(zone);
  if (size > maxZoneSize)
    return add('zone', `has ${size} changes and records together, of at most ${maxZoneSize}`);
  const numbers = new Set<number>();
  for (const [index, { name, records, at, seenAt, number }] of zone.entries()) {
    const place = `zone/${index}`;
    const problem = findNameProblem(name);
    if (problem !== undefined) add(`${place}/name`, problem);
    if (seenAt < at) add(`${place}/seenAt`, `must not be before ${at} ("at"), but is ${seenAt}`);
    if (number > changes)
      add(`${place}/number`, `must be at most ${changes} ("changes"), but is ${number}`);
    if (numbers.has(number)) add(`${place}/number`, `is ${number}, as is that of another change`);
    numbers.add(number);
    for (const [of, record] of records.entries()) {
      const canonical = toRecord(record);
      if (typeof canonical === 'string')
        add(`${place}/records/${of}`, `is no record: ${canonical.replace(/\.$/, '')}`);
      else if (!isDeepStrictEqual(canonical, record))
        add(`${place}/records/${of}`, `must be ${JSON.stringify(canonical)}`);
      else if (record.name !== name)
        add(`${place}/records/${of}/name`, `must be ${quote(name)}, but is ${quote(record.name)}`);
    }
  }
}

function findNameProblem(name: string): string | undefined {
  return toHostName(name) === name
    ? undefined
    : `must be ${hostName} in lower case, but is ${quote(name)}`;
}
