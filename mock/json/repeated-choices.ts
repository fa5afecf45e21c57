import {
  type ApiDocument,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';
import { innerSchemas } from '../../contracts/description/marks.ts';

/** A schema on the way of the search: when it was found, and the first that it leads back to. */
type Visit = { at: number; back: number; isOpen: boolean; inner: Schema[]; next: number };

/**
 * Whether a schema leads to alternatives (oneOf, anyOf) of which two lead back to them: to look for
 * all that is wrong then takes twice as long with each level of a value. Finds what leads to itself
 * as Tarjan does.
 */
export function repeatsChoices(document: ApiDocument, root: Schema): boolean {
  const visits = new Map<Schema, Visit>();
  const stack: Schema[] = [];
  const path: Schema[] = [];
  const enter = (schema: Schema) => {
    const at = visits.size;
    visits.set(schema, { at, back: at, isOpen: true, inner: leadsTo(document, schema), next: 0 });
    stack.push(schema);
    path.push(schema);
  };
  enter(root);
  for (let schema = path.at(-1); schema; schema = path.at(-1)) {
    const visit = visits.get(schema) as Visit;
    const inner = visit.inner[visit.next++];
    if (inner) {
      const known = visits.get(inner);
      if (!known) enter(inner);
      else if (known.isOpen) visit.back = Math.min(visit.back, known.at);
      continue;
    }
    path.pop();
    const above = visits.get(path.at(-1) as Schema);
    if (above) above.back = Math.min(above.back, visit.back);
    if (visit.back < visit.at) continue;
    const circle = new Set(stack.splice(stack.indexOf(schema)));
    for (const one of circle) (visits.get(one) as Visit).isOpen = false;
    for (const { oneOf, anyOf } of circle)
      for (const alternatives of [oneOf, anyOf])
        if (Array.isArray(alternatives) && alternatives.filter((one) => circle.has(one)).length > 1)
          return true;
  }
  return false;
}

function leadsTo(document: ApiDocument, schema: Schema): Schema[] {
  const isReference = typeof schema.$ref === 'string';
  return [...(isReference ? [resolveSchema(document, schema)] : []), ...innerSchemas(schema)];
}
