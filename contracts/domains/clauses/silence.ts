import type { Repeat } from '../to-shell-line.ts';
import { inconclusive, type Ruling, unanswered } from './ruling.ts';

/** An address that gave no answer, and why. */
export type SilentAddress = {
  address: string;
  reason: string;
  /** Whether this machine has no way to it. */
  isLocal: boolean;
};

export type SilenceOptions = {
  name: string;
  /** How many addresses were asked. */
  asked: number;
  expected: string;
  toRepeat: (address: string) => Repeat;
};

/**
 * What becomes of a clause where addresses of a name gave no answer; undefined where that does not
 * matter, as others gave one and this machine has no way to these.
 */
export function judgeSilence(
  silent: readonly SilentAddress[],
  { name, asked, expected, toRepeat }: SilenceOptions,
): Ruling | undefined {
  const others = silent.filter(({ isLocal }) => !isLocal);
  const [one] = others;
  if (one)
    return unanswered({
      message:
        silent.length === asked
          ? `${name} did not answer`
          : `${others.length} of ${asked} addresses of ${name} did not answer`,
      expected,
      actual: others.map(({ address, reason }) => `${address}: ${reason}`).join('; '),
      repeat: toRepeat(one.address),
    });
  return silent.length === asked
    ? inconclusive('no address of the name can be reached from this machine')
    : undefined;
}
