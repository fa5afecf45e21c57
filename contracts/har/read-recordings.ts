import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { membersOf } from '../json.ts';
import { isSecretName, isSecretParameter } from '../secrets/names.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { fromHarEntry } from './from-har-entry.ts';
import { fromLine } from './from-line.ts';
import type { HarContext } from './har-bodies.ts';
import { maxLine, readChunks, toLines } from './read-lines.ts';
import { BrokenEntry } from './recorded-values.ts';
import { type NoExchange, RecordingError, type SkippedEntry, toBroken } from './skipped-entry.ts';

/** What a recording has: an exchange, or what is passed over and why. */
export type Recording = RecordedExchange | SkippedEntry;

/** Whether an entry of a recording is passed over. */
export function isSkipped(recording: Recording): recording is SkippedEntry {
  return 'problem' in recording;
}

/**
 * Reads a recording: an HTTP Archive 1.2 (HAR) or JSON Lines of exchanges; packed with gzip or not.
 * Exchanges come in the order of the file, which is that in which their responses came. An entry that
 * is none is passed over. Where no entry of a HAR shows a credential, its exchanges say that they are
 * missing. Throws a {@link RecordingError} where the file is no recording.
 */
export async function* readRecordings(file: string): AsyncGenerator<Recording> {
  const chunks = readChunks(file);
  const { value: first = Buffer.alloc(0) } = await chunks.next();
  const all = (async function* () {
    yield first;
    yield* chunks;
  })();
  yield* isWhole(file, withoutMark(first.toString()).trimStart())
    ? readWhole(file, all)
    : readLines(file, all);
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** Whether a file that begins like this is one value of JSON, and not JSON Lines. */
function isWhole(file: string, head: string): boolean {
  if (head.includes('\0'))
    throw new RecordingError(file, 'is not text in UTF-8. Save it as UTF-8 first.');
  if (head === '') throw new RecordingError(file, 'is empty.');
  if (head.startsWith('{')) return /^\{\s*"log"\s*:/.test(head);
  throw new RecordingError(
    file,
    'is no recording: neither an HTTP Archive (HAR) nor JSON Lines of exchanges. See docs/recordings.md.',
  );
}

async function* readLines(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Recording> {
  const context = { creator: 'petstore-twin', readAttachment: attachmentsOf(file) };
  try {
    for await (const { number, text } of toLines(chunks)) {
      const recording = await readText(text, context);
      yield 'problem' in recording ? { ...recording, place: `line ${number}` } : recording;
    }
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    yield toBroken(`cannot be read to its end: ${error.reason}`);
  }
}

/** The largest file that is read as a whole, in bytes. */
const maxWhole = 256 * 1024 * 1024;

async function* readWhole(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Recording> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if ((size += chunk.length) > maxWhole)
      throw new RecordingError(
        file,
        'is larger than 256 MiB, and is read as a whole. Record it in parts, or as JSON Lines.',
      );
    parts.push(chunk);
  }
  const whole = membersOf(parse(withoutMark(Buffer.concat(parts).toString())));
  if (!whole) throw new RecordingError(file, 'is not valid JSON, or was cut. Record it again.');
  const log = membersOf(whole.log);
  const list = log?.entries;
  if (!Array.isArray(list)) throw new RecordingError(file, 'has no list log.entries.');
  const creator = String(membersOf(log?.creator)?.name ?? '');
  const context = { creator, readAttachment: attachmentsOf(file) };
  const isBare = !completeRecorders.test(creator) && !list.some(showsCredentials);
  for (const [index, value] of list.entries()) {
    const recording = await readValue(value, context, { isHar: true });
    if ('problem' in recording) yield { ...recording, place: `entry ${index + 1}` };
    else yield isBare ? { ...recording, missing: ['credentials'] } : recording;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, which may hold keys.
    return undefined;
  }
}

async function readText(
  text: string | undefined,
  context: HarContext,
): Promise<RecordedExchange | NoExchange> {
  if (text === undefined)
    return { kind: 'too-long', problem: `is longer than ${maxLine / 1024 / 1024} MiB` };
  const value = parse(text);
  return value === undefined ? toBroken('is not valid JSON') : readValue(value, context);
}

async function readValue(
  value: unknown,
  context: HarContext,
  { isHar = false } = {},
): Promise<RecordedExchange | NoExchange> {
  const entry = Array.isArray(value) ? undefined : membersOf(value);
  if (!entry) return toBroken('is no JSON object');
  try {
    if (isHar || 'startedDateTime' in entry) return await fromHarEntry(entry, context);
    return fromLine(entry);
  } catch (error) {
    if (error instanceof BrokenEntry) return toBroken(error.message);
    throw error;
  }
}

/** Recorders that write down every header as it was sent. */
const completeRecorders = /^(?:petstore-twin|redocly-cli proxy|playwright)/i;

/** Whether an entry of a HAR shows a credential, of whatever kind. */
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

/**
 * Reads regular files beside a recording, and no others, also not through links: a recording is no
 * reason to read any file.
 */
function attachmentsOf(file: string): HarContext['readAttachment'] {
  return async (name) => {
    const path = join(dirname(file), basename(name));
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() && found.size <= maxLine ? readFile(path) : undefined;
  };
}
