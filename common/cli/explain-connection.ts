const checkRoute = 'check the network, firewalls and the address';

/**
 * By the code of Node or OpenSSL, or the error of a browser, the first that fits: what went wrong, as
 * a clause, and what to do, as another.
 */
const problems: readonly (readonly [pattern: RegExp, what: string, advice?: string])[] = [
  [
    /ECONNREFUSED|CONNECTION_REFUSED/,
    'the connection was refused',
    'check that it is running and that the address is right',
  ],
  [
    /ENOTFOUND|NAME_NOT_RESOLVED|UNKNOWN_HOST/,
    'the host name has no address',
    'check its spelling',
  ],
  [/EAI_AGAIN/, 'the host name could not be looked up', 'check the network and its name servers'],
  [
    /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ADDRESS_UNREACHABLE/,
    'there is no route to the address',
    checkRoute,
  ],
  [/ETIMEDOUT|CONNECTION_TIMED_OUT/, 'the connection was not accepted in time', checkRoute],
  [
    /ECONNRESET|ECONNABORTED|EPIPE|CONNECTION_(?:RESET|CLOSED|ABORTED)|EMPTY_RESPONSE/,
    'the connection ended before a complete answer',
  ],
  [/^HPE_/, 'what came is not HTTP'],
  [
    /_ALERT_/,
    'the server refused the TLS handshake',
    'check what it requires of clients, such as a certificate or a TLS version',
  ],
  [/CERT_HAS_EXPIRED|CERT_DATE_INVALID/, 'the certificate has expired', 'renew it'],
  [/CERT_NOT_YET_VALID/, 'the certificate is not valid yet', 'compare the clocks of both machines'],
  [
    /ALTNAME|HOSTNAME_MISMATCH|COMMON_NAME_INVALID/,
    'the certificate is for another name',
    'use a name that the certificate has, or get one for this name',
  ],
  [
    /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA/,
    'the certificate is not trusted on this machine',
    'set NODE_EXTRA_CA_CERTS to a file that contains it or its authority',
  ],
  [
    /EPROTO|WRONG_VERSION_NUMBER|SSL_PROTOCOL_ERROR/,
    'the server does not speak TLS at this port',
    'check the port, or use http://',
  ],
  [/SSL|TLS/, 'the TLS handshake failed', 'check that the port speaks TLS'],
];

/**
 * Says what an error of a connection means and what to do, with its code: `the connection was refused
 * (ECONNREFUSED); check that ...`. Gives any other text as it is.
 */
export function explainConnection(code: string): string {
  // A sentence is no code.
  const found = /\s/.test(code) ? undefined : problems.find(([pattern]) => pattern.test(code));
  if (found === undefined) return code;
  const [, what, advice] = found;
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
