/** The address of a Redis server, and the prefix of a twin's keys there. */
export type RedisAddress = {
  /** With its credentials. */
  url: string;
  /** The prefix of all key names, so that several twins may share a server. */
  prefix: string;
  /** The URL without its credentials, for people to read. */
  shown: string;
};

const form = 'redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]';
const defaultPrefix = 'petstore-twin';

/**
 * Reads `redis://[user:password@]HOST[:PORT][/DB][?prefix=NAME]`, or `rediss://` for TLS, or gives a
 * sentence that says what is wrong with it. No sentence repeats the URL, as it may hold a password.
 */
export function parseRedisUrl(text: string): RedisAddress | string {
  const url = URL.parse(text);
  const prefix = url?.searchParams.get('prefix') ?? defaultPrefix;
  if (!/^[\w.-]{1,64}$/.test(prefix))
    return 'The prefix in the URL of --store must be 1 to 64 letters, digits and ._-.';
  if (!url || !isKnown(url)) {
    const hint = text.includes('@') ? ' with USER and PASSWORD percent-encoded' : '';
    return `The URL of --store must be ${form}${hint}, or rediss://... for TLS.`;
  }
  const query = prefix === defaultPrefix ? '' : `?prefix=${prefix}`;
  const { protocol, hostname, port, pathname } = url;
  const shown = `${protocol}//${hostname}:${port || 6379}/${Number(pathname.slice(1))}${query}`;
  url.search = '';
  return { url: url.href, prefix, shown };
}

function isKnown({ hostname, pathname, hash, searchParams, username, password }: URL): boolean {
  const hasOthers = [...searchParams.keys()].some((name) => name !== 'prefix');
  const isPercentEncoded = !/%(?![0-9a-f]{2})/i.test(username + password);
  const isPlain = hash === '' && !hasOthers && /^\/?\d{0,5}$/.test(pathname);
  return hostname !== '' && isPlain && isPercentEncoded;
}
