import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  isSkipped,
  type Recording,
  readRecordings,
  type SkippedEntry,
} from '../../../contracts/har/read-recordings.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import { makeFolder } from '../../support/make-folder.ts';

/** A file of this content in a folder of its own. */
export function toFile(content: string | Uint8Array, name = 'recording.har'): string {
  const file = join(makeFolder(), name);
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(content) : content);
  return file;
}

type Overrides = {
  request?: object;
  response?: object;
  [field: string]: unknown;
};

/** An entry of a HAR with a list of pets, changed in some fields. */
export function toEntry({ request, response, ...others }: Overrides = {}) {
  return {
    startedDateTime: '2026-11-22T10:00:00.000Z',
    time: 12,
    request: {
      method: 'GET',
      url: 'https://host/v1/pets?limit=2',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'Authorization', value: 'Bearer demo-free' }],
      queryString: [{ name: 'limit', value: '2' }],
      headersSize: -1,
      bodySize: 0,
      ...request,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: 2, mimeType: 'application/json', text: '[]' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...response,
    },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0 },
    ...others,
  };
}

/** The text of a HAR with these entries. */
export function toHar(entries: readonly unknown[], creator = 'WebInspector'): string {
  return JSON.stringify({
    log: { version: '1.2', creator: { name: creator, version: '537.36' }, pages: [], entries },
  });
}

/** Everything in a recording. */
export async function readAll(
  file: string,
): Promise<{ exchanges: RecordedExchange[]; skipped: SkippedEntry[] }> {
  const all: Recording[] = [];
  for await (const one of readRecordings(file)) all.push(one);
  return {
    exchanges: all.filter((one): one is RecordedExchange => !isSkipped(one)),
    skipped: all.filter(isSkipped),
  };
}

/** The only exchange of a HAR with one entry. */
export async function readOne(entry: unknown, creator?: string): Promise<RecordedExchange> {
  const { exchanges } = await readAll(toFile(toHar([entry], creator)));
  if (exchanges.length !== 1) throw new Error(`${exchanges.length} exchanges`);
  return exchanges[0] as RecordedExchange;
}
