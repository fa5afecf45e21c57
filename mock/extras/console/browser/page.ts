import { toConsoleUrl } from './place.ts';

/**
 * Switches the whole console to a sandbox. The page stays, and with it the token, which is held in
 * memory alone; relative URLs lead to the new sandbox from now on.
 */
export function openSandbox(sandbox: string): void {
  history.pushState(null, '', toConsoleUrl(location, sandbox));
  dispatchEvent(new PopStateEvent('popstate'));
}

/** What the twin put into the page. */
function readPageData(name: string): string | undefined {
  return document.getElementById('console')?.dataset[name];
}

/** The options, as words for a shell, by which `curl` trusts the certificate of the twin. */
export function readTrust(): readonly string[] {
  return JSON.parse(readPageData('trust') ?? '[]');
}

/** The id of an operation that is easily called; undefined where the document has none. */
export function readExample(): string | undefined {
  return readPageData('example');
}

/** The keys that the page shows, by their names; a twin shows its demo keys alone. */
export function readDemoKeys(): Readonly<Record<string, string>> {
  return JSON.parse(document.getElementById('console')?.dataset.keys ?? '{}');
}
