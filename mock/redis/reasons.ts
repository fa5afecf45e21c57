/** What replies of a server mean that it cannot do anything, or nothing that changes data, now. */
const replies: Readonly<Record<string, string>> = {
  OOM: 'is full (OOM): it has reached its maxmemory',
  READONLY: 'is read-only (READONLY): it is a replica',
  LOADING: 'is loading its data (LOADING)',
  BUSY: 'is busy with a script (BUSY)',
  MISCONF: 'cannot write its data to disk (MISCONF)',
  MASTERDOWN: 'has lost its primary (MASTERDOWN)',
  NOREPLICAS: 'has too few replicas (NOREPLICAS)',
  CLUSTERDOWN: 'is a cluster that is down (CLUSTERDOWN)',
  TRYAGAIN: 'is a cluster that is moving its data (TRYAGAIN)',
  NOAUTH: 'needs a password (NOAUTH)',
  WRONGPASS: 'refused the user or the password (WRONGPASS)',
  NOPERM: 'does not let this user run a command that the twin needs (NOPERM)',
  NOPROTO: 'does not speak the protocol (NOPROTO)',
};

/** No attempt after these would end differently. */
const forGood = ['NOAUTH', 'WRONGPASS', 'NOPERM', 'NOPROTO'];

/**
 * Why a store is unavailable, as the end of a sentence that begins with it; undefined where a server
 * refused a command for another reason than its state. It holds nothing of a command, as that may be
 * a password.
 */
export function toReason(error: Error, isReply: boolean): string | undefined {
  const [word = ''] = error.message.split(' ', 1);
  if (Object.hasOwn(replies, word)) return replies[word];
  if (/invalid (?:username-password|password)/i.test(error.message)) return replies.WRONGPASS;
  if (/DB index is out of range|SELECT is not allowed/i.test(error.message)) return noDatabase;
  if (isReply || error instanceof TypeError) return undefined;
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  const cause = code ?? errors?.[0]?.code;
  return cause === undefined ? 'cannot be reached' : `cannot be reached (${cause})`;
}

/** Whether no later attempt can end differently. */
export function isRefusedForGood(error: Error, isReply: boolean): boolean {
  const reason = toReason(error, isReply);
  return reason === noDatabase || forGood.some((word) => replies[word] === reason);
}

const noDatabase = 'has no database with the number in the URL';
