import { DocumentError } from '../cli/usage-error.ts';
import { isObject, type JsonObject } from '../json.ts';
import { type StatedClause, toClauses } from './sections.ts';

/** Holds what the interface states of custom domains (Appendix). */
export type DomainRules = {
  title: string;
  /** The plans that may have custom domains. */
  plans: readonly string[];
  /** The TTL of a CNAME record, in seconds. */
  ttlSeconds: number;
  /** How long records take to spread at most, in hours. */
  propagationHours: number;
  /** The status of a redirect where none is given. */
  redirectStatus: number;
  clauses: readonly StatedClause[];
};

/** Reads the `x-domains` of a document. Throws {@link DocumentError}. */
export function toDomainRules({ 'x-domains': node }: JsonObject): DomainRules {
  const { title, plans, ttlSeconds, propagationHours, redirectStatus, clauses }: JsonObject =
    isObject(node) ? node : {};
  const numbers = [ttlSeconds, propagationHours, redirectStatus];
  if (!Array.isArray(plans) || !numbers.every(Number.isFinite))
    throw new DocumentError(
      'x-domains must have plans as a list, and ttlSeconds, propagationHours and redirectStatus as numbers.',
    );
  return {
    title: String(title),
    plans: plans.map(String),
    ttlSeconds: Number(ttlSeconds),
    propagationHours: Number(propagationHours),
    redirectStatus: Number(redirectStatus),
    clauses: toClauses({ 'x-clauses': clauses }),
  };
}
