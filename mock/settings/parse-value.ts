import { splitList } from '../../common/text-of.ts';

/** Parses one of several words. Like all parsers here, throws an Error that continues "must be". */
export function oneOf<Word extends string>(words: readonly Word[]) {
  return (given: string): Word => {
    const word = words.find((known) => known === given);
    if (word === undefined) throw new Error(`one of ${words.join(', ')}`);
    return word;
  };
}

/** Parses a text that is not empty. */
export function text(given: string): string {
  if (given === '') throw new Error('a non-empty string');
  return given;
}

/** Parses a bearer token (RFC 6750 §2.1). */
export function token(given: string): string {
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(given))
    throw new Error('made of letters, digits and -._~+/ only');
  return given;
}

/** Parses a base URL, and gives it without a slash at its end. */
export function baseUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:\/\/[^?#@]+$/i.test(given))
    throw new Error('an http or https URL such as https://api.example.com/v1, without a query');
  return url.href.replace(/\/+$/, '');
}

/** Parses origins as browsers send them: of web pages, and of the pages of their extensions. */
export function origins(given: string): string[] {
  return splitList(given).map((name) => {
    if (/^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(name) && URL.canParse(name))
      return new URL(name).origin;
    if (/^[a-z]+(-[a-z]+)*-extension:\/\/[\w-]+\/?$/.test(name)) return name.replace(/\/$/, '');
    throw new Error(
      'origins such as http://localhost:6006, separated by commas, without a path and never *',
    );
  });
}

/** Parses where webhooks are sent: URLs, each for all events or as NAME=URL, separated by commas. */
export function webhookUrls(given: string): { url: string; event?: string }[] {
  return splitList(given).map((one) => {
    const [, event, url = ''] = /^(?:([^=/:]+)=)?(https?:\/\/.*|\/[a-z].*)$/.exec(one) ?? [];
    if (url !== '' && URL.canParse(url, 'http://localhost'))
      return { url, ...(event !== undefined && { event }) };
    throw new Error(
      'URL or NAME=URL, such as http://127.0.0.1:3000/hook, or several, separated by commas',
    );
  });
}

/** The form of the `store` setting, by scheme. */
const forms = {
  memory: 'memory',
  sqlite: 'sqlite:FILE',
  redis: 'redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]',
  rediss: 'rediss://...',
} as const;

type StoreScheme = keyof typeof forms;

/** The forms of these schemes, in words. */
export function storeForms(schemes: readonly StoreScheme[]): string {
  // Intl could join them, but takes 10 ms of every start.
  const listed = schemes.map((scheme) => forms[scheme]).join(', ');
  return listed.replace(/, (?=[^,]*$)/, schemes.length > 2 ? ', or ' : ' or ');
}

/**
 * Parses where a twin holds its state, with one of these schemes; the rest of a URL is judged by the
 * store. Like the other parsers, throws an Error that continues "must be".
 */
export function storeOf(schemes: readonly StoreScheme[]) {
  return (given: string): string => {
    const scheme = schemes.find((one) => one === /^[a-z]+(?=:|$)/.exec(given)?.[0]);
    if (scheme === undefined || (scheme === 'memory' && given !== 'memory'))
      throw new Error(storeForms(schemes));
    if (scheme === 'sqlite' && !/^sqlite:(?!\/\/)./s.test(given))
      throw new Error('sqlite:FILE, such as sqlite:twin.db or sqlite:/data/twin.db');
    return given;
  };
}
