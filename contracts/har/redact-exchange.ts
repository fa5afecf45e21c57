import { isUtf8 } from 'node:buffer';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import { headerOf } from './recorded-values.ts';
import { type Redaction, redactForm, redactHeader, redactUrl } from './redact-fields.ts';
import { redactJson } from './redact-json.ts';
import type { Tokens } from './tokens.ts';

/**
 * An exchange with tokens in the place of keys, cookies, and of the fields that are hidden. Bodies
 * must be decoded. All else is as it was.
 */
export function redactExchange(exchange: RecordedExchange, redaction: Redaction): RecordedExchange {
  const { request, response, failure } = exchange;
  const { tokens } = redaction;
  // All fields come first, as what is in one of them may be repeated anywhere.
  const url = redactUrl(request.url, redaction);
  const sent = { ...request, ...redactMessage(request, redaction) };
  const received = response && { ...response, ...redactMessage(response, redaction) };
  return {
    ...exchange,
    request: { ...sent, ...inTexts(sent, tokens), url: tokens.text(url) },
    ...(received && { response: { ...received, ...inTexts(received, tokens) } }),
    ...(failure && { failure: { ...failure, message: tokens.text(failure.message) } }),
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

function inTexts<Body extends RecordedBody | undefined>(
  { headers, body }: Message<Body>,
  tokens: Tokens,
): Message<Body> {
  return {
    headers: headers.map(([name, value]) => [name, tokens.text(value)]),
    body: changeBody(body, (text) => tokens.text(text)) as Body,
  };
}

/** A body whose text is changed; bytes that are no UTF-8 are read one by one. */
function changeBody(
  body: RecordedBody | undefined,
  change: (text: string) => string,
): RecordedBody | undefined {
  if (!body) return undefined;
  const coding = isUtf8(body.bytes) ? 'utf8' : 'latin1';
  const text = Buffer.from(body.bytes).toString(coding);
  const changed = change(text);
  return changed === text ? body : { ...body, bytes: Buffer.from(changed, coding) };
}
