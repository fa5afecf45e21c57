import { isObject, isText } from '../../common/json.ts';
import { each, namesOf } from '../../common/words.ts';
import type { RawDocument } from '../schema.ts';

/** Tells that a keyword of a schema has no fault for sure, and means the same in each version. */
type IsPlain = (value: unknown, schema: RawDocument) => boolean;

const isFlag = (value: unknown) => typeof value === 'boolean';
const types = new Set<unknown>(namesOf('string number integer boolean object array'));

const keywords = new Map<string, IsPlain>(
  Object.entries({
    type: (value) => types.has(value),
    format: (value, schema) => isText(value) && value !== 'int-or-string' && fitsLength(schema),
    maxLength: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    enum: (values, { type }) =>
      type === 'string' && Array.isArray(values) && values.length > 0 && values.every(isText),
    ...each<IsPlain>('default example', (value, { type }) =>
      type === 'integer' ? Number.isSafeInteger(value) : typeof value === type,
    ),
    ...each<IsPlain>('title description', isText),
    ...each<IsPlain>('uniqueItems deprecated readOnly writeOnly', isFlag),
  } satisfies Record<string, IsPlain>),
);

/** The least and the greatest lengths of the texts of formats. */
const lengths = new Map<unknown, readonly [least: number, greatest: number]>([
  ['uuid', [36, 36]],
  ['date', [10, 10]],
  ['date-time', [20, Number.POSITIVE_INFINITY]],
  ['ipv4', [7, 15]],
]);

/** Whether texts of the format of a schema can have the lengths beside it. */
export function fitsLength({ format, minLength, maxLength }: RawDocument): boolean {
  const [least, greatest] = lengths.get(format) ?? [];
  return !(Number(maxLength) < Number(least) || Number(minLength) > Number(greatest));
}

/** Whether a value is a schema that leads to no other and can be used as it is written, as most are. */
export function isPlainSchema(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const keyword in value) if (!isPlainKeyword(value, keyword)) return false;
  return true;
}

/** Whether a keyword of a schema leads to no other and can be used as it is written. */
export function isPlainKeyword(schema: RawDocument, keyword: string): boolean {
  return keywords.get(keyword)?.(schema[keyword], schema) === true;
}
