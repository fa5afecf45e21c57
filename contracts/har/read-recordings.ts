import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { membersOf } from '../../common/json.ts';
import { isSecretName, isSecretParameter } from '../../common/secrets/names.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';
import { fromHarEntry } from './from-har-entry.ts';
import type { HarContext } from './har-bodies.ts';
import { readArchive } from './read-archive.ts';
import { BrokenEntry } from './recorded-values.ts';
import { type NoExchange, RecordingError, type SkippedEntry, toBroken } from './skipped-entry.ts';

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
  if (!entry) return toBroken('is no JSON object');
  try {
    return await fromHarEntry(entry, context);
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
