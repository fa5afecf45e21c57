import type { ServerResponse } from 'node:http';
import { type ErrorCode, toErrorBody } from '../errors.ts';
import { endAfterBody } from './body-bytes.ts';

/** What a request is answered with: status, JSON text (empty where there is no content), further headers. */
export type Answer = { status: number; json: string; headers?: Readonly<Record<string, string>> };

/** The answer for an error of the table. */
export function toErrorAnswer(code: ErrorCode, message: string, headers?: Record<string, string>): Answer {
  const body = toErrorBody(code, message);
  return { status: body.status, json: JSON.stringify(body), ...(headers && { headers }) };
}

/** The answer that holds a value as JSON. */
export function toJsonAnswer(value: unknown, status = 200): Answer {
  return { status, json: JSON.stringify(value) };
}

/** Sends an answer with further headers (a flat list of names and values), unless the request was answered already. */
export function sendAnswer(response: ServerResponse, { status, json, headers }: Answer, fields: readonly string[]): void {
  if (response.headersSent || response.destroyed) return;
  const all = [...contentFields(status, json), ...fields];
  if (headers) for (const name in headers) all.push(name, headers[name] as string);
  response.writeHead(status, all);
  endAfterBody(response, json);
}

function contentFields(status: number, json: string): string[] {
  if (json !== '') return ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(json))];
  return status === 204 || status === 304 ? [] : ['Content-Length', '0'];
}

/** Answers without content. */
export function sendNoContent(response: ServerResponse, fields: readonly string[]): void {
  response.writeHead(204, [...fields]);
  response.end();
}

/** An answer as the bytes of HTTP/1.1, for a connection whose request could not be parsed. */
export function toRawResponse({ status, json, headers = {} }: Answer, reason: string, fields: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status} ${reason}`, 'Connection: close', `Date: ${new Date().toUTCString()}`];
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`);
  for (let at = 0; at < fields.length; at += 2) lines.push(`${fields[at]}: ${fields[at + 1]}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}
