import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { type Answer, contentOf, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { type ByteText, noBytes } from '../json/exact-json.ts';
import { endAfterBody } from './body-bytes.ts';

/**
 * How many bytes of large answers may wait for clients that do not read them: an eighth of the
 * heap.
 */
export const maxUnread = getHeapStatistics().heap_size_limit / 8;

/** The answer instead of one that there is no room for. */
export const tooManyUnread = toErrorAnswer(
  'unread_answers',
  `Responses that clients have not read yet may take ${Math.floor(maxUnread / 1e6)} MB together, and there is no room left for this one. Read them, close their connections, or request less.`,
  { 'Retry-After': '1' },
);

/** What was sent: status, a flat list of names and values of headers, and the content. */
export type Sent = { status: number; fields: readonly string[]; content: ByteText };

/**
 * Sends an answer with further headers (a flat list of names and values), and returns what was
 * sent: nothing if the request was answered already or its connection is closed.
 */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer | TextAnswer,
  fields: readonly string[],
): Sent | undefined {
  if (response.headersSent || response.destroyed) return undefined;
  const { status } = answer;
  const content = contentOf(answer);
  if (!reserveUnread(response, content.length)) return sendAnswer(response, tooManyUnread, fields);
  let all = [
    ...contentFields(status, content, 'text' in answer ? answer.mediaType : 'application/json'),
    ...fields,
  ];
  const headers = 'headers' in answer ? answer.headers : undefined;
  if (headers) for (const name in headers) all.push(name, headers[name] as string);
  if ('overrides' in answer && answer.overrides) all = override(all, answer.overrides);
  limitStall(response, content.length);
  response.writeHead(status, all);
  endAfterBody(response, content);
  return { status, fields: all, content };
}

function override(
  fields: readonly string[],
  overrides: NonNullable<Answer['overrides']>,
): string[] {
  const names = new Set(Object.keys(overrides).map((name) => name.toLowerCase()));
  const others = fields.filter(
    (_, at) => !names.has((fields[at - (at % 2)] as string).toLowerCase()),
  );
  for (const [name, values] of Object.entries(overrides))
    for (const value of [values].flat()) others.push(name, value);
  return others;
}

function contentFields(status: number, content: ByteText, mediaType: string): string[] {
  if (content !== '') return ['Content-Type', mediaType, 'Content-Length', String(content.length)];
  return status === 204 || status === 304 ? [] : ['Content-Length', '0'];
}

/** Answers without content, and returns what was sent. */
export function sendNoContent(response: ServerResponse, fields: readonly string[]): Sent {
  response.writeHead(204, [...fields]);
  response.end();
  return { status: 204, fields, content: noBytes };
}

/** An answer as the bytes of HTTP/1.1, for a connection whose request could not be parsed. */
export function toRawResponse(
  { status, json, headers = {}, overrides = {} }: Answer,
  reason: string,
  fields: readonly string[],
): ByteText {
  const lines = [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
  ];
  const mediaType = overrides['Content-Type'] ?? 'application/json';
  lines.push(`Content-Type: ${mediaType}`, `Content-Length: ${json.length}`);
  for (let at = 0; at < fields.length; at += 2) lines.push(`${fields[at]}: ${fields[at + 1]}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${json}` as ByteText;
}

/** The size from which an answer is counted; connections buffer less than that anyway. */
const countedFrom = 64 * 1024;

/** How long a client may pause while reading a large answer, in milliseconds. */
export const maxStall = 30_000;

/**
 * The size of each large answer that is not sent yet. The memory is that of the process, so all
 * twins in it are counted together.
 */
const unread = new Map<ServerResponse, number>();

/**
 * Counts a large answer until it is sent or its connection is gone; one that was counted before is
 * counted with the larger number. Gives false, and counts nothing more, where others that wait for
 * their clients leave no room for it.
 */
export function reserveUnread(response: ServerResponse, bytes: number): boolean {
  if (bytes < countedFrom) return true;
  const before = unread.get(response) ?? 0;
  const others = unread.values().reduce((sum, size) => sum + size, 0) - before;
  if (bytes > before && others > 0 && others + bytes > maxUnread) return false;
  reserveWritten(response, bytes);
  return true;
}

/**
 * Counts a large answer to a request that has changed something: it is sent even where there is no
 * room for it.
 */
export function reserveWritten(response: ServerResponse, bytes: number): void {
  // A connection that is gone is not closed again, so nothing would take the answer off the count.
  if (bytes < countedFrom || response.destroyed) return;
  const before = unread.get(response);
  if (before === undefined) response.once('close', () => unread.delete(response));
  unread.set(response, Math.max(bytes, before ?? 0));
}

/**
 * Closes the connection of a large answer once its client has read nothing of it for {@link
 * maxStall}.
 */
export function limitStall(response: ServerResponse, bytes: number): void {
  if (bytes < countedFrom) return;
  response.setTimeout(maxStall, () => response.destroy());
  // Before Node's own listener, which sets the time that the connection may be idle; the next
  // answer may be a delayed one.
  response.prependOnceListener('finish', () => response.setTimeout(0));
}
