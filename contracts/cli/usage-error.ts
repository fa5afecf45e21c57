/** The command cannot run as it was called; the message says what to change. */
export class UsageError extends Error {}

/** What `parseArgs` of Node found wrong with a command line, in one sentence of ours. */
export function toUsageError({ message }: Error): UsageError {
  // Node goes on with advice that does not hold for every option.
  const [sentence = ''] = message.split(/\. (?=To )|\n/);
  return new UsageError(`${sentence.replace(/\.$/, '')}. See --help.`);
}
