import { toConsoleUrl } from './place.ts';

/**
 * Switches the whole console to a sandbox. The page stays, and with it the token, which is held in
 * memory alone; relative URLs lead to the new sandbox from now on.
 */
export function openSandbox(sandbox: string): void {
  history.pushState(null, '', toConsoleUrl(location, sandbox));
  dispatchEvent(new PopStateEvent('popstate'));
}

/** The data that the twin put into the page. */
export type PageData = {
  /** The keys that the page shows, by their names; a twin shows its demo keys alone. */
  keys: Readonly<Record<string, string>>;
  /** The options, as words for a shell, by which `curl` trusts the certificate of the twin. */
  trust: readonly string[];
};

/** Reads what the twin put into the page. */
export function readPageData(): PageData {
  const { keys = '{}', trust = '[]' } = document.getElementById('console')?.dataset ?? {};
  return { keys: JSON.parse(keys), trust: JSON.parse(trust) };
}
