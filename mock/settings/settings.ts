import type { LimitMode } from '../limits/limiter.ts';
import { logLevels } from '../log.ts';

export type Setting = {
  flag: string;
  /** What stands for the value in the help; a setting without one is a switch. */
  value?: string;
  fallback?: string;
  help: string;
  parse: (text: string) => unknown;
};

const modes: LimitMode[] = ['enforce', 'observe', 'off'];

/**
 * Flag, environment variable (`TWIN_` and the flag in capitals) and key of the config file are one
 * name.
 */
export const settings: Setting[] = [
  {
    flag: 'port',
    value: 'N',
    fallback: '4010',
    help: 'port to listen on; 0 takes any free one',
    parse: wholeNumber(0, 65_535),
  },
  {
    flag: 'host',
    value: 'ADDRESS',
    fallback: '127.0.0.1',
    help: 'address to listen on; 0.0.0.0 or :: for every network',
    parse: text,
  },
  {
    flag: 'seed',
    value: 'N',
    fallback: '1',
    help: 'same seed, same animals',
    parse: wholeNumber(0, 4_294_967_295),
  },
  {
    flag: 'pets',
    value: 'N',
    fallback: '120',
    help: 'animals at the start, the dozen named ones first',
    parse: wholeNumber(0, 5_000_000),
  },
  {
    flag: 'keys',
    value: 'FILE',
    help: 'API keys, as JSON (fixtures/keys.json shows how)',
    parse: text,
  },
  {
    flag: 'plans',
    value: 'FILE',
    help: 'plans and ban, as JSON (fixtures/plans.json shows how)',
    parse: text,
  },
  {
    flag: 'rate-limits',
    value: 'MODE',
    fallback: 'enforce',
    help: 'enforce; observe counts and refuses nothing; off',
    parse: oneOf(modes),
  },
  {
    flag: 'max-sandboxes',
    value: 'N',
    fallback: '1000',
    help: 'sandboxes at most; of more, the one unused for longest is closed',
    parse: wholeNumber(1, 100_000),
  },
  {
    flag: 'sandbox-idle',
    value: 'SECONDS',
    fallback: '3600',
    help: 'close a sandbox after so long without use; 0 never',
    parse: wholeNumber(0, 31_536_000),
  },
  {
    flag: 'admin-token',
    value: 'TOKEN',
    help: 'secret that /__admin asks for; without one it works on loopback only',
    parse: token,
  },
  {
    flag: 'admin-origins',
    value: 'ORIGINS',
    fallback: '',
    help: 'origins whose web pages may use /__admin, e.g. http://localhost:6006, separated by commas',
    parse: origins,
  },
  {
    flag: 'allowed-hosts',
    value: 'NAMES',
    fallback: '',
    help: 'host names to answer to, besides localhost and IP addresses; * for any',
    parse: names,
  },
  {
    flag: 'spec',
    value: 'FILE',
    help: 'OpenAPI 3.1 document to serve instead of the built-in one',
    parse: text,
  },
  {
    flag: 'watch',
    help: 'take in changes of the document, keys, plans, named animals and certificate',
    parse: onOff,
  },
  {
    flag: 'tls-cert',
    value: 'FILE',
    help: 'certificate chain, as PEM; speaks HTTPS alone, with --tls-key',
    parse: text,
  },
  { flag: 'tls-key', value: 'FILE', help: 'private key of the certificate, as PEM', parse: text },
  {
    flag: 'cors',
    value: 'on|off',
    fallback: 'on',
    help: 'whether pages of other origins may call the API',
    parse: onOff,
  },
  {
    flag: 'magic-values',
    value: 'on|off',
    fallback: 'on',
    help: 'whether magic ids and names have their answers (docs/control.md)',
    parse: onOff,
  },
  {
    flag: 'journal-entries',
    value: 'N',
    fallback: '1000',
    help: 'requests that each sandbox keeps for /__admin/requests; 0 none',
    parse: wholeNumber(0, 100_000),
  },
  {
    flag: 'log-level',
    value: 'LEVEL',
    fallback: 'info',
    help: `${logLevels.join(', ')}; debug shows each request`,
    parse: oneOf([...logLevels]),
  },
  {
    flag: 'log-transaction',
    help: 'log each request with its answer as a line of JSON, keys filtered',
    parse: onOff,
  },
  { flag: 'disable-banner', help: 'print the address alone', parse: onOff },
];

function wholeNumber(least: number, most: number) {
  return (given: string) => {
    const number = Number(given);
    if (!/^\d+$/.test(given) || number < least || number > most)
      throw new Error(`a whole number from ${least} to ${most}`);
    return number;
  };
}

function oneOf<T extends string>(choices: readonly T[]) {
  return (given: string) => {
    if (!choices.includes(given as T)) throw new Error(`one of ${choices.join(', ')}`);
    return given;
  };
}

function onOff(given: string): boolean {
  if (given === 'on' || given === 'true' || given === '1') return true;
  if (given === 'off' || given === 'false' || given === '0') return false;
  throw new Error('on or off');
}

function text(given: string): string {
  if (given === '') throw new Error('a text');
  return given;
}

function token(given: string): string {
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(given))
    throw new Error('made of letters, digits and -._~+/ only');
  return given;
}

function names(given: string): string[] {
  return given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Origins as browsers send them: of web pages, and of the pages of their extensions. */
function origins(given: string): string[] {
  return names(given).map((name) => {
    if (/^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(name) && URL.canParse(name))
      return new URL(name).origin;
    if (/^[a-z]+(-[a-z]+)*-extension:\/\/[\w-]+\/?$/.test(name)) return name.replace(/\/$/, '');
    throw new Error(
      'origins such as http://localhost:6006, separated by commas, without a path and never *',
    );
  });
}
