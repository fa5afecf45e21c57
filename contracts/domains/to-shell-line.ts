import { dnsPort, type NameServer } from '../dns/name-server.ts';
import { toCurl } from '../judging/reported-exchange.ts';
import type { ReportedExchange } from '../report/events.ts';

/** An address that a name leads to, and whether it has no other. */
export type Place = { address: string; isOnly: boolean };

/** What shows a breach again. */
export type Repeat =
  | { tool: 'dig'; name: string; type: string }
  | { tool: 'openssl'; name: string; port: number; place: Place }
  | { tool: 'curl'; exchange: ReportedExchange; place?: Place };

/**
 * A line for a shell that shows it again; `server` is the name server that was asked, if not the
 * machine's own. An address is named where the shell may not find the same one by itself: a name has
 * several, or is looked up elsewhere.
 */
export function toShellLine(repeat: Repeat, server: NameServer | undefined): string {
  switch (repeat.tool) {
    case 'dig':
      return `dig +noall +answer ${server ? `${toDigServer(server)} ` : ''}${repeat.name} ${repeat.type}`;
    case 'openssl': {
      const { name, port, place } = repeat;
      const host = isNamed(place, server) ? toHost(place.address) : name;
      return `openssl s_client -connect ${quoted(`${host}:${port}`)} -servername ${name} </dev/null`;
    }
    case 'curl': {
      const { exchange, place } = repeat;
      // As here, what is wrong with the certificate is not to hide the response.
      const isSecure = exchange.request.url.startsWith('https:');
      const curl = `${toCurl(exchange)}${isSecure ? ' --insecure' : ''}`;
      if (place === undefined || !isNamed(place, server)) return curl;
      return `${curl} --connect-to ${quoted(`::${toHost(place.address)}:`)}`;
    }
  }
}

function isNamed({ isOnly }: Place, server: NameServer | undefined): boolean {
  return server !== undefined || !isOnly;
}

function toDigServer({ address, port }: NameServer): string {
  return `@${address}${port === dnsPort ? '' : ` -p ${port}`}`;
}

function toHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Shells expand brackets. */
function quoted(text: string): string {
  return text.includes('[') ? `'${text}'` : text;
}
