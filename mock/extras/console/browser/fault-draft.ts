import { stringifyExact } from '../../../../contracts/json-text.ts';
import type { FaultName } from '../../../faults/fault-rules.ts';
import type { Delay } from '../../../faults/latency.ts';
import type { FaultView } from '../../forced/fault-handlers.ts';
import { toNumberOrText } from './words.ts';

/** A delay as it is being filled in: its type, or none, and the texts of its fields. */
export type DelayDraft = { type: '' | Delay['type']; fields: Readonly<Record<string, string>> };

export const noDelay: DelayDraft = { type: '', fields: {} };

/** The fields of each type of delay, with their labels. */
export const delayFields: Readonly<
  Record<DelayDraft['type'], readonly [name: string, label: string][]>
> = {
  '': [],
  fixed: [['milliseconds', 'Milliseconds']],
  uniform: [
    ['lower', 'From, in ms'],
    ['upper', 'To, in ms'],
  ],
  lognormal: [
    ['median', 'Median, in ms'],
    ['sigma', 'Sigma'],
  ],
};

/** The delay as the admin takes it; undefined for none. A field that is empty is left out. */
export function toDelay({ type, fields }: DelayDraft): object | undefined {
  if (type === '') return undefined;
  const given = delayFields[type].flatMap(([name]) => {
    const text = fields[name]?.trim() ?? '';
    return text === '' ? [] : [[name, toNumberOrText(text)]];
  });
  return { type, ...Object.fromEntries(given) };
}

/** A delay as it can be filled in. */
export function toDelayDraft(delay: Delay | null | undefined): DelayDraft {
  if (!delay) return noDelay;
  const { type, ...fields } = delay;
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return { type, fields: Object.fromEntries(texts) };
}

/** A fault as it is being filled in; what is empty is left out. */
export type FaultDraft = {
  id: string;
  operation: string;
  key: string;
  effect: 'status' | 'fault' | 'delay';
  status: string;
  /** A header a line, as `Name: value`. */
  headers: string;
  content: 'own' | 'text' | 'json';
  body: string;
  fault: FaultName;
  delay: DelayDraft;
  when: 'always' | 'every' | 'probability';
  every: string;
  probability: string;
  seed: string;
  times: string;
};

/** The fields of a draft that a problem can be shown at. */
export type FaultField = Exclude<keyof FaultDraft, 'effect' | 'content' | 'when'>;

export const newFault: FaultDraft = {
  id: '',
  operation: '',
  key: '',
  effect: 'status',
  status: '503',
  headers: '',
  content: 'own',
  body: '',
  fault: 'CONNECTION_RESET_BY_PEER',
  delay: noDelay,
  when: 'always',
  every: '2',
  probability: '0.1',
  seed: '',
  times: '',
};

/** The draft with another kind of body; JSON starts as an Error object of the status. */
export function withContent(draft: FaultDraft, content: FaultDraft['content']): FaultDraft {
  if (content !== 'json' || draft.body !== '') return { ...draft, content };
  const error = { code: 'my_code', message: 'My message.', status: toNumberOrText(draft.status) };
  return { ...draft, content, body: stringifyExact(error, 2) };
}

/** A problem that keeps a draft from being sent at all. */
export type DraftProblem = { field: FaultField; message: string };

/** The draft as the JSON that the admin takes, the numbers of its body to the digit. */
export function toFaultJson(draft: FaultDraft): string | DraftProblem {
  const { effect, when, content, body } = draft;
  const isAnswer = effect === 'status';
  const headers = isAnswer ? parseHeaders(draft.headers) : {};
  if (typeof headers === 'string') return { field: 'headers', message: headers };
  const isJson = isAnswer && content === 'json';
  if (isJson) {
    const message = problemOfJson(body);
    if (message !== undefined) return { field: 'body', message };
  }
  const text = (name: 'id' | 'operation' | 'key') =>
    draft[name] === '' ? {} : { [name]: draft[name] };
  const number = (name: 'status' | 'every' | 'probability' | 'seed' | 'times') =>
    draft[name].trim() === '' ? {} : { [name]: toNumberOrText(draft[name]) };
  const delay = toDelay(draft.delay);
  const rule = stringifyExact({
    ...text('id'),
    ...text('operation'),
    ...text('key'),
    ...(when !== 'always' && number(when)),
    ...number('seed'),
    ...number('times'),
    ...(isAnswer && number('status')),
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    body: isAnswer && content === 'text' ? body : undefined,
    fault: effect === 'fault' ? draft.fault : undefined,
    delay,
  });
  if (!isJson) return rule;
  return rule === '{}' ? `{"body":${body.trim()}}` : `${rule.slice(0, -1)},"body":${body.trim()}}`;
}

/** A rule as it can be filled in. */
export function toFaultDraft(rule: FaultView): FaultDraft {
  const { operation, key, every, probability, seed, times, status, headers, body, fault, delay } =
    rule;
  const text = (value: number | undefined, otherwise = '') =>
    value === undefined ? otherwise : String(value);
  return {
    id: rule.id,
    operation: operation ?? '',
    key: key ?? '',
    effect: fault !== undefined ? 'fault' : status !== undefined ? 'status' : 'delay',
    status: text(status, newFault.status),
    headers: Object.entries(headers ?? {})
      .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
      .join('\n'),
    content: body === undefined ? 'own' : typeof body === 'string' ? 'text' : 'json',
    body: body === undefined ? '' : typeof body === 'string' ? body : stringifyExact(body, 2),
    fault: fault ?? newFault.fault,
    delay: toDelayDraft(delay),
    when: every !== undefined ? 'every' : probability !== undefined ? 'probability' : 'always',
    every: text(every, newFault.every),
    probability: text(probability, newFault.probability),
    seed: text(seed),
    times: text(times),
  };
}

/** The field of which a message of the twin speaks first. */
export function fieldOf(message: string): FaultField | undefined {
  if (message.startsWith('The id ')) return 'id';
  const [, named] = /"([a-z]+)(?:\/[^"]*)?"/.exec(message) ?? [];
  if (named === 'upper' || named === 'lower') return 'delay';
  return fields.find((field) => field === named);
}

const fields: readonly FaultField[] = [
  'id',
  'operation',
  'key',
  'status',
  'headers',
  'body',
  'fault',
  'delay',
  'every',
  'probability',
  'seed',
  'times',
];

/** The headers that lines give, or what is wrong with them. */
function parseHeaders(text: string): Record<string, string | string[]> | string {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon === -1) return `Line ${index + 1} has no colon. Write it as "Name: value".`;
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    const same = headers.get(name.toLowerCase());
    if (same) same.values.push(value);
    else headers.set(name.toLowerCase(), { name, values: [value] });
  }
  return Object.fromEntries(
    headers
      .values()
      .map(({ name, values }) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
