import { isUtf8 } from 'node:buffer';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import { headerOf } from './recorded-values.ts';
import { type Redaction, redactForm, redactHeader, redactUrl } from './redact-fields.ts';
import { redactJson } from './redact-json.ts';

/**
 * An exchange with tokens in the place of keys, cookies, and of the fields that are hidden. Bodies
 * must be decoded. All else is as it was.
 */
export function redactExchange(exchange: RecordedExchange, redaction: Redaction): RecordedExchange {
  const { request, response, failure } = exchange;
  // All fields come first, as what is in one of them may be repeated anywhere.
  const url = redactUrl(request.url, redaction);
  const sent = { ...request, ...redactMessage(request, redaction) };
  const received = response && { ...response, ...redactMessage(response, redaction) };
  const texts = [url, failure?.message ?? '', ...textsOf(sent), ...textsOf(received)];
  const replace = redaction.tokens.replacerFor(texts);
  return {
    ...exchange,
    request: { ...sent, ...inTexts(sent, replace), url: replace(url) },
    ...(received && { response: { ...received, ...inTexts(received, replace) } }),
    ...(failure && { failure: { ...failure, message: replace(failure.message) } }),
  };
}

type Message<Body> = { headers: readonly RawHeader[]; body: Body };

function redactMessage<Body extends RecordedBody | undefined>(
  { headers, body }: { headers: readonly RawHeader[]; body?: Body },
  redaction: Redaction,
): Message<Body> {
  const type = headerOf(headers, 'content-type') ?? '';
  const redactBody = (text: string) =>
    /^application\/x-www-form-urlencoded/i.test(type)
      ? redactForm(text, redaction)
      : redactJson(text, redaction);
  return {
    headers: headers.map(([name, value]) => [name, toHeader(name, value, redaction)]),
    body: changeBody(body, redactBody) as Body,
  };
}

/** Headers may hold URLs as well, such as Location and Referer. */
function toHeader(name: string, value: string, redaction: Redaction): string {
  const hidden = redactHeader(name, value, redaction);
  const isUrl = hidden === value && /^(?:[a-z][a-z\d+.-]*:\/\/|\/)\S*$/i.test(value);
  return isUrl ? redactUrl(value, redaction) : hidden;
}

function textsOf(message: Message<RecordedBody | undefined> | undefined): string[] {
  if (!message) return [];
  const { headers, body } = message;
  return [...headers.map(([, value]) => value), ...(body ? [toText(body).text] : [])];
}

function inTexts<Body extends RecordedBody | undefined>(
  { headers, body }: Message<Body>,
  replace: (text: string) => string,
): Message<Body> {
  return {
    headers: headers.map(([name, value]) => [name, replace(value)]),
    body: changeBody(body, replace) as Body,
  };
}

function changeBody(
  body: RecordedBody | undefined,
  change: (text: string) => string,
): RecordedBody | undefined {
  if (!body) return undefined;
  const { text, coding } = toText(body);
  const changed = change(text);
  return changed === text ? body : { ...body, bytes: Buffer.from(changed, coding) };
}

/** The text of a body; bytes that are no UTF-8 are read one by one. */
function toText({ bytes }: RecordedBody): { text: string; coding: BufferEncoding } {
  const coding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const { buffer, byteOffset, length } = bytes;
  return { text: Buffer.from(buffer, byteOffset, length).toString(coding), coding };
}
