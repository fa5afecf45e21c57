import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A recording cannot be read at all; the message says why, and what to do. */
export class RecordingError extends Error {}

/** How far a file is read, in bytes of the file itself. */
export type Progress = { read: number; total: number };

export type ReadOptions = { onProgress?: (progress: Progress) => void };

/** The bytes of a file in chunks, unpacked where it is a gzip file. Throws {@link RecordingError}. */
export async function* readChunks(
  file: string,
  { onProgress }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  const total = await sizeOf(file);
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const isPacked = /\.gz$/i.test(file);
  const gunzip = isPacked ? createGunzip({ chunkSize: 256 * 1024 }) : undefined;
  const done = gunzip && pipeline(source, gunzip).catch(() => {});
  try {
    for await (const chunk of gunzip ?? source) {
      onProgress?.({ read: source.bytesRead, total });
      yield chunk;
    }
  } catch (error) {
    throw new RecordingError(`${file} ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  } finally {
    source.destroy();
    gunzip?.destroy();
    await done;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (!found.isDirectory()) return found.size;
  } catch (error) {
    throw new RecordingError(`${file} ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  }
  throw new RecordingError(`${file} is a folder. Name the recording in it.`);
}

function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist.';
  if (code === 'EACCES') return 'cannot be read: there is no permission to (EACCES).';
  if (code.startsWith('Z_')) return `is no gzip file, or it was cut (${message}).`;
  return `cannot be read (${code || message}).`;
}
