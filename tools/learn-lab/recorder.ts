import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHarWriter } from '../../contracts/har/har-writer.ts';

/** Records what passes to a server in a file, until it is closed. */
export type Recorder = { origin: string; close(): Promise<void> };

type RecorderOptions = {
  target: string;
  file: string;
  /** The words that are said in another form, by so many letters and digits. */
  words: readonly string[];
  shift: number;
};

/**
 * Listens, and passes calls on with other words than the client says, so that the same steps make
 * other data in each run. Answers are changed back. The recording has what the server saw.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { target, file, words, shift } = options;
  const writer = await createHarWriter(file);
  const toServer = createReplace(words, shift);
  const unshifted = createReplace(
    words.map((word) => shiftBy(word, shift)),
    -shift,
  );
  // Addresses such as that of the next page lead here, too.
  const toClient = (text: string) => unshifted(text).replaceAll(target, origin);
  const pass = async (call: IncomingMessage, response: ServerResponse) => {
    const sentAt = Date.now();
    const method = call.method ?? 'GET';
    const url = target + toServer(call.url ?? '/');
    const sent = toServer(await readAll(call));
    const headers = toPairs(call, new URL(target).host);
    const onward = request(url, { method, headers: toRaw(headers, sent) });
    onward.end(Buffer.from(sent, 'latin1'));
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const status = answer.statusCode ?? 500;
    const received = await readAll(answer);
    const answered = toPairs(answer);
    const changed = answered.map(([name, value]) => [name, toClient(value)] as const);
    const shown = toClient(received);
    response.writeHead(status, toRaw(changed, method === 'HEAD' ? undefined : shown));
    response.end(Buffer.from(shown, 'latin1'));
    const toBody = (text: string) => ({ bytes: Buffer.from(text, 'latin1') });
    writer.add({
      request: { method, url, headers, body: toBody(sent) },
      response: { status, headers: answered, body: toBody(received) },
      ...{ sentAt, endedAt: Date.now() },
    });
  };
  const server = createServer((call, response) => {
    pass(call, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async close() {
      server.close();
      server.closeAllConnections();
      await writer.close();
    },
  };
}

type Pair = readonly [name: string, value: string];

/** The headers of a message that are of the whole way, in `host`'s name if there is one. */
function toPairs({ rawHeaders }: IncomingMessage, host?: string): Pair[] {
  const pairs: Pair[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  const kept = pairs.filter(
    ([name]) => !/^(connection|keep-alive|transfer-encoding|accept-encoding)$/i.test(name),
  );
  return kept.map(([name, value]) => [name, /^host$/i.test(name) ? (host ?? value) : value]);
}

/** Headers as Node takes them, with the length of a body. */
function toRaw(pairs: readonly Pair[], body: string | undefined): string[] {
  if (body === undefined) return pairs.flat();
  const others = pairs.filter(([name]) => !/^content-length$/i.test(name));
  return [...others, ['Content-Length', String(body.length)]].flat();
}

/** Reads a message, each byte as a character. */
async function readAll(message: IncomingMessage): Promise<string> {
  return Buffer.concat(await message.toArray()).toString('latin1');
}

/** Creates a function that changes words in a text, where they stand alone. */
function createReplace(words: readonly string[], shift: number): (text: string) => string {
  const any = words.toSorted((left, right) => right.length - left.length).join('|');
  if (any === '') return (text) => text;
  const start = '(?:(?<![A-Za-z0-9_])|(?<=%[0-9A-Fa-f]{2}))';
  const pattern = new RegExp(`${start}(?:${any})(?![A-Za-z0-9_])`, 'g');
  return (text) => text.replace(pattern, (word) => shiftBy(word, shift));
}

/** Moves letters and digits on in their alphabets, by one at least for digits, and not to 0. */
function shiftBy(word: string, shift: number): string {
  const turn = (first: string, count: number) => (one: string) => {
    const start = first.charCodeAt(0);
    return String.fromCharCode(((one.charCodeAt(0) - start + shift + count) % count) + start);
  };
  return word
    .replace(/[a-z]/g, turn('a', 26))
    .replace(/[A-Z]/g, turn('A', 26))
    .replace(/[1-9]/g, turn('1', 9));
}
