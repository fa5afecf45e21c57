import { Pattern } from '../../common/pattern.ts';
import type { FlatSchema } from '../schema.ts';

/** Whether objects of a schema may have a property of a name, as far as the schema says. */
export function describes({ properties, others = [] }: FlatSchema, name: string): boolean {
  return (
    Object.hasOwn(properties, name) ||
    others.some((one) => one === '' || new Pattern(one).test(name))
  );
}
