import type { DomainKind } from './domains-state.ts';

/**
 * Whether a name is one that is registered (an apex), or one below it, by the public suffix list;
 * undefined where nobody can register it.
 */
export async function toDomainKind(name: string): Promise<DomainKind | undefined> {
  // The list takes megabytes, and most twins never need it.
  const { getDomain } = await import('tldts');
  const registered = getDomain(name);
  if (registered === null) return undefined;
  return registered === name ? 'apex' : 'subdomain';
}
