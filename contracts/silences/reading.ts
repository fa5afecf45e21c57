import { isObject, membersOf, typeOf } from '../../common/json.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { type Answer, headerValue, isAnswered } from '../transcript/exchange.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';

/** The behaviour of a target in a silence, as its responses show it. */
export type Reading = {
  /** In the form of a pin; undefined where it cannot be pinned. */
  answer?: unknown;
  /** The exchanges that show it. */
  shown: readonly Answer[];
  /** Why it is not pinned, or not in every part: its answers vary, or the twin cannot do the same. */
  reason?: string | undefined;
};

/** The input of a reader. */
export type Source = {
  transcript: Transcript;
  document: Api;
  resource: Resource;
  /** Whether values of items may be repeated, and not their shape alone. */
  withExamples: boolean;
};

/** Reads what a target does in one silence; undefined, or by no exchange, where nothing shows it. */
export type Reader = (source: Source) => Reading | undefined;

/** How an answer looks, as pins have it. */
export type Form = {
  status: number;
  code?: string;
  members?: Record<string, unknown>;
  json?: unknown;
  text?: string;
  mediaType?: string;
};

const maxText = 2000;

/**
 * How an answer looks. Those with an Error hold its code and further members; its message may be of
 * this one request.
 */
export function toForm({ response, ...exchange }: Answer): Form {
  const { status, json, text, size } = response;
  const type = headerValue({ response, ...exchange } as Answer, 'Content-Type');
  const mediaType = type === undefined ? {} : { mediaType: type };
  if (size === 0) return { status, text: '', ...mediaType };
  // The twin sends JSON as JSON alone.
  const isJson = json !== undefined && /[/+]json\s*(;|$)/i.test(type ?? '/json');
  if (!isJson) return { status, text: text.slice(0, maxText), ...mediaType };
  const { code, message, status: own, ...members } = membersOf(json) ?? {};
  const isError = typeof code === 'string' && typeof message === 'string' && own === status;
  const isPlain = /^application\/json\s*(;|$)/i.test(type ?? '');
  if (!isError) return { status, json, ...(!isPlain && mediaType) };
  const more = Object.keys(members).length > 0;
  return { status, code, ...(more && { members }), ...(!isPlain && mediaType) };
}

/** One form for several answers, without a code that differs; undefined where they differ in more. */
export function toCommonForm(answers: readonly Answer[]): Form | undefined {
  const [first, ...others] = answers.map(toForm);
  if (first === undefined) return undefined;
  const form = { ...first };
  for (const other of others) {
    if (shortForm(other) !== shortForm(first)) return undefined;
    if (other.code !== first.code) delete form.code;
  }
  return form;
}

/** A status alone where the answer is an Error without a word of its own. */
export function toShortest(form: Form): Form | number {
  return Object.keys(form).length === 1 ? form.status : form;
}

/** A form for answers whose status is known. */
export function withoutStatus({ status: _, ...form }: Form): Omit<Form, 'status'> {
  return form;
}

/** The status of an answer and what it holds, in a few words. */
export function shortForm({ status, json, text, members }: Form): string {
  if (text === '') return `${status}, no body`;
  if (text !== undefined) return `${status}, text`;
  if (json !== undefined) return `${status}, ${shapeOf(json)}`;
  const more = members ? ` with ${Object.keys(members).toSorted().join(', ')}` : '';
  return `${status}, Error${more}`;
}

/** The form of JSON: its types and the names of its members. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'array' : `array of ${shapeOf(value[0])}`;
  if (!isObject(value)) return typeOf(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${typeOf(member)}`);
  return `{${members.toSorted().join(', ')}}`;
}

/** JSON of the same shape whose values say nothing. */
export function withoutValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(withoutValues);
  if (typeof value === 'string') return '';
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutValues(member)]),
  );
}

/** The probes of a silence, by their name. */
export function probesOf({ transcript }: Source, silence: string): Map<string, Answer[]> {
  const probes = answeredFor(transcript, 'silence').filter(
    ({ case: { purpose } }) => purpose.silence === silence,
  );
  return Map.groupBy(probes, ({ case: { purpose } }) => purpose.probe);
}

/** All answers but refusals of the limiter. */
export function allAnswers({ transcript }: Source): Answer[] {
  return transcript.exchanges.filter(isAnswered).filter(({ response }) => response.status !== 429);
}

/** The reading of answers that differ. */
export function varied(shown: readonly Answer[], what = 'its answers vary'): Reading {
  const forms = [...new Set(shown.map((one) => shortForm(toForm(one))))].slice(0, 4);
  return { shown, reason: `${what} (${forms.join('; ')})` };
}

/** A refusal of one form. */
export function toRefusal(shown: readonly Answer[]): Reading {
  const form = toCommonForm(shown);
  return form && form.status >= 400 ? { answer: toShortest(form), shown } : varied(shown);
}

/** A reading of parts, each by the answers that show it; `toPart` gives what is pinned of a form. */
export function readParts(
  parts: Readonly<Record<string, readonly Answer[]>>,
  toPart: (form: Form) => unknown = toShortest,
): Reading {
  const answers: Record<string, unknown> = {};
  const reasons: string[] = [];
  const seen = Object.entries(parts).filter(([, { length }]) => length > 0);
  for (const [name, shown] of seen) {
    const form = toCommonForm(shown);
    if (form) answers[name] = toPart(form);
    else reasons.push(`${name}: ${varied(shown).reason}`);
  }
  return {
    ...(Object.keys(answers).length > 0 && { answer: answers }),
    shown: seen.flatMap(([, shown]) => shown),
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
}

/** A reading of parts: one answer for all of them where they are the same. */
export function readingOf(
  answers: Readonly<Record<string, unknown>>,
  { shown, reasons }: Pick<Reading, 'shown'> & { reasons: readonly string[] },
): Reading {
  const all = Object.values(answers);
  const isOne = new Set(all.map((answer) => JSON.stringify(answer))).size === 1;
  return {
    ...(all.length > 0 && { answer: isOne && reasons.length === 0 ? all[0] : answers }),
    shown,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
}

/** Whether a create was accepted. */
export function isStored({ response: { status } }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Whether a create was refused, and not by a failure of the server. */
export function isRefused({ response: { status } }: Answer): boolean {
  return status >= 400 && status < 500;
}

/** All creates of the resource whose body is valid, whatever they ask, as they came back. */
export function validCreates({ transcript, resource }: Source): Answer[] {
  return answeredFor(transcript, 'create', 'silence').filter(
    ({ case: one }) => one.operation === resource.operations.create && one.credential === 'valid',
  );
}
