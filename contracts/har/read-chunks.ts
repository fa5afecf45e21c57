import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { RecordingError } from './skipped-entry.ts';
import { brokenZip, openZipArchive } from './zip-archive.ts';

/** How far a file is read, in bytes of the file itself. */
export type Progress = { read: number; total: number };

export type ReadOptions = {
  onProgress?: (progress: Progress) => void;
  /** Called while all of it is read once before, to see whether it shows credentials. */
  onSearch?: (progress: Progress) => void;
};

const chunkSize = 256 * 1024;

type Packing = 'gzip' | 'zstd' | 'brotli' | 'zip';

/** Unpacks a file; one that was cut gives what there is of it. */
const unpackers: Record<Exclude<Packing, 'zip'>, () => Transform> = {
  gzip: () => createGunzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH }),
  zstd: () => createZstdDecompress({ chunkSize, finishFlush: constants.ZSTD_e_flush }),
  brotli: () =>
    createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * The bytes of a file in chunks, unpacked where it is packed with gzip, zstd or brotli; of a zip
 * file, those of the HAR in it. Throws
 * {@link RecordingError}.
 */
export async function* readChunks(
  file: string,
  { onProgress }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  const { total, packing } = await inspect(file);
  if (packing === 'zip') return yield* readZipped(file, onProgress);
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

async function* readZipped(
  file: string,
  onProgress: ReadOptions['onProgress'],
): AsyncGenerator<Buffer> {
  await using archive = await openZipArchive(file);
  const source = await archive.openHar();
  let read = 0;
  try {
    for await (const chunk of source) {
      read += chunk.length;
      onProgress?.({ read, total: archive.size });
      yield chunk;
    }
  } catch {
    throw new RecordingError(file, brokenZip);
  } finally {
    source.destroy();
  }
}

/** Whether a file is a zip file, by its first bytes. */
export async function isZip(file: string): Promise<boolean> {
  return (await inspect(file)).packing === 'zip';
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
    const packing = packingOf(file, start);
    return { total: found.size, ...(packing && { packing }) };
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  }
}

/** How a file is packed, which its first bytes say, and of brotli its name alone. */
function packingOf(file: string, start: string): Packing | undefined {
  if (start === 'PK\x03\x04') return 'zip';
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (start === '\x28\xb5\x2f\xfd') return 'zstd';
  return /\.br$/i.test(file) ? 'brotli' : undefined;
}

function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist.';
  if (code === 'EACCES') return 'cannot be read: there is no permission to (EACCES).';
  if (/^(?:Z_|ZSTD_|ERR_(?:ZSTD|BROTLI|_ERROR|.*DECOMPRESSION))/.test(code))
    return `cannot be unpacked: it is broken (${code}). Record or pack it again.`;
  return `cannot be read (${code || message}).`;
}
