import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { count } from '../../common/cli/count.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { membersOf } from '../../common/json.ts';
import { isSecretName, isSecretParameter } from '../../common/secrets/names.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import { BrokenEntry, fromHarEntry, type HarContext, type NoExchange } from './from-har-entry.ts';

/** An entry of a recording: an exchange, or a skipped entry with the reason. */
export type Recording = RecordedExchange | SkippedEntry;

/** Whether an entry of a recording is passed over. */
export function isSkipped(recording: Recording): recording is SkippedEntry {
  return 'problem' in recording;
}

/**
 * Reads an HTTP Archive 1.2 (HAR), packed with gzip or not. Exchanges come in the order of the file,
 * which is that in which their responses came. An entry that is none is passed over. Where no entry
 * shows a credential, the exchanges say that they are missing. Throws a {@link RecordingError} where
 * the file is no archive.
 */
export async function* readRecordings(file: string): AsyncGenerator<Recording> {
  const text = (await readArchive(file)).trimStart();
  if (text === '') throw new RecordingError(file, 'is empty.');
  if (text.slice(0, 1000).includes('\0'))
    throw new RecordingError(file, 'is not text in UTF-8. Save it as UTF-8 first.');
  if (!text.startsWith('{'))
    throw new RecordingError(file, 'is no HTTP Archive (HAR). See docs/recordings.md.');
  const whole = membersOf(parse(text));
  if (!whole) throw new RecordingError(file, 'is not valid JSON, or was cut. Record it again.');
  const log = membersOf(whole.log);
  const list = log?.entries;
  if (!Array.isArray(list)) throw new RecordingError(file, 'has no list log.entries.');
  const creator = String(membersOf(log?.creator)?.name ?? '');
  const context = { creator, readAttachment: attachmentsOf(file) };
  const isBare = !completeRecorders.test(creator) && !list.some(showsCredentials);
  for (const [index, value] of list.entries()) {
    const recording = await readEntry(value, context);
    if ('problem' in recording) yield { ...recording, place: `entry ${index + 1}` };
    else yield isBare ? { ...recording, missing: ['credentials'] } : recording;
  }
}

/** Reads the exchanges of a recording in the order of the file; `say` names entries that are broken. */
export async function* readExchanges(
  file: string,
  say: (sentence: string) => void,
): AsyncGenerator<RecordedExchange> {
  const notes = new SkippedNotes(say);
  for await (const recording of readRecordings(file)) {
    if (!isSkipped(recording)) yield recording;
    else if (recording.kind === 'broken') notes.note(file, recording);
  }
  notes.end();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, which may hold keys.
    return undefined;
  }
}

async function readEntry(
  value: unknown,
  context: HarContext,
): Promise<RecordedExchange | NoExchange> {
  const entry = Array.isArray(value) ? undefined : membersOf(value);
  if (!entry) return { kind: 'broken', problem: 'is no JSON object' };
  try {
    return await fromHarEntry(entry, context);
  } catch (error) {
    if (error instanceof BrokenEntry) return { kind: 'broken', problem: error.message };
    throw error;
  }
}

/** Recorders that write down every header as it was sent. */
const completeRecorders = /^(?:petstore-twin|redocly-cli proxy|playwright)/i;

function showsCredentials(entry: unknown): boolean {
  const { request, response } = membersOf(entry) ?? {};
  const { headers, queryString } = membersOf(request) ?? {};
  return (
    namesOf(headers).some(isSecretName) ||
    namesOf(queryString).some(isSecretParameter) ||
    namesOf(membersOf(response)?.headers).some(isSecretName)
  );
}

function namesOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map((one) => String(membersOf(one)?.name ?? '')) : [];
}

/** The largest file beside a recording that is read, in bytes. */
const maxAttachment = 16 * 1024 * 1024;

/**
 * Reads regular files beside a recording, and no others, also not through links: a recording is no
 * reason to read any file.
 */
function attachmentsOf(file: string): HarContext['readAttachment'] {
  return async (name) => {
    const path = join(dirname(file), basename(name));
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() && found.size <= maxAttachment ? readFile(path) : undefined;
  };
}

const maxArchive = 256 * 1024 * 1024;

/** The text of a file, unpacked where it is packed with gzip. Throws {@link RecordingError}. */
async function readArchive(file: string): Promise<string> {
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

/** An entry that is passed over, with its place, such as `entry 1`. */
export type SkippedEntry = NoExchange & { place: string };

const maxNamed = 10;

/** Says what is wrong with entries of recordings, in a sentence each. */
export class SkippedNotes {
  readonly #say: (sentence: string) => void;
  #count = 0;

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  /** Names an entry that cannot be read. */
  note(file: string, { place, problem }: SkippedEntry): void {
    this.#count += 1;
    if (this.#count <= maxNamed) this.#say(`${file}: ${place} ${problem}.`);
  }

  /** Says how many were not named. */
  end(): void {
    const more = this.#count - maxNamed;
    if (more > 0) this.#say(`${count(more, 'more entry', 'more entries')} could not be read.`);
  }
}

/** A recording cannot be read at all; the message says why, and what to do. */
class RecordingError extends UsageError {
  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
  }
}
