import { isText } from '../../common/json.ts';
import { addLate } from '../../common/late.ts';
import { shapeOf } from '../../common/path-template.ts';
import { textOf } from '../../common/text-of.ts';
import { toPlainName } from '../../common/words.ts';
import { isMarked, shownOf } from '../marks.ts';
import { isOnCollection, type Kind } from '../model/kinds.ts';
import type { Operation } from '../model/operation.ts';
import { placementsOf } from '../model/placements.ts';
import type { Address, Resource } from '../model/resource.ts';
import {
  type FlatSchema,
  flatten,
  ownExamplesOf,
  type RawDocument,
  type Schema,
} from '../schema.ts';
import { toServerUrl } from '../servers.ts';
import { isLinkList } from './list-fields.ts';
import { allTypesOf, objectAlternative } from './schema-types.ts';
import { bodySchemaOf } from './success.ts';

/** A text in items that may be the address of the item. */
type Text = {
  path: readonly string[];
  /** The plain name of the text or, of one in the object of a link, that of the link. */
  name: string;
  isUri: boolean;
  /** Whether clients may set it. */
  isSent: boolean;
  description: string;
  example: string | undefined;
  /** The path in the example below that of the servers, if it is an address at all. */
  shown: string | undefined;
  /** Whether it is in a list of links, as the `href` of the one whose `rel` is `self`. */
  isRelation?: boolean;
};

/** A way in which a text tells that it is the address of the item that has it, or one below that. */
type AddressRule = {
  name: string;
  isMet: (text: Text, isOfItem: boolean) => boolean;
  /** A property of the items of `/pets`, and its value in the item 1. */
  example: string;
};

function isSelf({ name }: Text): boolean {
  return /^self(link|ur[il]|href)?$/.test(name);
}

/** Rules for addresses: a text that meets one of them is the address of its item. */
export const addressRules: readonly AddressRule[] = [
  {
    name: 'has an example that begins with the path of an item, and no client sets it',
    isMet: ({ isSent }, isOfItem) => isOfItem && !isSent,
    example: 'toys: https://pets.example/pets/7/toys -> /pets/1/toys',
  },
  {
    name: 'is called self, also as a link',
    isMet: (text) => isSelf(text) && text.example === undefined,
    example: 'self: string -> /pets/1',
  },
  {
    name: 'is the URI or reference of an item, and no client sets it',
    isMet: ({ path, name, isUri, isSent, example, description }) => {
      const isNamed = /^(ur[il]|href|resourceur[il])$/.test(name) && path.length === 1;
      const isSaid = description === '' || /\b(api|resource)\b/i.test(description);
      return isNamed && isUri && isSaid && !isSent && example === undefined;
    },
    example: 'url: uri -> /pets/1',
  },
];

/** Notes which texts of items are addresses of this API at which the items are read. */
export function findAddresses(raw: RawDocument, resources: readonly Resource[]): void {
  const servers: string[] = (raw.servers ?? []).map(toServerUrl).flatMap((one: string) => {
    const whole = one.replace(/\/+$/, '');
    return [whole, whole.replace(/^\w+:\/\/[^/]*/, '')].filter((start) => start !== '');
  });
  for (const resource of resources) {
    const shapes = placementsOf(resource).flatMap(({ operations }) =>
      Object.entries(operations).flatMap(([kind, { path }]) =>
        isOnCollection(kind as Kind) || !shapeOf(path).endsWith('{}') ? [] : [shapeOf(path)],
      ),
    );
    if (shapes.length === 0) continue;
    // What is done there may yet become an action.
    const operations = Object.values(resource.operations);
    addLate(resource, ['addresses'], () => {
      const addresses = addressesOf(raw, { resource, operations, shapes, servers });
      return addresses.length > 0 ? { addresses } : {};
    });
  }
}

/** Finds the addresses of an item beside it in an answer, such as `links.self` beside `data`. */
export function addressesBeside(
  raw: RawDocument,
  schema: Schema,
  [held = '']: readonly string[],
): Address[] {
  const item = flatten(raw, objectAlternative(raw, schema));
  const { [held]: _, ...properties } = item.properties;
  const resource = { item: { ...item, properties }, idProperty: '' };
  const texts = textsOf(raw, { resource, operations: [], servers: [] });
  const isMet = (text: Text) => addressRules.some((one) => one.isMet(text, false));
  return texts
    .filter((text) => isSelf(text) || isMet(text))
    .map((text) => ({ ...text, follows: '' }));
}

