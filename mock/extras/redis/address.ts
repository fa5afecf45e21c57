/** Where a Redis server is, and how the keys of a twin begin there. */
export type RedisAddress = {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
  database: number;
  /** What the names of all keys begin with, so that several twins may share a server. */
  prefix: string;
  /** The URL without its credentials, for people to read. */
  shown: string;
};

const form = 'redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]';

function mustBe(text: string): string {
  const hint = text.includes('@') ? ' with USER and PASSWORD percent-encoded' : '';
  return `The URL of --store must be ${form}${hint}, or rediss://... for TLS.`;
}

function hasOthers(url: URL | null): boolean {
  return url?.searchParams.keys().some((name) => name !== 'prefix') ?? false;
}

/**
 * Reads `redis://[user:password@]HOST[:PORT][/DB][?prefix=NAME]`, or `rediss://` for TLS, or gives a
 * sentence that says what is wrong with it. No sentence repeats the URL, as it may hold a password.
 */
export function parseRedisUrl(text: string): RedisAddress | string {
  const url = URL.parse(text);
  const prefix = url?.searchParams.get('prefix') ?? defaultPrefix;
  if (!/^[\w.-]{1,64}$/.test(prefix))
    return 'The prefix in the URL of --store must be 1 to 64 letters, digits and ._-.';
  const database = url?.pathname.replace(/^\//, '') ?? '';
  const [username, password] = [decode(url?.username), decode(url?.password)];
  const isKnown = /^\d{0,5}$/.test(database) && !url?.hash && !hasOthers(url);
  if (!url?.hostname || !isKnown || username === undefined || password === undefined)
    return mustBe(text);
  const port = url.port === '' ? 6379 : Number(url.port);
  const query = prefix === defaultPrefix ? '' : `?prefix=${prefix}`;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    tls: url.protocol === 'rediss:',
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    database: Number(database),
    prefix,
    shown: `${url.protocol}//${url.hostname}:${port}/${Number(database)}${query}`,
  };
}

const defaultPrefix = 'petstore-twin';

function decode(text = ''): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
