import { singular, toPlainName, wordsOf } from '../../common/words.ts';
import { uuid } from '../../openapi/model/id-form.ts';

/** The place of a value: the name of its member or parameter, and that of the thing around it. */
export type Place = { name: string; owner: string };

/**
 * The form of a value that a service makes up, such as `uuid`, `time 0000-00-00` or `cus_ and 14`;
 * undefined for one that it does not make up: a word, a text, an amount.
 */
export function formOf(value: unknown, { name }: Place): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint')
    return formOfNumber(Number(value), name);
  if (typeof value !== 'string' || value.length > longest) return undefined;
  if (isRedacted(value)) return 'a secret';
  if (uuid.test(value)) return 'a UUID';
  if (mailTime.test(value))
    return `a time like ${value.replaceAll(/\d/g, '0').replaceAll(/\b[A-Z][a-z]{2}\b/g, 'Aaa')}`;
  if (time.test(value)) return `a time like ${value.replaceAll(/\d/g, '0').replace(/\.0+/, '.0')}`;
  if (email.test(value)) return 'an e-mail address';
  if (namesThing(name) && /^\d+$/.test(value)) return 'a number as text';
  const { prefix, rest } = splitToken(value);
  if (namesThing(name) && prefix !== '' && /^\d{1,8}$/.test(rest)) return `${prefix}number`;
  return isMadeUp(rest, prefix)
    ? `${prefix}${'*'.repeat(Math.ceil(rest.length / 4) * 4)}`
    : undefined;
}

/** Whether an id is one that a service draws by chance, and does not count. */
export function isRandom(id: unknown): id is string {
  const form = formOf(id, { name: 'id', owner: '' });
  return typeof id === 'string' && (form === 'a UUID' || form?.endsWith('*') === true);
}

/** Whether a text stands in a recording for a secret. */
export function isRedacted(value: unknown): boolean {
  return typeof value === 'string' && /^redacted-\d+$/.test(value);
}

/** The length from which a text is none that is made up to name something. */
const longest = 1000;

const email = /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/;
const time = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** Matches times of mail and of HTTP (RFC 5322 §3.3, RFC 9110 §5.6.7). */
const mailTime = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|[+-]\d{4})$/;
const token = /^([A-Z]{2,12}-|(?:[a-z]{2,12}[_-])*)([\w+=.~-]+)$/;

/** Splits a text such as `cus_9s6XKzkNRiz8i3` into its kind and the rest; both are empty for other texts. */
export function splitToken(text: string): { prefix: string; rest: string } {
  const [, prefix = '', rest = ''] = token.exec(text) ?? [];
  return { prefix, rest };
}

/** Whether a text is random, as far as it can be seen: digits among letters, or both cases among each other. */
function isMadeUp(text: string, prefix: string): boolean {
  // Versions, and words with short numbers such as those of a host.
  const isOfWords = /^v?\d+(\.\d+)+/.test(text) || /^[a-z]+([.-]([a-z]+|\d{1,3}))+$/.test(text);
  if (text.length < 6 || isOfWords) return false;
  const isNumbered = prefix === '' && /^[A-Za-z]+\d{1,3}$/.test(text);
  const hasDigits = !isNumbered && /\d/.test(text) && (prefix !== '' || /[A-Za-z]/.test(text));
  return hasDigits || (text.length >= 10 && /[a-z].*[A-Z].*[a-z].*[A-Z]/.test(text));
}

/** The seconds and milliseconds of the years from 2001 to 2286, unless they are how much there is. */
function formOfNumber(value: number, name: string): string | undefined {
  const isAmount = wordsOf(name).some((word) => amounts.test(word));
  if (isAmount) return undefined;
  if (Number.isInteger(value) && value >= 1e9 && value < 1e10) return 'a time in seconds';
  if (Number.isInteger(value) && value >= 1e12 && value < 1e13) return 'a time in milliseconds';
  return namesThing(name) && Number.isInteger(value) ? 'a number' : undefined;
}

const amounts =
  /^(size|bytes|count|total|amount|length|quota|limit|used|free|balance|price|width|height)$/;

/** Whether values of a form stand for no other: times, and addresses, of which overlays have one. */
export function isAnyOfForm(form: string | undefined): boolean {
  return isTime(form) || form === 'an e-mail address';
}

/** Whether a form is one of times, which differ in each run. */
export function isTime(form: string | undefined): boolean {
  return form?.startsWith('a time') === true;
}

/** Whether a name is that of what names a thing: `id`, `petId`, `tag_ids`. */
function namesThing(name: string): boolean {
  return ['id', 'ids', 'uuid', 'iid'].includes(wordsOf(name).at(-1) ?? '');
}

/** The noun of what a value names: `pet` for `petId`, for the `id` of a pet, and for `/pets/{id}`. */
export function nounOf({ name, owner }: Place): string {
  const words = wordsOf(name);
  const before = words.slice(0, -1).join(' ');
  return toPlainName(singular(namesThing(name) ? before || owner : name));
}
