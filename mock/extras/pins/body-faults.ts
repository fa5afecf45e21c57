import type { Resource, Schema } from '../../../contracts/description/document.ts';
import { valueAt } from '../../../contracts/description/property-path.ts';
import type { AnswerForm } from '../../answers/answer.ts';
import type { Pins } from './pins.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Why a body that fits its schema is not stored: a refusal, or the item that is the same. */
export type BodyFault =
  | { form: AnswerForm; message: string; same?: never }
  | { same: Fields; form?: never };

export type BodyFaultOptions = {
  resource: Pick<Resource, 'idProperty' | 'item'>;
  pins: Pins;
  /** All items of the collection, for what depends on the others. */
  listed: () => Promise<readonly Fields[]>;
};

/** Looks for what the pins refuse in the fields of a new item. */
export async function findBodyFault(
  fields: Fields,
  { resource, pins, listed }: BodyFaultOptions,
): Promise<BodyFault | undefined> {
  const { idProperty, item } = resource;
  const names = Object.keys(item.properties).filter((name) => name !== idProperty);
  const other = Object.keys(fields).find((name) => name !== idProperty && !names.includes(name));
  if (typeof pins.otherField === 'object' && other !== undefined)
    return { form: pins.otherField, message: `The field "${other}" is unknown.` };
  if (pins.idField && valueAt(fields, idProperty) !== undefined)
    return { form: pins.idField, message: `The field "${idProperty}" is given by the service.` };
  const nameFault = findNameFault(fields[textOf(names, item.properties) ?? ''], pins);
  if (nameFault) return nameFault;
  const integer = names.find((name) => item.properties[name]?.format === 'int64');
  if (pins.category && integer !== undefined) {
    const { belowOne, belowZero, unknown } = pins.category;
    const value = fields[integer] as number | bigint;
    if (belowOne && value < 1) return { form: belowOne, message: `${integer} must be 1 or more.` };
    if (belowZero && value < 0)
      return { form: belowZero, message: `${integer} must not be negative.` };
    if (unknown && (await listed()).every((one) => one[integer] !== value))
      return { form: unknown, message: `There is no ${integer} ${value}.` };
  }
  return pins.repeated ? findRepeated(fields, pins.repeated, names, await listed()) : undefined;
}

/** The first property that may hold any text. */
function textOf(
  names: readonly string[],
  properties: Readonly<Record<string, Schema>>,
): string | undefined {
  return names.find((name) => {
    const schema = properties[name];
    return schema?.type === 'string' && bounds.every((keyword) => schema[keyword] === undefined);
  });
}

/** The keywords of a schema that allow not any text. */
const bounds = ['enum', 'format', 'pattern', 'maxLength'] as const;

function findNameFault(
  name: unknown,
  { emptyName, names }: Pick<Pins, 'emptyName' | 'names'>,
): BodyFault | undefined {
  if (typeof name !== 'string') return undefined;
  if (emptyName && name.trim() === '') return { form: emptyName, message: 'The name is empty.' };
  const { max, tooLong, controls } = names ?? {};
  if (tooLong && max !== undefined && name.length > max)
    return { form: tooLong, message: `The name may have at most ${max} characters.` };
  return controls && /\p{Cc}/u.test(name)
    ? { form: controls, message: 'The name has control characters.' }
    : undefined;
}

function findRepeated(
  fields: Fields,
  { by, answer }: NonNullable<Pins['repeated']>,
  names: readonly string[],
  listed: readonly Fields[],
): BodyFault | undefined {
  const compared = by === 'body' ? names : [by];
  const same = listed.find((one) => compared.every((name) => one[name] === fields[name]));
  if (!same) return undefined;
  if (answer === 'same-item') return { same };
  return { form: answer, message: 'There is such an item already.' };
}
