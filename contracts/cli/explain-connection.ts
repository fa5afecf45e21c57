/** What went wrong, as a clause, and what to do, as another. */
type Problem = { what: string; advice?: string };

const checkRoute = 'check the network, firewalls and the address';

/** By the code of Node or OpenSSL, or the error of a browser; the first that fits. */
const problems: readonly (readonly [pattern: RegExp, Problem])[] = [
  [
    /ECONNREFUSED|CONNECTION_REFUSED/,
    {
      what: 'the connection was refused',
      advice: 'check that it is running and that the address is right',
    },
  ],
  [
    /ENOTFOUND|NAME_NOT_RESOLVED|UNKNOWN_HOST/,
    { what: 'the host name has no address', advice: 'check its spelling' },
  ],
  [
    /EAI_AGAIN/,
    {
      what: 'the host name could not be looked up',
      advice: 'check the network and its name servers',
    },
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ADDRESS_UNREACHABLE/,
    { what: 'there is no route to the address', advice: checkRoute },
  ],
  [
    /ETIMEDOUT|CONNECTION_TIMED_OUT/,
    { what: 'the connection was not accepted in time', advice: checkRoute },
  ],
  [
    /ECONNRESET|ECONNABORTED|EPIPE|CONNECTION_(?:RESET|CLOSED|ABORTED)|EMPTY_RESPONSE/,
    { what: 'the connection ended before a complete answer' },
  ],
  [/^HPE_/, { what: 'what came is not HTTP' }],
  [
    /_ALERT_/,
    {
      what: 'the server refused the TLS handshake',
      advice: 'check what it asks of clients, such as a certificate or a version of TLS',
    },
  ],
  [
    /CERT_HAS_EXPIRED|CERT_DATE_INVALID/,
    { what: 'the certificate has expired', advice: 'renew it' },
  ],
  [
    /CERT_NOT_YET_VALID/,
    { what: 'the certificate is not valid yet', advice: 'compare the clocks of both machines' },
  ],
  [
    /ALTNAME|HOSTNAME_MISMATCH|COMMON_NAME_INVALID/,
    {
      what: 'the certificate is for another name',
      advice: 'use a name that the certificate has, or get one for this name',
    },
  ],
  [
    /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA/,
    {
      what: 'the certificate is not trusted on this machine',
      advice: 'set NODE_EXTRA_CA_CERTS to a file that contains it or its authority',
    },
  ],
  [
    /EPROTO|WRONG_VERSION_NUMBER|SSL_PROTOCOL_ERROR/,
    {
      what: 'the server does not speak TLS at this port',
      advice: 'check the port, or use http://',
    },
  ],
  [/SSL|TLS/, { what: 'the TLS handshake failed', advice: 'check that the port speaks TLS' }],
];

/**
 * Says what an error of a connection means and what to do, with its code: `the connection was refused
 * (ECONNREFUSED); check that ...`. Gives any other text as it is.
 */
export function explainConnection(code: string): string {
  // A sentence is no code.
  const [, problem] = (!/\s/.test(code) && problems.find(([pattern]) => pattern.test(code))) || [];
  if (problem === undefined) return code;
  const { what, advice } = problem;
  return `${what} (${code})${advice === undefined ? '' : `; ${advice}`}`;
}

/** Whether a connection failed because the certificate of the server was not accepted. */
export function isUntrusted(code: string): boolean {
  return /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/.test(code);
}

/** Whether a connection failed in TLS, its certificate included. */
export function isOfTls(code: string): boolean {
  return /SSL|TLS|EPROTO/.test(code) || isUntrusted(code);
}
