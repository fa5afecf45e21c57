import { isNumber, typesOf } from '../model/id-form.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { objectAlternative } from './schema-types.ts';

/** How texts stand for a value, if several texts stand for the same one. */
export type ValueForm = 'number' | 'instant' | 'uuid';

/** The form of the values of a schema; undefined if each text is a value of its own. */
function valueFormOf(raw: RawDocument, schema: Schema): ValueForm | undefined {
  const one = objectAlternative(raw, schema) ?? {};
  if (isNumber(one) && !typesOf(one).includes('string')) return 'number';
  if (one.format === 'date-time') return 'instant';
  return one.format === 'uuid' || one.format === 'guid' ? 'uuid' : undefined;
}

/** The form of what items have at a path, of a list that of its elements. */
export function valueFormAt(
  raw: RawDocument,
  { properties }: Pick<FlatSchema, 'properties'>,
  [name = '', ...others]: readonly string[],
): ValueForm | undefined {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const schema = own && objectAlternative(raw, own);
  if (!schema) return undefined;
  const held = schema.items === undefined ? schema : schema.items;
  return others.length > 0 ? valueFormAt(raw, flatten(raw, held), others) : valueFormOf(raw, held);
}

/** The forms of the properties by which lists find items, without those of mere texts. */
export function filterFormsOf(
  raw: RawDocument,
  { item, filters }: { item: FlatSchema; filters: readonly string[] },
): Record<string, ValueForm> | undefined {
  const forms = filters.flatMap((name) => {
    const form = valueFormAt(raw, item, [name]);
    return form === undefined ? [] : [[name, form] as const];
  });
  return forms.length > 0 ? Object.fromEntries(forms) : undefined;
}
