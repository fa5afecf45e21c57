import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { RecordingError } from './skipped-entry.ts';

/** A HAR in a zip file, with the bodies that lie beside it, as Playwright writes them. */
export interface ZipArchive extends AsyncDisposable {
  /** The bytes of the HAR, unpacked. */
  openHar(): Promise<Readable>;
  /** How long the HAR is, in bytes. */
  size: number;
  /** A file beside the HAR of at most so many bytes; undefined where there is none. */
  readBeside(name: string, maxSize: number): Promise<Buffer | undefined>;
}

/** An archive of a long run has a file for each body. */
const maxEntries = 500_000;

/** Opens the one HAR of a zip file. Throws {@link RecordingError}. */
export async function openZipArchive(file: string): Promise<ZipArchive> {
  let zip: ZipFile;
  const entries = new Map<string, Entry>();
  try {
    zip = await openPromise(file, { autoClose: false });
  } catch {
    throw new RecordingError(file, brokenZip);
  }
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size === maxEntries)
        throw new RecordingError(file, `has more than ${maxEntries.toLocaleString('en')} files.`);
      entries.set(entry.fileName, entry);
    }
    const har = findHar(file, entries);
    const folder = posix.dirname(har.fileName);
    return {
      size: har.uncompressedSize,
      openHar: () =>
        zip.openReadStreamPromise(har).catch(() => {
          throw new RecordingError(file, brokenZip);
        }),
      readBeside: async (name, maxSize) => {
        const entry = entries.get(posix.join(folder, name));
        if (!entry || entry.uncompressedSize > maxSize) return undefined;
        return readAll(() => zip.openReadStreamPromise(entry));
      },
      [Symbol.asyncDispose]: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, brokenZip);
  }
}

/** The methods of packing that can be undone. */
const [stored, deflated] = [0, 8];

function findHar(file: string, entries: ReadonlyMap<string, Entry>): Entry {
  const hars = [...entries.values()].filter(({ fileName }) => /\.har$/i.test(fileName));
  const [har, second] = hars;
  if (!har) throw new RecordingError(file, 'is a zip file without a .har file in it.');
  if (second)
    throw new RecordingError(
      file,
      `is a zip file with ${hars.length} .har files, such as ${har.fileName} and ${second.fileName}. Unpack it, and name them.`,
    );
  if (![stored, deflated].includes(har.compressionMethod))
    throw new RecordingError(
      file,
      'is a zip file packed by another method than deflate. Unpack it, and name the .har file.',
    );
  if (har.isEncrypted())
    throw new RecordingError(file, 'is a zip file with a password. Unpack it first.');
  return har;
}

/** All of an entry, of which no more comes than it says; undefined where it is broken. */
async function readAll(open: () => Promise<Readable>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await open()) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** What is said of a zip file that cannot be unpacked. */
export const brokenZip = 'is a zip file that is broken. Record or pack it again.';
