import type { Resource, Schema } from '../../../openapi/index.ts';
import type { AnswerForm } from '../../answers/answer.ts';
import type { Pins } from './pins.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Holds the refusal of a body that fits its schema. */
type BodyFault = { form: AnswerForm; message: string };

type BodyFaultOptions = {
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
  const { otherField, unknownCategory, repeated } = pins;
  const names = Object.keys(item.properties).filter((name) => name !== idProperty);
  if (typeof otherField === 'object') {
    const other = Object.keys(fields).find((name) => !names.includes(name));
    if (other !== undefined)
      return { form: otherField, message: `The field "${other}" is unknown.` };
  }
  const nameFault = findNameFault(fields[textOf(names, item.properties) ?? ''], pins);
  if (nameFault) return nameFault;
  const integer = names.find((name) => item.properties[name]?.format === 'int64') ?? '';
  const category = fields[integer];
  if (unknownCategory && category !== undefined)
    if ((await listed()).every((one) => one[integer] !== category))
      return { form: unknownCategory, message: `There is no ${integer} ${category}.` };
  if (!repeated) return undefined;
  const compared = repeated.by === 'body' ? names : [repeated.by];
  const isSame = (one: Fields) => compared.every((name) => one[name] === fields[name]);
  return (await listed()).some(isSame)
    ? { form: repeated.answer, message: 'There is such an item already.' }
    : undefined;
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
  { emptyName, longName }: Pick<Pins, 'emptyName' | 'longName'>,
): BodyFault | undefined {
  if (typeof name !== 'string') return undefined;
  if (emptyName && name.trim() === '') return { form: emptyName, message: 'The name is empty.' };
  return longName && name.length > longName.max
    ? { form: longName.tooLong, message: `The name may have at most ${longName.max} characters.` }
    : undefined;
}
