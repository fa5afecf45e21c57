/** What replies of a server mean that it cannot do anything, or nothing that changes data, now. */
const replies: Readonly<Record<string, string>> = {
  OOM: 'is full (OOM): it has reached its maxmemory',
  READONLY: 'is read-only (READONLY): it is a replica',
  LOADING: 'is loading its data (LOADING)',
  BUSY: 'is busy with a script (BUSY)',
  MISCONF: 'cannot write its data to disk (MISCONF)',
  MASTERDOWN: 'has lost its primary (MASTERDOWN)',
  NOREPLICAS: 'has too few replicas (NOREPLICAS)',
  NOAUTH: 'needs a password (NOAUTH)',
  WRONGPASS: 'refused the user or the password (WRONGPASS)',
  NOPERM: 'does not let this user run a command that the twin needs (NOPERM)',
  NOPROTO: 'does not speak the protocol (NOPROTO)',
};

const noPassword = 'has no password for its default user, and the URL gives one';
const noDatabase = 'has no database with the number in the URL';

/** No attempt after these would end differently. */
const forGood = [
  ...['NOAUTH', 'WRONGPASS', 'NOPERM', 'NOPROTO'].map((word) => replies[word]),
  noPassword,
  noDatabase,
];

/**
 * Why a store is unavailable, as the end of a sentence that begins with it; undefined where a server
 * refused a command for another reason than its state. It holds nothing of a command, as that may be
 * a password.
 */
export function toReason(error: Error, isReply: boolean): string | undefined {
  const [word = ''] = error.message.split(' ', 1);
  if (Object.hasOwn(replies, word)) return replies[word];
  if (/invalid (?:username-password|password)/i.test(error.message)) return replies.WRONGPASS;
  // A connection of before a password was set gets this for a command that is large.
  if (/unauthenticated/i.test(error.message)) return replies.NOAUTH;
  if (/without any password configured/i.test(error.message)) return noPassword;
  if (/DB index is out of range|SELECT is not allowed/i.test(error.message)) return noDatabase;
  if (isReply || error instanceof TypeError) return undefined;
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  const cause = code ?? errors?.[0]?.code;
  if (cause === undefined) return 'cannot be reached';
  return isUntrusted(cause)
    ? `has a certificate that is not accepted (${cause}); NODE_EXTRA_CA_CERTS can name a file with its authority`
    : `cannot be reached (${cause})`;
}

/** Whether no later attempt can end differently. */
export function isRefusedForGood(error: Error, isReply: boolean): boolean {
  const reason = toReason(error, isReply);
  const isOfCertificate = !isReply && isUntrusted((error as NodeJS.ErrnoException).code ?? '');
  return isOfCertificate || (reason !== undefined && forGood.includes(reason));
}

/** Whether a connection failed because the certificate of the server was not accepted. */
function isUntrusted(code: string): boolean {
  return /CERT|SELF_SIGNED|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/.test(code);
}
