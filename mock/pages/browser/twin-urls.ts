/**
 * Where the twin is for this page: a sandbox or a proxy may have a path before it. All end with a
 * slash.
 */
export type TwinUrls = {
  /** Where the API and the admin of the page's sandbox are. */
  root: string;
  /** Where those of the default sandbox are. */
  defaultRoot: string;
};

/** Finds it from the URL of the root of a sandbox, as the browser knows it. */
export function toTwinUrls({ href }: URL): TwinUrls {
  const root = href.replaceAll("'", '%27');
  return { root, defaultRoot: root.replace(/\/sandboxes\/[^/]+\/$/, '/') };
}
