import { writeFileSync } from 'node:fs';
import { peakMebibytes } from '../../support/peak-memory.ts';

/**
 * Loaded into a process before its program, notes its peak memory (MiB) in the file of MEASURED.
 */
process.on('exit', () => {
  writeFileSync(process.env.MEASURED as string, String(peakMebibytes()));
});
