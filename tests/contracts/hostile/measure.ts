import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Loaded into a process before its program, notes the most memory that it ever held (MiB) in the
 * file of MEASURED.
 */
process.on('exit', () => {
  writeFileSync(process.env.MEASURED as string, String(peakMebibytes()));
});

/** Linux tells it for this program alone; elsewhere the figure may hold a little of the parent. */
function peakMebibytes(): number {
  try {
    const [, kibibytes] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kibibytes !== undefined) return Number(kibibytes) / 1024;
  } catch {
    // No Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
