import type { ClientRequest, RequestOptions } from 'node:http';
import { loadHttps, nodeHttp } from '../node-http.ts';
import { splitList } from '../text-of.ts';

/** Headers as Node gives and takes them: names and values in turn, duplicates included. */
export type RawHeaders = readonly string[];

/** Fields of one connection alone, whether `Connection` names them or not (RFC 9110 §7.6.1). */
const hopByHop = new Set(['proxy-connection', 'te', 'trailer', 'upgrade']);

/** Fields that `Connection` cannot name: without them, a message would become another one. */
const neverNamed = new Set(['host', 'content-length', 'transfer-encoding', 'keep-alive']);

/**
 * Returns headers without those of one connection. `Connection: close` and `keep-alive` stay, for a
 * proxy whose connections on both sides end together.
 */
export function withoutHops(raw: RawHeaders): [name: string, value: string][] {
  const named = new Set(
    valuesOf(raw, 'connection').flatMap((value) => splitList(value.toLowerCase())),
  );
  return toPairs(raw).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (lower === 'connection') {
      const kept = splitList(value).filter((option) => /^(?:close|keep-alive)$/i.test(option));
      return kept.length === 0 ? [] : [[name, kept.join(', ')]];
    }
    const isOfHop = hopByHop.has(lower) || (named.has(lower) && !neverNamed.has(lower));
    return isOfHop ? [] : [[name, value]];
  });
}

/** The values of a header, by its name in lower case. */
export function valuesOf(raw: RawHeaders, name: string): string[] {
  return toPairs(raw).flatMap(([sent, value]) => (sent.toLowerCase() === name ? [value] : []));
}

/** Headers as pairs of name and value. */
export function toPairs(raw: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string]);
  return pairs;
}

/** Opens a request to an origin. As an option, no parser of URLs changes its path. */
export function openRequest(
  { protocol, hostname, port }: URL,
  options: RequestOptions & { path: string },
): ClientRequest {
  const { request } = protocol === 'https:' ? loadHttps() : nodeHttp;
  return request({ hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, ...options });
}

/** Keeps the beginning of a body that passes, and the length of the whole, in bytes. */
export class Beginning {
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get isCut(): boolean {
    return this.length > this.#max;
  }

  add(chunk: Buffer): void {
    const room = this.#max - this.length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.length += chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
