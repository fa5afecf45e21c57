import { validateHeaderName, validateHeaderValue } from 'node:http';
import { stringifyExact } from '../../../common/json.ts';
import { withoutContent } from '../../../openapi/model/content.ts';
import { parseDelay } from '../../faults/delay.ts';
import { type FaultHeaders, type NewFaultRule, toFaultText } from '../../faults/fault-rules.ts';
import { quote } from '../../json/quote.ts';

/** The names that a rule may use: operations by their ids, keys by their names. */
export type FaultNames = { operations: readonly string[]; keys: readonly string[] };

/** A rule as it is given and shown. */
type GivenRule = Omit<NewFaultRule, 'body'> & { body?: unknown };

/** Reads a rule whose fields fit the admin's document, or says what is wrong with them together. */
export function parseFault(body: unknown, { operations, keys }: FaultNames): NewFaultRule | string {
  const rule = body as GivenRule;
  const { operation, key, every, probability, status, headers, body: content, fault, delay } = rule;
  if (operation !== undefined && !operations.includes(operation))
    return `There is no operation ${quote(operation)}. Operations are ${operations.join(', ')}.`;
  if (key !== undefined && !keys.includes(key))
    return `There is no key ${quote(key)}. Keys are ${keys.join(', ')}.`;
  if (every !== undefined && probability !== undefined)
    return 'A rule has "every" or "probability", not both.';
  if (status !== undefined && fault !== undefined)
    return 'A rule has "status" or "fault", not both.';
  if (status === undefined && fault === undefined && delay === undefined)
    return 'A rule needs "status", "fault" or "delay", or it would do nothing.';
  const problem = delay && parseDelay(delay);
  if (typeof problem === 'string') return `"delay": ${problem}`;
  if (status === undefined && (headers ?? content) !== undefined)
    return `A rule with "${headers === undefined ? 'body' : 'headers'}" needs the "status" of the answer.`;
  const wrong = (headers && problemOfHeaders(headers)) ?? problemOfContent(rule);
  if (wrong !== undefined) return wrong;
  const { body: _, ...others } = rule;
  return content === undefined ? others : { ...rule, body: toFaultText(content) };
}

/** Headers that decide where a response ends; Node sets them. */
const ownHeaders = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding'];

/**
 * How many characters the headers of a rule may have, names and values together: clients take 8 to
 * 16 KiB in all.
 */
const maxHeaderCharacters = 4096;

/** How many bytes the content of a rule may have. */
const maxContentBytes = 65_536;

function problemOfHeaders(headers: FaultHeaders): string | undefined {
  const seen = new Set<string>();
  let characters = 0;
  for (const [name, values] of Object.entries(headers)) {
    const field = name.toLowerCase();
    if (isRefused(() => validateHeaderName(name)))
      return `"headers": ${quote(name)} is not a header name. Use only letters, digits and !#$%&'*+-.^_\`|~.`;
    if (ownHeaders.includes(field))
      return `"headers" may not have "${name}", as the mock sets it itself.`;
    if (seen.has(field)) return `"headers" has "${name}" twice. Give one with a list of values.`;
    seen.add(field);
    for (const value of [values].flat()) {
      characters += name.length + value.length;
      if (isRefused(() => validateHeaderValue(name, value)))
        return `"headers/${name}" must contain only visible characters up to U+00FF, spaces and tabs.`;
    }
  }
  return characters > maxHeaderCharacters
    ? `"headers" may have at most ${maxHeaderCharacters} characters in all, but has ${characters}.`
    : undefined;
}

function problemOfContent(rule: GivenRule): string | undefined {
  if (rule.body === undefined) return undefined;
  if (withoutContent.includes(rule.status) && rule.body !== '')
    return `A ${rule.status} has no content, so leave "body" out.`;
  if (rule.status === 206 && rule.body === '')
    return 'A 206 has content, so "body" may not be empty.';
  const length = Buffer.byteLength(
    typeof rule.body === 'string' ? rule.body : stringifyExact(rule.body),
  );
  return length > maxContentBytes
    ? `"body" may have at most ${maxContentBytes} bytes, but has ${length}.`
    : undefined;
}

function isRefused(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch {
    return true;
  }
}
