import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';

/** A recording cannot be read at all; the message says why, and what to do. */
export class RecordingError extends Error {
  /** The message without the name of the file, as the end of a sentence. */
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
    this.reason = reason;
  }
}

/** How far a file is read, in bytes of the file itself. */
export type Progress = { read: number; total: number };

export type ReadOptions = { onProgress?: (progress: Progress) => void };

/** A gzip file that was cut gives what there is of it. */
const finishFlush = constants.Z_SYNC_FLUSH;

/** The bytes of a file in chunks, unpacked where it is a gzip file. Throws {@link RecordingError}. */
export async function* readChunks(
  file: string,
  { onProgress }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  const { total, isPacked } = await inspect(file);
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  const gunzip = isPacked ? createGunzip({ chunkSize: 256 * 1024, finishFlush }) : undefined;
  const done = gunzip && pipeline(source, gunzip).catch(() => {});
  try {
    for await (const chunk of gunzip ?? source) {
      onProgress?.({ read: source.bytesRead, total });
      yield chunk;
    }
  } catch (error) {
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  } finally {
    source.destroy();
    gunzip?.destroy();
    await done;
  }
}

/** How long a file is, and whether it is a gzip file, which its first bytes say. */
async function inspect(file: string): Promise<{ total: number; isPacked: boolean }> {
  try {
    await using handle = await open(file);
    const found = await handle.stat();
    if (found.isDirectory())
      throw new RecordingError(file, 'is a folder. Name the recording in it.');
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const start = buffer.toString('latin1');
    if (start === 'PK')
      throw new RecordingError(
        file,
        'is a zip file. Unpack it into a folder, and name the .har file there.',
      );
    return { total: found.size, isPacked: start === '\x1f\x8b' };
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  }
}

function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist.';
  if (code === 'EACCES') return 'cannot be read: there is no permission to (EACCES).';
  if (code.startsWith('Z_')) return `cannot be unpacked, as it is broken (${message}).`;
  return `cannot be read (${code || message}).`;
}
