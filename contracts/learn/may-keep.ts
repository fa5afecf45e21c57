import { isObject, isSame } from '../../common/json.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import { wordsOf } from '../../common/words.ts';
import type { Schema } from '../../openapi/index.ts';

/** Words of members that hold what people are called, or where they are found. */
const personalWords =
  /^(email|mail|phone|mobile|tel|fax|street|address|postcode|zip|city|birthday|birth|firstname|lastname|surname|ip|ssn|iban|login|username|nickname|author|signature)$/;

const personalTexts = [
  /[^\s@]+@[^\s@]+\.[^\s@]+/,
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
  if (isSecretName(name)) return isEmpty(value);
  if (keepValues || isEmpty(value) || isStated(value, schema)) return true;
  return samples >= 2 && !isPersonal(value, name) && !hasName(value, names);
}

/** Whether a text has the name of something of the deployment, as a word. */
export function hasName(value: unknown, names: ReadonlySet<string>): boolean {
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
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, one]) => isPersonal(one, key));
  if (typeof value !== 'string') return false;
  return (
    value.length > longestWord ||
    wordsOf(name).some((word) => personalWords.test(word)) ||
    personalTexts.some((one) => one.test(value))
  );
}

/** Whether words of a service may be kept: what they name is told by others, or by nobody. */
export function areOfService(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  const isSaying = /["'`\d]/.test(value) || personalTexts.some((one) => one.test(value));
  return !isSaying && value.length <= longestMessage;
}
