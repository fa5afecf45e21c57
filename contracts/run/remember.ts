import { planBodies } from '../cases/bodies.ts';
import { type ApiDocument, findResource, type Resource } from '../description/document.ts';
import { valueAt } from '../description/property-path.ts';
import { toJson } from '../json.ts';
import { toSegment } from '../transcript/ids.ts';
import type { Item } from '../transcript/items.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { listedItems } from './listed.ts';
import type { Session } from './session.ts';
import { unknownId } from './values.ts';

/** Remembers items that the list shows: some ids, and a plain value for each property. */
export function rememberListed(session: Session, document: ApiDocument, seed: number): void {
  for (const resource of document.resources) {
    const items = listedItems(session, resource);
    rememberIds(session, resource, { items, seed });
    rememberValues(session, document, resource, items);
  }
}

function rememberIds(
  { values }: Session,
  { name, idProperty, idSchema }: Resource,
  { items, seed }: { items: readonly Item[]; seed: number },
): void {
  const ids = items
    .map((item) => valueAt(item, idProperty))
    .filter((id) => toSegment(id) !== undefined);
  if (ids.length > 0) {
    values.set(`id.${name}.first`, toSegment(ids[0]));
    values.set(`id.${name}.middle`, toSegment(ids[Math.floor(ids.length / 2)]));
    values.set(`id.${name}.last`, toSegment(ids.at(-1)));
  }
  for (const which of ['near', 'far', 'farther'])
    values.set(`unknown.${name}.${which}`, unknownId(idSchema, `${seed} ${name} ${which}`));
  if (idSchema.format === 'uuid') return;
  let largest = 0n;
  for (const id of ids)
    if ((typeof id === 'bigint' || Number.isSafeInteger(id)) && BigInt(id as number) > largest)
      largest = BigInt(id as number);
  const near = largest + 1_000_003n;
  values.set(`unknown.${name}.near`, near < 2n ** 63n ? String(near) : '1000003');
}

/** What an item holds besides plain values may act on others, such as the matchers of a silence. */
function rememberValues(
  { values }: Session,
  document: ApiDocument,
  resource: Resource,
  items: readonly Item[],
): void {
  const sent = planBodies(document, resource).properties;
  for (const [property, described] of Object.entries(resource.item.properties)) {
    if (property === resource.idProperty) continue;
    const { schema = described } = sent.find(({ name }) => name === property) ?? {};
    const findProblems = compileSent(document, schema);
    const usable = items.flatMap(({ [property]: one }) => {
      const isPlain = one !== undefined && typeof one !== 'object' && toJson(one).length <= 1000;
      return isPlain && findProblems(one).length === 0 ? [one] : [];
    });
    // What one item alone has may be a name by which it is found.
    const isWorded = document.clauses.length > 0 && typeof usable[0] !== 'string';
    const value = usable.find((one, index) => isWorded || usable.indexOf(one) !== index);
    if (value !== undefined) values.set(`known.${resource.name}.${property}`, value);
  }
}

/** Remembers the ids of items that creates of the plan made. */
export function rememberCreated(session: Session, document: ApiDocument): void {
  for (const exchange of session.transcript.exchanges) {
    const { case: testCase, made } = exchange;
    const resource = findResource(document, testCase.operation);
    const id = resource && (valueAt(made?.item, resource.idProperty) ?? made?.id);
    const segment = made?.whose === 'others' ? undefined : toSegment(id);
    if (testCase.purpose.kind !== 'create' || !resource || segment === undefined) continue;
    session.values.set(`created.${testCase.id}`, segment);
    const known = session.values.get(`known.${resource.name}.created`);
    if (known === undefined && made?.whose === 'own')
      session.values.set(`known.${resource.name}.created`, id);
  }
}
