import type { ListPage, PageStep } from './list-page.ts';

/** What of a request tells where its sender found the server, and how its body was sent. */
export type RequestSource = {
  readonly protocol: string;
  readonly headers: {
    readonly host?: string | undefined;
    readonly 'content-type'?: string | undefined;
  };
};

/** The URL of another page: that of the request with another page in its query. */
export function toPageUrl(
  url: string,
  step: PageStep | undefined,
  { protocol, headers: { host } }: RequestSource,
): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  if (step) {
    if (step.without !== undefined) asked.delete(step.without);
    if (step.value === undefined) asked.delete(step.parameter);
    else asked.set(step.parameter, step.value);
  }
  const target = asked.size === 0 ? path : `${path}?${asked}`;
  const origin = `${protocol}://${host ?? 'localhost'}`;
  return URL.canParse(target, origin) ? new URL(target, origin).href : target;
}

const relations = [
  ['next', 'next'],
  ['previous', 'prev'],
  ['first', 'first'],
  ['last', 'last'],
] as const;

/** The value of a `Link` header (RFC 8288) to the pages around one; undefined where none is. */
export function toLinkHeader(
  page: ListPage,
  toUrl: (step: PageStep) => string,
): string | undefined {
  const links = relations.flatMap(([key, relation]) => {
    const step = page[key];
    return step ? [`<${toUrl(step)}>; rel="${relation}"`] : [];
  });
  return links.length === 0 ? undefined : links.join(', ');
}
