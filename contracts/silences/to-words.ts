import type { Fields } from '../../common/json.ts';
import { type Form, shortForm } from './reading.ts';

/** An answer in words, the same for answers that mean the same. */
export function toWords(silence: string, answer: unknown): string {
  const own = typeof answer === 'object' ? ownWords[silence] : undefined;
  return own ? own(answer as Fields) : inWords(answer);
}

/** How the answers to some silences read; figures that differ from run to run are left out. */
const ownWords: Readonly<Record<string, (answer: Fields) => string>> = {
  'default-status': (answer) =>
    Object.entries(answer)
      .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      .join(', '),
  'unusual-name': ({ tooLong }) => inWords({ tooLong }),
  'deprecation-headers': (answer) => Object.keys(answer).join(', '),
  'error-codes': (answer) =>
    Object.entries(answer)
      .map(([code, form]) => `${code}: ${bodyWords(form as Body)}`)
      .join('; '),
  'rate-limit-body': (answer) => bodyWords(answer as Body),
  'unauthenticated-quota': ({ limit, remaining }) => `limit ${limit}, ${remaining} left`,
  'further-members': (answer) => Object.keys(answer).toSorted().join(', '),
  'further-headers': (answer) => headerWords(answer as Record<string, Fields>),
  'body-size': ({ max, answer }) => `more than ${max} bytes: ${inWords(answer)}`,
};

/** Names of answers that need more words. */
const ownNames: Readonly<Record<string, string>> = {
  'least-remaining': 'the headers show the window that has fewer calls left',
  day: 'the headers show the day',
  minute: 'the headers show the minute',
};

type Body = Omit<Form, 'status'>;

function bodyWords(form: Body): string {
  const { code, members } = form;
  if (form.text !== undefined || form.json !== undefined)
    return shortForm({ ...form, status: 0 }).replace('0, ', '');
  const more = members ? ` with ${Object.keys(members).toSorted().join(', ')}` : '';
  return `${code ?? 'Error'}${more}`;
}

function headerWords(answer: Record<string, Fields>): string {
  const names = Object.values(answer).flatMap((headers) =>
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [name])),
  );
  const unique = [...new Set(names.map((name) => name.toLowerCase()))].toSorted();
  return unique.length === 0 ? 'none' : unique.join(', ');
}

/** Two answers without the parts that only one of them has; undefined where they share none. */
export function commonParts(left: unknown, right: unknown): [unknown, unknown] | undefined {
  const isPlain = (answer: unknown): answer is Fields =>
    typeof answer === 'object' &&
    answer !== null &&
    !Array.isArray(answer) &&
    !Object.hasOwn(answer, 'status');
  if (!isPlain(left) || !isPlain(right)) return [left, right];
  const only = (answer: Fields, other: Fields) =>
    Object.fromEntries(Object.entries(answer).filter(([name]) => Object.hasOwn(other, name)));
  const [first, second] = [only(left, right), only(right, left)];
  return Object.keys(first).length === 0 ? undefined : [first, second];
}

function inWords(answer: unknown): string {
  if (typeof answer === 'string') return ownNames[answer] ?? answer.replaceAll('-', ' ');
  if (typeof answer === 'number') return `${answer}, Error`;
  if (typeof answer !== 'object' || answer === null) return String(answer);
  if ('status' in answer) return shortForm(answer as Form);
  return partsInWords(answer);
}

/** Each part by its name; one for all of them where they are the same. */
function partsInWords(answer: object): string {
  const words = new Set(Object.values(answer).map(inWords));
  if (words.size === 1 && Object.keys(answer).length > 2) return [...words].join('');
  return Object.entries(answer)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, part]) => `${spaced(name)}: ${inWords(part)}`)
    .join('; ');
}

function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The parts of the silences of which one answer may stand for all. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  'limit-out-of-range': ['zero', 'below', 'above', 'text'],
  'pet-id-form': ['text', 'beyond'],
};

/** An answer by parts that can be compared one by one. */
export function toComparable(silence: string, answer: unknown): unknown {
  const isEach = typeof answer === 'object' && answer !== null && !Object.hasOwn(answer, 'status');
  const names = isEach ? undefined : partsOf[silence];
  if (!names) return answer;
  // Without a number, nothing can be clamped.
  const toPart = (name: string) => (answer === 'clamped' && name === 'text' ? 'ignored' : answer);
  return Object.fromEntries(names.map((name) => [name, toPart(name)]));
}
