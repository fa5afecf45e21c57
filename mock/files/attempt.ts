import { UsageError } from '../../contracts/cli/usage-error.ts';

/** Reads what a file holds. Throws a {@link UsageError} that says the problem, and OpenSSL's reason. */
export function attempt<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = (error as Error).message.replace(/^error:[0-9A-F]+:/, '');
    throw new UsageError(`${problem} (${reason}).`);
  }
}
