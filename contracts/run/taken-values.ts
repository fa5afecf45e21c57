import { planBodies } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { type ApiDocument, findResource, type Resource } from '../description/document.ts';
import type { Session } from './session.ts';
import { unlike } from './unlike.ts';

/**
 * Sends creates again that a conflict (409) refused. They contain what was seen of listed items,
 * which only one item may have, though the document has no words for that: from now on the texts in
 * the bodies of such a collection differ from one request to the next.
 */
export async function avoidTakenValues(
  session: Session,
  document: ApiDocument,
  cases: readonly Case[],
): Promise<void> {
  const refused = new Set(
    session.transcript.exchanges
      .filter(({ response }) => response?.status === 409)
      .map(({ case: { id } }) => id),
  );
  const again = cases.filter(({ id }) => refused.has(id));
  const byResource = Map.groupBy(again, ({ operation }) => findResource(document, operation));
  for (const [resource, ofResource] of byResource) {
    if (!resource || !varyTexts(session, document, resource)) continue;
    const [first, ...others] = ofResource.map((one): Case => ({ ...one, id: `${one.id}, again` }));
    const tried = first && (await session.call(first));
    if (tried?.response?.status !== 409) await session.callAll(others);
  }
}

/** Makes the required texts of a collection's bodies differ; whether there are any. */
function varyTexts({ values }: Session, document: ApiDocument, resource: Resource): boolean {
  const references = new Set((resource.references ?? []).map(({ property }) => property));
  let isVaried = false;
  for (const { name, schema, required, made } of planBodies(document, resource).properties) {
    const isText = schema.type === 'string' && schema.enum === undefined;
    if (!required || !isText || references.has(name)) continue;
    const key = `known.${resource.name}.${name}`;
    const sample = values.get(key) ?? made;
    if (typeof sample !== 'string' || unlike(sample, schema, 0) === undefined) continue;
    values.vary(key, (count) => unlike(sample, schema, count) ?? sample);
    isVaried = true;
  }
  return isVaried;
}
