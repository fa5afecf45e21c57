import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';

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

const chunkSize = 256 * 1024;

type Packing = 'gzip' | 'zstd' | 'brotli';

/** Unpacks a file; one that was cut gives what there is of it. */
const unpackers: Record<Packing, () => Transform> = {
  gzip: () => createGunzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH }),
  zstd: () => createZstdDecompress({ chunkSize, finishFlush: constants.ZSTD_e_flush }),
  brotli: () =>
    createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * The bytes of a file in chunks, unpacked where it is packed with gzip, zstd or brotli. Throws
 * {@link RecordingError}.
 */
export async function* readChunks(
  file: string,
  { onProgress }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  const { total, packing } = await inspect(file);
  const source = createReadStream(file, { highWaterMark: chunkSize });
  const unpacked = packing && unpackers[packing]();
  const done = unpacked && pipeline(source, unpacked).catch(() => {});
  try {
    for await (const chunk of unpacked ?? source) {
      onProgress?.({ read: source.bytesRead, total });
      yield chunk;
    }
  } catch (error) {
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  } finally {
    source.destroy();
    unpacked?.destroy();
    await done;
  }
}

/** How long a file is, and how it is packed. */
async function inspect(file: string): Promise<{ total: number; packing?: Packing }> {
  try {
    await using handle = await open(file);
    const found = await handle.stat();
    if (found.isDirectory())
      throw new RecordingError(file, 'is a folder. Name the recording in it.');
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.toString('latin1');
    if (start.startsWith('PK'))
      throw new RecordingError(
        file,
        'is a zip file. Unpack it into a folder, and name the .har file there.',
      );
    const packing = packingOf(file, start);
    return { total: found.size, ...(packing && { packing }) };
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  }
}

/** How a file is packed, which its first bytes say, and of brotli its name alone. */
function packingOf(file: string, start: string): Packing | undefined {
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (start === '\x28\xb5\x2f\xfd') return 'zstd';
  return /\.br$/i.test(file) ? 'brotli' : undefined;
}

function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist.';
  if (code === 'EACCES') return 'cannot be read: there is no permission to (EACCES).';
  if (/^(?:Z_|ZSTD_|ERR_(?:ZSTD|BROTLI|_ERROR|.*DECOMPRESSION))/.test(code))
    return `cannot be unpacked, as it is broken (${message}).`;
  return `cannot be read (${code || message}).`;
}
