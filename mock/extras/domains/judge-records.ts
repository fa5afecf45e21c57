import { type DnsRecord, isAlias, parseCaa } from '../../domains/dns-records.ts';
import type { AttachedDomain, Project } from '../../domains/domains-state.ts';
import { type RecordsOf, withParents } from './zone.ts';

/** A problem that keeps a domain from being active, or will, or a difference from the procedure. */
export type DomainProblem = {
  code: ProblemCode;
  /** The statement of the interface that it is about. */
  clause: string;
  message: string;
  whatToDo: string;
  /** Whether the domain cannot go on with it. */
  blocks: boolean;
};

type ProblemCode =
  | 'record-missing'
  | 'record-of-other-type'
  | 'record-of-other-target'
  | 'address-conflict'
  | 'ttl-differs'
  | 'caa-refuses'
  | 'verify-again';

/** The record that the owner of a domain has to set. */
export type RequiredRecord = {
  name: string;
  /** The types of which one is needed. */
  types: readonly ('CNAME' | 'ALIAS' | 'ANAME')[];
  ttl: number;
  value: string;
};

/** The record that a domain needs. */
export function requiredRecord(
  { name, kind }: Pick<AttachedDomain, 'name' | 'kind'>,
  { target }: Pick<Project, 'target'>,
  ttl: number,
): RequiredRecord {
  return { name, types: kind === 'apex' ? ['ALIAS', 'ANAME'] : ['CNAME'], ttl, value: target };
}

/** Whether the records of a name let its domain go on. */
export function isRight(recordsOf: RecordsOf, required: RequiredRecord): boolean {
  return !judgeRecords(recordsOf, required).some(({ blocks }) => blocks);
}

/** Returns the problems with the records of the name that needs a record. */
export function judgeRecords(recordsOf: RecordsOf, required: RequiredRecord): DomainProblem[] {
  const { name, ttl, value } = required;
  const records = recordsOf(name);
  const types: readonly string[] = required.types;
  const isCname = types.includes('CNAME');
  const kinds = types.join(' or ');
  const set = `Set ${kinds} ${name} -> ${value} with TTL ${ttl}`;
  const addresses = records.filter(({ type }) => type === 'A' || type === 'AAAA');
  const others = records.filter(({ type }) => isAlias(type) && !types.includes(type));
  const own = records.filter(({ type }) => types.includes(type));
  const wrong = own.filter((record) => record.value !== value);
  const problems: DomainProblem[] = [];
  const add = (code: ProblemCode, message: string, whatToDo: string) => {
    const [clause, blocks] = [isCname ? 'cname' : 'apex', true];
    problems.push({ code, clause, message, whatToDo, blocks });
  };
  if (addresses.length > 0)
    problems.push({
      code: 'address-conflict',
      clause: 'no-address',
      message: `${name} has ${listed(addresses)}, which blocks the ${kinds} record.`,
      whatToDo: `Remove every A and AAAA record of ${name}.`,
      blocks: true,
    });
  if (others.length > 0)
    add(
      'record-of-other-type',
      `${name} has ${listed(others)}, where a record of the type ${kinds} is needed.`,
      `${set} in its place.`,
    );
  else if (own.length === 0) add('record-missing', `${name} has no ${kinds} record.`, `${set}.`);
  if (wrong.length > 0)
    add(
      'record-of-other-target',
      `${name} has ${listed(wrong)}, which points at something other than ${value}.`,
      `${set} in its place.`,
    );
  const differing = own.find((record) => record.ttl !== ttl);
  if (isCname && differing)
    problems.push({
      code: 'ttl-differs',
      clause: 'ttl',
      message: `The CNAME record of ${name} has the TTL ${differing.ttl}, where ${ttl} is given.`,
      whatToDo: `Set its TTL to ${ttl}.`,
      blocks: false,
    });
  return problems;
}

/** Returns the problem if CAA records refuse the certificate. */
export function toCaaProblem(
  name: string,
  authority: string,
  records: readonly DnsRecord[],
): DomainProblem {
  const owner = records[0]?.name ?? name;
  return {
    code: 'caa-refuses',
    clause: 'caa',
    message: `${owner} has ${listed(records)}, which does not let ${authority} issue the certificate of ${name}.`,
    whatToDo: `Add CAA ${owner} 0 issue "${authority}", or remove the CAA records. Then verify again.`,
    blocks: true,
  };
}

/** Returns the problem if CAA records refused the certificate, but would not do so now. */
export function toRetryProblem(name: string): DomainProblem {
  return {
    code: 'verify-again',
    clause: 'caa',
    message: `CAA records refused the certificate of ${name} when it was asked for, and allow it now.`,
    whatToDo: `Verify again: POST /__admin/domains/${name}/verify.`,
    blocks: true,
  };
}

function listed(records: readonly DnsRecord[]): string {
  return records.map(({ type, value }) => `${type} ${value}`).join(', ');
}

/**
 * Returns the CAA records that refuse a certificate: the records of the nearest name with any (RFC
 * 8659 §3), if they name other issuers only. Undefined if they allow the certificate.
 */
export function findRefusal(
  name: string,
  authority: string,
  recordsOf: RecordsOf,
): readonly DnsRecord[] | undefined {
  const records = withParents(name)
    .map((owner) => recordsOf(owner).filter(({ type }) => type === 'CAA'))
    .find(({ length }) => length > 0);
  const permitted = (records ?? [])
    .flatMap(({ value }) => parseCaa(value) ?? [])
    .filter(({ tag }) => tag.toLowerCase() === 'issue')
    .map(({ value }) => (value.split(';')[0] ?? '').trim().toLowerCase());
  return permitted.length === 0 || permitted.includes(authority) ? undefined : records;
}
