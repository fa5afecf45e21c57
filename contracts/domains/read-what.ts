import { parse } from 'tldts';
import { list, text, toggle } from '../cli/option-kinds.ts';
import type { OptionTable, Parsed } from '../cli/read-options.ts';
import { UsageError } from '../cli/usage-error.ts';
import { outputOptions, runOptions } from '../command/options.ts';
import { type NameServer, parseNameServer, systemServers } from '../dns/name-server.ts';
import type { CheckAllOptions } from './check-domain.ts';
import { type DomainName, parseDomainName } from './domain-name.ts';
import type { Redirect } from './visit.ts';

/** What is to be checked, as the command line says it. */
export type What = Pick<CheckAllOptions, 'names' | 'redirects' | 'removed' | 'servers'> &
  Partial<Pick<CheckAllOptions, 'platform' | 'authority' | 'otherServer'>>;

/** The one thing that the command does. */
const action = 'check';

/** Reads what is to be checked. Throws {@link UsageError}. */
export function readWhat(
  words: readonly string[],
  { target, redirect, removed: removedTexts, dnsServer, authority }: DomainOptions,
  { redirectStatus }: { redirectStatus: number },
): What {
  const [word, ...given] = words;
  if (word !== action) throw new UsageError(`Say what to do: ${action} NAME. See --help.`);
  const names = given.map((name) => parseDomain(name));
  const redirects = redirect.map((text) => parseRedirect(text, redirectStatus));
  const removed = removedTexts.map((name) => parseDomain(name, 'removed'));
  if (names.length + redirects.length + removed.length === 0)
    throw new UsageError('Name the domain to check, such as docs.example.com. See --help.');
  const servers = dnsServer.map(parseServer);
  return {
    ...{ names, redirects, removed },
    servers: servers.length === 0 ? systemServers() : servers,
    ...(servers[0] && { otherServer: servers[0] }),
    ...(target !== undefined && { platform: parseHost(target, 'target') }),
    ...(authority !== undefined && { authority: parseHost(authority, 'authority') }),
  };
}

function parseDomain(text: string, flag?: string): DomainName {
  const { publicSuffix, hostname, isIcann } = parse(text);
  if (isIcann && hostname === publicSuffix && !text.includes('/'))
    throw new UsageError(
      `${flag === undefined ? '' : `--${flag}: `}${hostname} is a public suffix, below which domains are registered. Name one of them, such as docs.example.${hostname}.`,
    );
  return parseDomainName(text, flag);
}

/** Reads a name that has no port of its own. */
function parseHost(text: string, flag: string): string {
  const { name, port } = parseDomainName(text, flag);
  if (port === undefined) return name;
  throw new UsageError(`--${flag} is a name alone, such as ${name}, without a port.`);
}

function parseRedirect(text: string, defaultStatus: number): Redirect {
  const [from, to, given = String(defaultStatus), ...more] = text.split('=');
  const status = Number(given);
  const isStatus = /^3\d\d$/.test(given);
  if (!from || !to || more.length > 0 || !isStatus)
    throw new UsageError(
      `--redirect must be FROM=TO or FROM=TO=STATUS, such as old.example.com=docs.example.com=301, but is "${text}".`,
    );
  return { from: parseDomain(from, 'redirect'), to: parseDomain(to, 'redirect'), status };
}

function parseServer(text: string): NameServer {
  const server = parseNameServer(text);
  if (server !== undefined) return server;
  throw new UsageError(
    `--dns-server must be an address, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353, but is "${text}".`,
  );
}

/** Every option of the command, in the order of the help. */
export const options = {
  target: text({
    value: 'HOST',
    help: 'host name of the platform, at which the domains are to point',
  }),
  redirect: list({
    value: 'FROM=TO',
    help: 'a redirect to check, with its status if not 301 (FROM=TO=302); repeatable',
  }),
  removed: list({ value: 'NAME', help: 'domain that was removed; repeatable' }),
  dnsServer: list({
    value: 'ADDRESS',
    help: "name server to ask, as ADDRESS[:PORT], instead of the machine's own; repeatable",
  }),
  ca: list({
    value: 'FILE',
    help: 'certificates of authorities to trust too, as PEM; repeatable',
  }),
  authority: text({
    value: 'DOMAIN',
    help: 'what the authority calls itself in CAA records, if not known from the certificate',
  }),
  spec: {
    ...runOptions.spec,
    help: 'document whose x-domains hold the rules (default: the built-in one)',
  },
  timeout: runOptions.timeout,
  strict: toggle('broken RFCs fail the run too'),
  failOnIncomplete: toggle('exit with 2 if some clauses could not be decided'),
  ...outputOptions,
} satisfies OptionTable;

/** The options of the command, parsed. */
export type DomainOptions = Parsed<typeof options>;
