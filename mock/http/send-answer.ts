import type { ServerResponse } from 'node:http';
import { type Answer, contentOf, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { type ByteText, noBytes } from '../json/byte-text.ts';
import { endAfterBody } from './body-bytes.ts';
import { limitStall, maxUnread, reserveUnread } from './unread-answers.ts';

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
