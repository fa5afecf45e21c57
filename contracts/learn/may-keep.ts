import { isObject, isSame } from '../../common/json.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import { wordsOf } from '../../common/words.ts';
import type { Schema } from '../../openapi/index.ts';
import type { Observation } from './observe.ts';

/** Words of members that hold what people are called, or where they are found. */
const personalWords =
  /^(email|mail|phone|mobile|tel|fax|street|address|postcode|zip|city|birthday|birth|firstname|lastname|surname|ip|ssn|iban|login|username|nickname|filename|author|signature)$/;

/** Last words of members that hold persons. */
const persons =
  /^(owner|reviewer|assignee|creator|editor|sender|recipient|contact|person|by|user)$/;

/** Names of two words for what a person is called. */
const ofPersons = /(first|given|middle|last|family|maiden|user|nick|real)name$/;

/** Two words as people are called. */
const pairOfNames = /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u;

const personalTexts = [
  /[^\s@:/]@[^\s@:/]+\.[^\s@:/]/,
  /^@/,
  /^\+?\d[\d ()/-]{6,}$/,
  /\b\d{1,3}(\.\d{1,3}){3}\b/,
  /\/\/[\w.-]+/,
];

/** Decides whether a value of a recording may stand in an overlay. */
export type KeepOptions = {
  name: string;
  schema?: Schema | undefined;
  /** Whether values are kept whatever they are. */
  keepValues: boolean;
  /** Texts that name things of the deployment. */
  names: ReadonlySet<string>;
};

/**
 * Whether a constant may be kept: one of the document, an empty one, or one that at least two items
 * have and that is neither a secret nor about a person.
 */
export function mayKeep(
  value: unknown,
  samples: number,
  { name, schema = {}, keepValues, names }: KeepOptions,
): boolean {
  if (hasSecret(value, name)) return false;
  if (keepValues || isEmpty(value) || isStated(value, schema)) return true;
  return samples >= 2 && !isPersonal(value, name) && !hasName(value, names);
}

/** The same of values of one member, in a recording with names of things of the deployment. */
export function createKeep(
  of: readonly Pick<Observation, 'replayed'>[],
  options: Omit<KeepOptions, 'names'>,
): (value: unknown, samples: number) => boolean {
  const names = namesIn(of);
  return (value, samples) => mayKeep(value, samples, { ...options, names });
}

/** The texts that name things of the deployment, in a recording. */
export function namesIn([first]: readonly Pick<Observation, 'replayed'>[]): ReadonlySet<string> {
  return first?.replayed.names ?? new Set();
}

/** Whether a value has a secret, by the names in it, or a number that YAML cannot hold exactly. */
function hasSecret(value: unknown, name: string): boolean {
  if (typeof value === 'bigint') return true;
  if (isSecretName(name)) return !isEmpty(value);
  return isMember(value) && Object.entries(value).some(([key, one]) => hasSecret(one, key));
}

/** Whether a text at any depth has the name of something of the deployment, as a word. */
export function hasName(value: unknown, names: ReadonlySet<string>): boolean {
  if (isMember(value)) return Object.values(value).some((one) => hasName(one, names));
  return typeof value === 'string' && value.split(/[^\w-]+/).some((word) => names.has(word));
}

export function isEmpty(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '' || value === 0) return true;
  // Some services write no time as the first one that they know.
  if (typeof value === 'string' && /^(0001|1970)-01-01T00:00:00/.test(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function isStated(value: unknown, { enum: values, ...schema }: Schema): boolean {
  const stated = [schema.const, schema.default, schema.example, ...[values ?? []].flat()];
  return stated.some((one) => one !== undefined && isSame(one, value));
}

const longestWord = 60;
const longestMessage = 200;

/** Whether a value is of a person, at any depth: by the words of its name, or by its form. */
function isPersonal(value: unknown, name: string): boolean {
  if (isMember(value)) return Object.entries(value).some(([key, one]) => isPersonal(one, key));
  return typeof value === 'string' && isAboutPerson(value, name);
}

/** Whether a member may hold what a person is called, by its name. */
export function isNameOfPerson(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return last === 'name' || persons.test(last) || words.some((word) => personalWords.test(word));
}

/** Whether a member holds what a person is called, whatever it holds; a `name` may be that of anything. */
function isOfPersons(name: string): boolean {
  const words = wordsOf(name);
  return words.at(-1) === 'name' ? ofPersons.test(words.join('')) : isNameOfPerson(name);
}

/** Whether a text may be about a person: by the words of its name, or by its form. */
export function isAboutPerson(text: string, name: string): boolean {
  return (
    isOfPersons(name) ||
    text.length > longestWord ||
    pairOfNames.test(text) ||
    personalTexts.some((one) => one.test(text))
  );
}

function isMember(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The greatest number of an error that is one of its kind whatever its name is. */
const greatestKind = 999;

/**
 * Whether a value of an error is the service's own: a message without values in it, or a number that
 * tells errors apart. A message that was seen once may name a person: `no access for Ada`.
 */
export function isOfService(value: unknown, name: string, samples: number): boolean {
  if (hasSecret(value, name) || (isOfPersons(name) && !isEmpty(value))) return false;
  if (typeof value === 'string') {
    // The page about an error, and its code, are the same for everybody.
    if (samples > 1 && (isPage(value, name) || /^[A-Z][A-Z_-]*\d{2,}$/.test(value))) return true;
    // An apostrophe within a word quotes nothing.
    const isSaying =
      /["'`\d]/.test(value.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '')) ||
      personalTexts.some((one) => one.test(value));
    const mayName =
      (samples < 2 && /(^|\s)[a-z]+ [A-Z][a-z]/.test(value)) ||
      (pairOfNames.test(value) && /(^|\s)\p{Ll}/u.test(value));
    return !isSaying && !mayName && value.length <= longestMessage;
  }
  if (typeof value !== 'number' || value <= greatestKind) return true;
  return wordsOf(name).some((word) => ['code', 'status', 'errno'].includes(word));
}

function isPage(value: string, name: string): boolean {
  const isOfDocs = wordsOf(name).some((word) => /^(docs?|documentation|help|info)$/.test(word));
  return isOfDocs && /^https:\/\/[a-z\d.-]+\.[a-z]+[\w/.#-]*$/.test(value);
}
