import { toCaaText } from '../dns/caa.ts';
import type { Resolver } from '../dns/resolver.ts';
import { issuerOf, shownCertificate, toDay } from './certificate.ts';
import type { DomainName } from './domain-name.ts';
import { type DomainFacts, findAddresses } from './observe.ts';

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
  const way = [...aliases.map(({ value }) => value), ...leadsTo.addresses];
  const found =
    caa.outcome === 'found' && `${caa.domain}: ${caa.properties.map(toCaaText).join(', ')}`;
  const notes: [id: NoteId, observed: string | undefined][] = [
    ['where-it-leads', way.join(', ')],
    ['certificate-authority', issuerOf(facts)?.title],
    ['certificate-days-left', certificate && toDaysLeft(certificate.validToDate, now)],
    ['caa-records', caa.outcome === 'failed' ? undefined : found || 'none'],
  ];
  return notes.flatMap(([id, observed]) => (observed ? [{ id, observed }] : []));
}

/** What is left of a domain that was removed: a record that stays may lead to others one day. */
export async function noteRemoved({ name }: DomainName, resolver: Resolver): Promise<Note[]> {
  const { addresses, aliases, failure } = await findAddresses(name, resolver);
  if (failure !== undefined) return [];
  const records = [...aliases.slice(0, 1).map(({ value }) => `CNAME ${value}`), ...addresses];
  return [{ id: 'records-after-removal', observed: records.join(', ') || 'none' }];
}

function toDaysLeft(end: Date, now: number): string {
  const days = Math.floor((end.getTime() - now) / dayLength);
  return days < 0 ? `none: it expired on ${toDay(end)}` : `${days}, until ${toDay(end)}`;
}