type AddressSearch = {
  resource: Pick<Resource, 'item' | 'idProperty' | 'held'>;
  operations: readonly Operation[];
  servers: readonly string[];
};

function addressesOf(
  raw: RawDocument,
  { shapes, ...sought }: AddressSearch & { shapes: readonly string[] },
): Address[] {
  const patterns = [...new Set(shapes)].map((shape) => [shape, toPattern(shape)] as const);
  return textsOf(raw, sought).flatMap((text): Address[] => {
    const { path, example, shown = '' } = text;
    const [shape] = (shown && patterns.find(([, pattern]) => pattern.test(shown))) || [];
    if (!addressRules.some(({ isMet }) => isMet(text, shape !== undefined))) return [];
    const [, follows = ''] = patterns.find(([one]) => one === shape)?.[1].exec(shown) ?? [];
    const isPath = example?.startsWith('/');
    const { isRelation } = text;
    const own = { ...(isPath && { isPath }), ...(isRelation && { isRelation }) };
    return [{ path, follows, ...(shape && { shape }), ...own }];
  });
}

/** Matches a path that begins with that of an item, and what follows it. */
function toPattern(shape: string): RegExp {
  const parts = shape.split('{}').map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/{}?]+')}((?:[/{?].*)?)$`);
}

/** The texts of an item, also in objects that are no items themselves, such as `links`. */
function textsOf(raw: RawDocument, { resource, operations, servers }: AddressSearch): Text[] {
  const { item, idProperty, held = [] } = resource;
  const setting = operations.filter(({ body }) => body && !body.jsonPatch);
  const bodies = setting.map((one) => flatten(raw, bodySchemaOf(raw, one)));
  // A body that describes no member may set any.
  const isAnySent = bodies.some((one) => Object.keys(one.properties).length === 0);
  const walk = ({ properties }: FlatSchema, path: readonly string[], sent: FlatSchema[]): Text[] =>
    Object.entries(properties).flatMap(([name, node]) => {
      if (path.length === 0 && held.some(({ property }) => property === name)) return [];
      const schema: RawDocument = objectAlternative(raw, node) ?? {};
      const at = [...path, name];
      const within = sent.map((one) => one.properties[name]).filter((one) => one !== undefined);
      if (allTypesOf(raw, node).includes('string')) {
        const isLink = name === 'href' && path.length > 1;
        const settable = within.filter((one) => !isMarked(raw, one, 'readOnly'));
        const isSet = isAnySent || settable.length > 0;
        const isSent = isSet && !isMarked(raw, node, 'readOnly');
        const named = toPlainName(isLink ? (path.at(-1) ?? '') : name);
        return [{ path: at, name: named, isSent, ...factsOf(schema, servers) }];
      }
      if (isLinkList(raw, schema)) return [{ ...ofRelation, path: at }];
      const inner = shownOf(raw, flatten(raw, schema));
      const isItem = Object.hasOwn(inner.properties, idProperty);
      if (schema.items || isItem || path.length > 1) return [];
      return walk(
        inner,
        at,
        within.map((one) => flatten(raw, one)),
      );
    });
  return walk(item, [], bodies);
}

const ofRelation = {
  ...{ name: 'self', description: '', example: undefined, shown: undefined },
  ...{ isUri: true, isSent: false, isRelation: true },
} as const;

function factsOf({ format, description, ...schema }: Schema, servers: readonly string[]) {
  const example = ownExamplesOf(schema).find(isText);
  return {
    isUri: /^(ur[il]|iri)(-reference)?$/.test(textOf(format)),
    description: textOf(description ?? ''),
    example,
    shown: example === undefined ? undefined : pathBelow(example, servers),
  };
}

/** The path of a URL below that of the servers; of one at another host, its whole path. */
function pathBelow(url: string, servers: readonly string[]): string | undefined {
  const known = servers.find((one) => url.startsWith(`${one}/`));
  if (known !== undefined) return url.slice(known.length);
  return /^(?:https?:\/\/[^/?]*)?(\/.*)$/.exec(url)?.[1];
}
