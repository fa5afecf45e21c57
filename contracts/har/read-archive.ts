import { readFile, stat } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { RecordingError } from './skipped-entry.ts';

/** The largest archive that is read, in bytes. */
const maxArchive = 256 * 1024 * 1024;

/** The text of a file, unpacked where it is packed with gzip. Throws {@link RecordingError}. */
export async function readArchive(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > maxArchive) throw tooLarge(file);
    const bytes = await readFile(file);
    const start = bytes.toString('latin1', 0, 4);
    if (start === 'PK\x03\x04')
      throw new RecordingError(file, 'is a zip file. Unpack it, and name the .har file in it.');
    const text = start.startsWith('\x1f\x8b') ? unpack(bytes) : bytes;
    return text.toString().replace(/^\ufeff/, '');
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(file);
    throw new RecordingError(file, reasons[code] ?? whyUnreadable(code, message));
  }
}

function unpack(bytes: Buffer): Buffer {
  return gunzipSync(bytes, {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: maxArchive,
  });
}

function tooLarge(file: string): RecordingError {
  return new RecordingError(file, 'is larger than 256 MiB. Record it in parts, and name them all.');
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist.',
  EISDIR: 'is a folder. Name the recording in it.',
};

function whyUnreadable(code: string, message: string): string {
  return code.startsWith('Z_')
    ? `cannot be unpacked: it is broken (${code}).`
    : `cannot be read (${code || message}).`;
}
