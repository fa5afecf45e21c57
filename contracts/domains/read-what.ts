import { list, text, toggle } from '../../common/cli/option-kinds.ts';
import type { OptionTable, Parsed } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { type NameServer, parseNameServer, systemServers } from '../../common/dns/name-server.ts';
import { outputOptions, runOptions } from '../command/options.ts';
import type { What } from './check-domains.ts';
import type { Redirect } from './judge-visits.ts';

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
  const names = given.map((name) => parseSite(name));
  const redirects = redirect.map((one) => parseRedirect(one, redirectStatus));
  const removed = removedTexts.map((name) => parseSite(name, 'removed'));
  if (names.length + redirects.length + removed.length === 0)
    throw new UsageError('Name the domain to check, such as docs.example.com. See --help.');
  return {
    ...{ names, redirects, removed },
    servers: dnsServer.length === 0 ? systemServers() : dnsServer.map(parseServer),
    ...(target !== undefined && { platform: parseSite(target, 'target').hostname }),
    ...(authority !== undefined && { authority: parseSite(authority, 'authority').hostname }),
  };
}

const siteName = /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]*$/;

/** Reads `NAME` or `NAME:PORT`; `flag` is where it was given. Throws {@link UsageError}. */
export function parseSite(text: string, flag?: string): URL {
  const site = URL.parse(`https://${text}`);
  if (site && siteName.test(site.hostname) && site.href === `https://${site.host}/`) return site;
  const at = flag === undefined ? '' : `--${flag}: `;
  throw new UsageError(`${at}"${text}" is not a domain name, such as docs.example.com.`);
}

function parseRedirect(text: string, defaultStatus: number): Redirect {
  const [from, to, status = String(defaultStatus), ...more] = text.split('=');
  if (!from || !to || more.length > 0 || !/^3\d\d$/.test(status))
    throw new UsageError(
      `--redirect must be FROM=TO or FROM=TO=STATUS, such as old.example.com=docs.example.com=301, but is "${text}".`,
    );
  return {
    from: parseSite(from, 'redirect'),
    to: parseSite(to, 'redirect'),
    status: Number(status),
  };
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
    help: 'what the authority of the platform calls itself in CAA records',
  }),
  spec: {
    ...runOptions.spec,
    help: 'document whose x-domains hold the rules (default: the built-in one)',
  },
  timeout: runOptions.timeout,
  failOnIncomplete: toggle('exit with 2 if some clauses could not be decided'),
  ...outputOptions,
} satisfies OptionTable;

/** The options of the command, parsed. */
export type DomainOptions = Parsed<typeof options>;
