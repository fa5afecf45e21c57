import type { TextAnswer } from './answer.ts';

/**
 * What keeps a browser from running content of a document or a fault as a page of the twin, which
 * may call the admin: a sandboxed page has an origin of its own, and no scripts.
 */
const isolation: Readonly<Record<string, string>> = {
  'Content-Security-Policy': 'sandbox',
  'X-Content-Type-Options': 'nosniff',
};

/** The answer with headers that isolate its content, unless that is JSON. */
export function isolated(answer: TextAnswer): TextAnswer {
  if (isJsonType(answer.mediaType)) return answer;
  return { ...answer, headers: { ...answer.headers, ...isolation } };
}

/** The headers that isolate content of a media type; none for JSON, which browsers never run. */
export function isolationOf(mediaType: string): Readonly<Record<string, string>> {
  return isJsonType(mediaType) ? {} : isolation;
}

/**
 * Whether content of a media type is JSON, also by its suffix (RFC 6839 §3.1). A value with a comma
 * may name two, of which browsers take the last.
 */
export function isJsonType(mediaType: string): boolean {
  return /^[^\s;,/]+\/([^\s;,/]+\+)?json\s*(;[^,]*)?$/i.test(mediaType);
}
