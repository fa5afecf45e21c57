import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Operation,
  type Resource,
  type Schema,
} from '../../contracts/description/document.ts';
import { fromToken } from '../../contracts/description/json-pointer.ts';
import { oncePer } from '../json/once-per.ts';
import type { CompileSchema } from '../json/validator.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Leaves out of a body what it need not have and an item of its collection cannot have. */
export type ToStorable = (operation: Operation, body: Fields, schema: Schema) => Fields;

/** Makes what fits bodies to items: the schema of a body may allow what the item's does not. */
export function createToStorable(document: ApiDocument, compile: CompileSchema): ToStorable {
  return (operation, body, schema) => {
    const resource = operation.kind === 'update' ? findResource(document, operation) : undefined;
    if (!resource) return body;
    const validate = compile(schemaOfMembers(resource), 'writeOnly');
    const required = new Set(describeSchema(document, schema).required);
    let fitting = body;
    // Not all problems are listed at once.
    for (let problems = validate(fitting); problems; problems = validate(fitting)) {
      const unfit = new Set(problems.map(({ pointer }) => fromToken(pointer.split('/')[1] ?? '')));
      const left = Object.entries(fitting).filter(
        ([name]) => required.has(name) || !unfit.has(name),
      );
      if (left.length === Object.keys(fitting).length) break;
      fitting = Object.fromEntries(left);
    }
    return fitting;
  };
}

const schemaOfMembers = oncePer(({ item }: Resource): Schema => {
  return { type: 'object', properties: item.properties };
});
