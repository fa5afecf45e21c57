import { type BodyPlan, planBodies, toObjectText } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import { fullBodies } from '../cases/full-fields.ts';
import type { ApiDocument, Operation } from '../description/document.ts';
import { membersOf, parseJson } from '../json.ts';
import { addItem } from './own-item.ts';
import type { Session } from './session.ts';

/** Statuses that say nothing of a body: a key, an address, or a deployment that is busy. */
const ofSomethingElse = [401, 403, 404, 405, 429, 503];

/**
 * Finds out which fields creates need besides those that the document requires: where a body without
 * any other is refused, the first that is taken tells. From then on each create has these fields.
 * Returns the cases that were sent for it.
 */
export async function findNeededFields(
  session: Session,
  document: ApiDocument,
  cases: readonly Case[],
): Promise<ReadonlySet<Case>> {
  const sent = new Set<Case>();
  for (const resource of document.resources) {
    const { create } = resource.operations;
    const plain = cases.find(
      ({ operation, purpose }) =>
        operation === create && purpose.kind === 'create' && purpose.onlyRequired,
    );
    if (!create || !plain) continue;
    sent.add(plain);
    const { response } = (await session.call(plain)) ?? {};
    if (!response || response.status < 400 || ofSomethingElse.includes(response.status)) continue;
    const plan = planBodies(document, resource);
    const [required = {}, ...larger] = fullBodies(document, plan, 'to be taken {{run}}').reverse();
    for (const body of larger) {
      const collection = { session, document, resource, fill: (path: string) => path };
      const made = await addItem(collection, 'to be taken', body);
      if ((made?.response?.status ?? 500) >= 300) continue;
      const besides = Object.entries(body).filter(([name]) => !(name in required));
      session.needed.set(create, { plan, fields: Object.fromEntries(besides) });
      break;
    }
  }
  return sent;
}

/** The fields that creates of an operation need besides those that the document requires. */
export type NeededFields = Map<
  Operation | undefined,
  { plan: BodyPlan; fields: Readonly<Record<string, unknown>> }
>;

/** The text of a valid create with the fields that it needs and lacks; of all else, as it was. */
export function withNeeded(
  needed: NeededFields,
  { operation, purpose, marker }: Case,
  text: string,
  fill: (template: string) => string | undefined,
): string {
  const { plan, fields = {} } = needed.get(operation) ?? {};
  // A text that other runs send, too, may be the key of what is there.
  const isShared = plan?.markerProperty !== undefined && marker === undefined;
  if (!plan || purpose.kind !== 'create' || isShared) return text;
  const { wrapper } = plan.parts;
  const body = membersOf(parseJson(text));
  const given = wrapper ? membersOf(body?.[wrapper.property]) : body;
  const missing = Object.entries(fields).filter(([name]) => given && !(name in given));
  const isEmpty = Object.keys(given ?? {}).length === 0;
  if (Array.isArray(body) || missing.length === 0 || isEmpty) return text;
  const added = fill(toObjectText(Object.fromEntries(missing)))?.slice(1, -1);
  const start = wrapper
    ? text.indexOf('{', text.indexOf(JSON.stringify(wrapper.property)))
    : text.indexOf('{');
  return added === undefined
    ? text
    : `${text.slice(0, start + 1)}${added},${text.slice(start + 1)}`;
}
