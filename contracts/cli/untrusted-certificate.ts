/** Whether a connection failed because the certificate of the server was not accepted. */
export function isUntrusted(code: string): boolean {
  return /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/.test(code);
}

/**
 * What a certificate that was not accepted is like, as the end of "a certificate that ...", and what
 * to do, as a sentence.
 */
export function explainUntrusted(code: string): { problem: string; advice: string } {
  if (code === 'CERT_HAS_EXPIRED') return { problem: 'has expired', advice: 'Renew it.' };
  if (code === 'CERT_NOT_YET_VALID')
    return { problem: 'is not valid yet', advice: 'Compare the clocks of both machines.' };
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code))
    return {
      problem: 'is for another name',
      advice: 'Call it by a name that its certificate has, or give it one for this name.',
    };
  return {
    problem: 'this machine does not trust',
    advice: 'Set NODE_EXTRA_CA_CERTS to a file that contains it or its authority.',
  };
}
