import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import { RecordingError } from './skipped-entry.ts';

/** A line that is longer than this, in bytes, is passed over. */
export const maxLine = 16 * 1024 * 1024;

/**
 * The bytes of a file in chunks, unpacked where it is packed with gzip; one that was cut gives what
 * there is of it. Throws {@link RecordingError}.
 */
export async function* readChunks(file: string): AsyncGenerator<Buffer> {
  const unpack = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  try {
    const start = await readStart(file);
    if (start.startsWith('PK\x03\x04'))
      throw new RecordingError(file, 'is a zip file. Unpack it, and name the .har file in it.');
    const source = createReadStream(file, { highWaterMark: 256 * 1024 });
    const isPacked = start.startsWith('\x1f\x8b');
    if (isPacked) pipeline(source, unpack).catch(() => {});
    yield* isPacked ? unpack : source;
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, whyUnreadable(error as NodeJS.ErrnoException));
  } finally {
    unpack.destroy();
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
  if (code === 'EISDIR') return 'is a folder. Name the recording in it.';
  if (code.startsWith('Z_')) return `cannot be unpacked: it is broken (${code}).`;
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
