import type { ApiDocument } from '../../contracts/description/document.ts';
import {
  type DomainRules,
  loadDomainRules,
  toDomainRules,
} from '../../contracts/description/domains.ts';

/** Reads what the interface states of custom domains. */
export type ReadDomainRules = () => Promise<DomainRules>;

/**
 * Reads the rules at first need: those of the document that is served, or of the built-in one where
 * it has none.
 */
export function createReadDomainRules(document: Pick<ApiDocument, 'raw'>): ReadDomainRules {
  let rules: Promise<DomainRules> | undefined;
  return () =>
    (rules ??=
      document.raw['x-domains'] === undefined
        ? loadDomainRules()
        : Promise.resolve(toDomainRules(document)));
}
