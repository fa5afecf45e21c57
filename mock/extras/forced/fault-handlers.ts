import { validateHeaderName, validateHeaderValue } from 'node:http';
import { stringifyExact } from '../../../common/json.ts';
import { withoutContent } from '../../../openapi/model/content.ts';
import { type Answer, noContent, toJsonAnswer } from '../../answers/answer.ts';
import { parseDelay } from '../../faults/delay.ts';
import {
  type CountedRule,
  type FaultHeaders,
  type NewFaultRule,
  toFaultBody,
  toFaultText,
} from '../../faults/fault-rules.ts';
import { quote } from '../../json/quote.ts';
import { isName, nameProblem } from '../../sandboxes/name.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { AdminCall, AdminHandlers } from '../admin/admin.ts';
import { refuse, refuseUnknown } from '../admin/refusal.ts';

/** The rules of a sandbox, in the order in which they are asked. */
export type FaultsView = { rules: FaultView[] };

/** A rule with its counts, its body as it was given. */
export type FaultView = Omit<CountedRule, 'body'> & { body?: unknown };

/** The maximum number of rules of a sandbox. */
const maxRules = 100;

/** List, add, replace and delete the faults of a sandbox. */
export function createFaultHandlers(names: FaultNames): AdminHandlers {
  /** Adds a rule, or puts it in place of one. */
  const put = (call: AdminCall, rule: NewFaultRule, before?: CountedRule): Answer => {
    const { faults } = call.sandbox;
    if (!before && faults.list().length >= maxRules)
      refuse(
        'invalid_body',
        `A sandbox has at most ${maxRules} faults. Delete some with DELETE /__admin/faults/ID.`,
      );
    return toJsonAnswer(toView(faults.put(rule)), before ? 200 : 201);
  };
  return {
    listFaults: ({ sandbox }) => toJsonAnswer(viewOf(sandbox)),
    addFault: (call) => {
      const rule = parseRule(call.body, names);
      if (rule.id !== undefined && call.sandbox.faults.get(rule.id))
        refuse(
          'invalid_body',
          `The id "${rule.id}" is taken. PUT /__admin/faults/${rule.id} replaces its rule.`,
        );
      return put(call, rule);
    },
    setFaults: (call) => {
      const { faults } = call.sandbox;
      const parsed: NewFaultRule[] = [];
      const { rules } = call.body as { rules: unknown[] };
      for (const [index, given] of rules.entries()) {
        const rule = parseRule(given, names, `"rules/${index}": `);
        if (rule.id !== undefined && parsed.some(({ id }) => id === rule.id))
          refuse('invalid_body', `The id "${rule.id}" is given twice.`);
        parsed.push(rule);
      }
      faults.replace(parsed);
      return toJsonAnswer(viewOf(call.sandbox));
    },
    deleteFaults: ({ sandbox }) => {
      sandbox.faults.clear();
      return noContent;
    },
    getFault: ({ sandbox, params: { id = '' } }) =>
      toJsonAnswer(toView(sandbox.faults.get(id) ?? notFound(id))),
    putFault: (call) => {
      const { id = '' } = call.params;
      if (!isName(id)) refuse('invalid_parameter', nameProblem('fault', id));
      const rule = parseRule(call.body, names);
      if (rule.id !== undefined && rule.id !== id)
        refuse('invalid_body', `"id" is "${rule.id}", but the path says "${id}".`);
      return put(call, { ...rule, id }, call.sandbox.faults.get(id));
    },
    deleteFault: ({ sandbox, params: { id = '' } }) =>
      sandbox.faults.remove(id) ? noContent : notFound(id),
  };
}

function parseRule(given: unknown, names: FaultNames, where = ''): NewFaultRule {
  const rule = parseFault(given, names);
  return typeof rule === 'string' ? refuse('invalid_body', where + rule) : rule;
}

function viewOf({ faults }: Sandbox): FaultsView {
  return { rules: faults.list().map(toView) };
}

function toView(rule: CountedRule): FaultView {
  return rule.body === undefined ? rule : { ...rule, body: toFaultBody(rule.body) };
}

function notFound(id: string): never {
  return refuseUnknown('fault', id, 'GET /__admin/faults lists those that exist.');
}

/** The names that a rule may use: operations by their ids, keys by their names. */
type FaultNames = { operations: readonly string[]; keys: readonly string[] };

/** A rule as it is given and shown. */
type GivenRule = Omit<NewFaultRule, 'body'> & { body?: unknown };

/** Reads a rule whose fields fit the admin's document, or says what is wrong with them together. */
function parseFault(body: unknown, { operations, keys }: FaultNames): NewFaultRule | string {
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
