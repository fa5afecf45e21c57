import { followAliases } from '../dns/aliases.ts';
import type { Resolver } from '../dns/resolver.ts';
import { toCaaText } from './caa.ts';
import { toDay } from './clauses/certificate.ts';
import type { DomainName } from './domain-name.ts';
import { type DomainFacts, findAddresses, issuerOf, shownCertificate } from './observe.ts';

/** Something that the interface does not state, and what was seen of it on a domain. */
export type Note = { id: NoteId; observed: string };

/** What the interface does not state about domains; the check judges none of it. */
export const questions = {
  'where-it-leads': { source: 'Appendix 2', question: 'Where does the name lead?' },
  'certificate-authority': {
    source: 'Appendix 3',
    question: 'Which authority issues the certificate?',
  },
  'certificate-days-left': {
    source: 'Appendix 3',
    question: 'How many days is the certificate still valid?',
  },
  'caa-records': { source: 'Appendix 4', question: 'Which CAA records hold for the name?' },
  'records-after-removal': {
    source: 'Appendix 6',
    question: 'Which records does a domain that was removed still have?',
  },
} as const;

type NoteId = keyof typeof questions;

const dayLength = 86_400_000;

/** What else was seen of a domain. */
export function noteFacts(facts: DomainFacts, now: number): Note[] {
  const { aliases, leadsTo, caa } = facts;
  const certificate = shownCertificate(facts);
  const way = [...aliases.links.map(({ target }) => target), ...leadsTo.addresses];
  const noted = (id: NoteId, observed: string | undefined) =>
    observed === undefined || observed === '' ? [] : [{ id, observed }];
  return [
    ...noted('where-it-leads', way.join(', ')),
    ...noted('certificate-authority', issuerOf(facts)?.title),
    ...noted('certificate-days-left', certificate && toDaysLeft(certificate.validToDate, now)),
    ...noted(
      'caa-records',
      caa.outcome === 'found'
        ? `${caa.domain}: ${toCaaText(caa.properties)}`
        : caa.outcome === 'none'
          ? 'none'
          : undefined,
    ),
  ];
}

/** What is left of a domain that was removed: a record that stays may lead to others one day. */
export async function noteRemoved({ name }: DomainName, resolver: Resolver): Promise<Note[]> {
  const { links } = await followAliases(name, resolver);
  const { addresses, failure } = await findAddresses(name, resolver);
  if (failure !== undefined && links.length === 0) return [];
  const records = [...links.slice(0, 1).map(({ target }) => `CNAME ${target}`), ...addresses];
  return [{ id: 'records-after-removal', observed: records.join(', ') || 'none' }];
}

function toDaysLeft(end: Date, now: number): string {
  const days = Math.floor((end.getTime() - now) / dayLength);
  return days < 0 ? `none: it expired on ${toDay(end)}` : `${days}, until ${toDay(end)}`;
}
