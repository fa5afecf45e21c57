import { nearestName } from './nearest-name.ts';

/** What is the same in two commands, one that calls a deployment and one that reads recordings. */
const alike: Readonly<Record<string, string>> = { target: 'base-url', 'base-url': 'target' };

/** The command cannot run as it was called; the message says what to change. */
export class UsageError extends Error {}

/**
 * What `parseArgs` of Node found wrong with a command line, in one sentence of ours; `flags` are
 * the options of the command.
 */
export function toUsageError({ message }: Error, flags: readonly string[]): UsageError {
  // Node goes on with advice that does not hold for every option.
  const [sentence = ''] = message.split(/\. (?=To )|\n/);
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(sentence) ?? [];
  const nearest =
    unknown === undefined
      ? undefined
      : (flags.find((flag) => flag === alike[unknown]) ?? nearestName(unknown, flags));
  const advice = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new UsageError(`${sentence.replace(/\.$/, '')}.${advice} See --help.`);
}
