import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { RecordingError } from './skipped-entry.ts';

export type ReadOptions = {
  /** Called with how far a file is read, in bytes of the file itself. */
  onProgress?: (progress: { read: number; total: number }) => void;
};

/** A line that is longer than this, in bytes, is passed over. */
export const maxLine = 16 * 1024 * 1024;

/** What unpacks a file whose text begins like this; one that was cut gives what there is of it. */
const unpackers: readonly [start: string, make: () => Transform][] = [
  ['\x1f\x8b', () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })],
  ['\x28\xb5\x2f\xfd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
];

/**
 * The bytes of a file in chunks, unpacked where it is packed with gzip or zstd, or with brotli by its
 * name. Throws {@link RecordingError}.
 */
export async function* readChunks(
  file: string,
  { onProgress }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  let unpack: Transform | undefined;
  let source: ReturnType<typeof createReadStream> | undefined;
  try {
    const found = await stat(file);
    if (found.isDirectory())
      throw new RecordingError(file, 'is a folder. Name the recording in it.');
    const start = await readStart(file);
    if (start.startsWith('PK\x03\x04'))
      throw new RecordingError(file, 'is a zip file. Unpack it, and name the .har file in it.');
    source = createReadStream(file, { highWaterMark: 256 * 1024 });
    unpack = /\.br$/i.test(file)
      ? createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
      : unpackers.find(([magic]) => start.startsWith(magic))?.[1]();
    if (unpack) pipeline(source, unpack).catch(() => {});
    for await (const chunk of unpack ?? source) {
      onProgress?.({ read: source.bytesRead, total: found.size });
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  } finally {
    source?.destroy();
    unpack?.destroy();
  }
}

/** The first bytes of a file, one a character. */
async function readStart(file: string): Promise<string> {
  for await (const chunk of createReadStream(file, { end: 3 }))
    return (chunk as Buffer).toString('latin1');
  return '';
}

function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'does not exist.';
  if (/^(?:Z_|ZSTD_|ERR_(?:ZSTD|BROTLI|_ERROR|.*DECOMPRESSION))/.test(code))
    return `cannot be unpacked: it is broken (${code}). Record or pack it again.`;
  return `cannot be read (${code || message}).`;
}

/** A line with its number, from 1; without its text where it is too long. */
export type Line = { number: number; text?: string };

/** The lines that are not blank. */
export async function* toLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;
  const add = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= maxLine) parts.push(bytes);
    else parts = [];
  };
  const end = (): Line[] => {
    const text = length <= maxLine ? Buffer.concat(parts).toString().trim() : undefined;
    parts = [];
    length = 0;
    number += 1;
    if (text === '') return [];
    return [{ number, ...(text !== undefined && { text }) }];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at: number; (at = chunk.indexOf('\n', from)) >= 0; from = at + 1) {
      add(chunk.subarray(from, at));
      yield* end();
    }
    add(chunk.subarray(from));
  }
  yield* end();
}
