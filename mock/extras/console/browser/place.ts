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
