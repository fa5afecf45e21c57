import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SecurityScheme } from '../../../contracts/description/security.ts';
import type { CalledPlace } from '../../http/authenticate.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { Finding } from './finding.ts';

/** Digest access authentication (RFC 7616) with `qop=auth`: the user is the name of a key. */
export interface Digest {
  /** A nonce for challenges, which holds in this sandbox by its clock. */
  nonce(place: CalledPlace): string;
  /** Reads what follows the name of the scheme; undefined where that is one text alone. */
  read(sent: string, request: IncomingMessage, place: CalledPlace): Finding | undefined;
}

/** The algorithms of challenges, the preferred one first, with the names that Node has for them. */
export const algorithms: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', MD5: 'md5' };

/** How long a nonce holds, in milliseconds. */
const lifetime = 300_000;

/** Whether a scheme is that of RFC 7616. */
export function isDigest(scheme: SecurityScheme): boolean {
  return scheme.type === 'http' && scheme.scheme === 'digest';
}

/** Makes what plays the exchange for these keys. Like tokens, nonces are signed and not stored. */
export function createDigest(keys: readonly ApiKey[], realm: string): Digest {
  const byName = new Map(keys.map((key) => [key.name, key]));
  const all = JSON.stringify(keys.map(({ name, key }) => [name, key]));
  const secret = Buffer.from(hkdfSync('sha256', all, '', 'petstore-twin nonces', 32));
  const sign = (instant: string, { sandbox, sandboxName }: CalledPlace) => {
    const name = sandboxName ?? sandbox.name;
    return createHmac('sha256', secret).update(`${instant}.${name}`).digest('base64url');
  };
  const isFresh = (nonce: string, place: CalledPlace) => {
    const [instant = '', signature = ''] = nonce.split('.', 2);
    const age = place.sandbox.clock.now() - Number.parseInt(instant, 36);
    return age >= 0 && age < lifetime && isSame(signature, sign(instant, place));
  };
  return {
    nonce(place) {
      const instant = place.sandbox.clock.now().toString(36);
      return `${instant}.${sign(instant, place)}`;
    },
    read(sent, request, place) {
      if (!/^\w+\s*=\s*[^=\s]/.test(sent)) return undefined;
      const fields = readFields(sent);
      if (!fields || fields.get('realm') !== realm) return { problem: 'malformed' };
      const uri = fields.get('uri');
      if (uri === undefined) return { problem: 'malformed' };
      if (uri !== targetOf(request)) return { problem: 'other_target' };
      const user = fields.get('username') ?? '';
      const name = Buffer.from(user, 'latin1').toString('utf8');
      const key = byName.get(name);
      const password = Buffer.from(key?.key ?? '').toString('latin1');
      const expected = toResponse(fields, { user, password, method: request.method ?? '' });
      if (expected === undefined) return { problem: 'malformed' };
      const isRight = isSame((fields.get('response') ?? '').toLowerCase(), expected);
      if (!key || !isRight) return { problem: 'unknown' };
      return isFresh(fields.get('nonce') ?? '', place) ? { key } : { problem: 'expired' };
    },
  };
}

type Caller = { user: string; password: string; method: string };

/** The response that is right (RFC 7616 §3.4.1); undefined where a part is missing or another. */
function toResponse(
  fields: ReadonlyMap<string, string>,
  { user, password, method }: Caller,
): string | undefined {
  const { realm, nonce, uri, qop, nc, cnonce, algorithm = 'MD5' } = Object.fromEntries(fields);
  const name = algorithms[algorithm.toUpperCase()];
  const isWhole = nonce && cnonce && qop === 'auth' && /^[\da-f]{8}$/i.test(nc ?? '');
  if (name === undefined || !isWhole) return undefined;
  const hash = (text: string) => createHash(name).update(text, 'latin1').digest('hex');
  const who = hash(`${user}:${realm}:${password}`);
  return hash(`${who}:${nonce}:${nc}:${cnonce}:auth:${hash(`${method}:${uri}`)}`);
}

const field = /\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)/y;

/** The parameters of credentials (RFC 9110 §11.4), each once; undefined where they are malformed. */
function readFields(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; at = field.lastIndex) {
    field.lastIndex = at;
    const [, name = '', quoted, bare = ''] = field.exec(text) ?? [];
    const key = name.toLowerCase();
    if (key === '' || fields.has(key)) return undefined;
    fields.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare);
  }
  return fields;
}

/** The target as it was sent, with the sandbox. */
function targetOf({ url, originalUrl = url }: IncomingMessage & { originalUrl?: string }) {
  return originalUrl;
}

function isSame(left: string, right: string): boolean {
  const [first, second] = [Buffer.from(left), Buffer.from(right)];
  return first.length === second.length && timingSafeEqual(first, second);
}
