/** Where a twin can hold its state, by scheme: the form of the setting. */
const forms = {
  memory: 'memory',
  sqlite: 'sqlite:FILE',
  redis: 'redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]',
  rediss: 'rediss://...',
} as const;

export type StoreScheme = keyof typeof forms;

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
