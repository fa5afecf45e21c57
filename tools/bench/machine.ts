import { readFileSync } from 'node:fs';

/**
 * How to measure servers and not the virtual machine, where it gives a processor back whenever that
 * waits: this takes longer than a request. `file` holds for how many nanoseconds it waits first.
 */
export function adviceOnHalts(
  file = '/sys/module/haltpoll/parameters/guest_halt_poll_ns',
): string | undefined {
  let nanoseconds: string;
  try {
    nanoseconds = readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
  if (nanoseconds !== '0') return undefined;
  return `This virtual machine halts between two requests, which makes ratios jump. As root, before: echo 1000000 > ${file}`;
}
