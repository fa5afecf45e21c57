import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The peak memory (MiB) of this process since it began, or since {@link resetPeak} where there is
 * such a thing. Linux has it for the program alone; elsewhere the figure may hold a little of the
 * parent.
 */
export function peakMebibytes(): number {
  try {
    const [, kibibytes] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kibibytes !== undefined) return Number(kibibytes) / 1024;
  } catch {
    // No Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}

/** Forgets the peak so far. */
export function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // No Linux: the peak of all runs together is a stricter measure.
  }
}
