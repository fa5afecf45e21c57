/** Which sandbox the console is about, and which of its panels is shown. */
export type Place = { sandbox: string; panel: string };

type ConsoleUrl = { pathname: string; hash: string };

/** The sandbox that is used where nobody names one. */
export const defaultSandbox = 'default';

/** A path before the twin's own is a proxy's. */
const consolePath = /^(.*?)(?:\/sandboxes\/([^/]+))?\/__admin\/console$/;

/** Reads the place from the page's URL. */
export function readPlace({ pathname, hash }: ConsoleUrl): Place {
  const [, , sandbox = defaultSandbox] = consolePath.exec(pathname) ?? [];
  return { sandbox, panel: hash.slice(1) };
}

/** The path and hash of the console of another sandbox. */
export function toConsoleUrl({ pathname, hash }: ConsoleUrl, sandbox: string): string {
  const [, before = ''] = consolePath.exec(pathname) ?? [];
  const prefix = sandbox === defaultSandbox ? '' : `/sandboxes/${encodeURIComponent(sandbox)}`;
  return `${before}${prefix}/__admin/console${hash}`;
}

/** The path of an operation of the admin of another sandbox. */
export function toAdminPath({ pathname }: ConsoleUrl, sandbox: string, path: string): string {
  return toConsoleUrl({ pathname, hash: '' }, sandbox).replace(/console$/, path);
}

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
  /** The APIs of the process and the origin of all; null if it serves one. */
  apis: { api: string; names: readonly string[]; origin: string } | null;
};

/** Reads what the twin put into the page. */
export function readPageData(): PageData {
  const data = document.getElementById('console')?.dataset ?? {};
  const { keys = '{}', trust = '[]', apis = 'null' } = data;
  return { keys: JSON.parse(keys), trust: JSON.parse(trust), apis: JSON.parse(apis) };
}

/** The console of another API, of the same sandbox: where a path names APIs, or a host does. */
export function toConsoleOf(
  api: string,
  { api: own, origin }: NonNullable<PageData['apis']>,
  { pathname, hash }: ConsoleUrl,
): string {
  const [, before = '', sandbox] = consolePath.exec(pathname) ?? [];
  const rest = `${sandbox === undefined ? '' : `/sandboxes/${sandbox}`}/__admin/console${hash}`;
  return before.endsWith(`/${own}`)
    ? `${before.slice(0, -own.length)}${api}${rest}`
    : `${origin}/${api}${rest}`;
}
