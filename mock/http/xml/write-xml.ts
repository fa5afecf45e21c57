import type { Api, Schema } from '../../../openapi/index.ts';
import { itemsOf, memberOf } from '../parameters/typed-value.ts';
import { loadLibrary } from './parse-xml.ts';

/** Writes a value as XML in the form that a schema gives it. */
export type WriteXml = (schema: Schema, value: unknown) => string;

type Node = { [name: string]: Node[] | string | Record<string, string> };

/** The attributes of an element, and the namespaces there by their prefixes; '' has none. */
type Start = { attributes: Record<string, string>; namespaces: Map<string, string> };

/** The namespaces around an element, and what names the items of a list in it. */
type Outer = { namespaces: Start['namespaces']; nameOfItem?: (items: Schema) => string };

type NamedSchema = { name: string; schema: Schema };

const instance = { prefix: 'xsi', namespace: 'http://www.w3.org/2001/XMLSchema-instance' };

/** Creates a writer of values as XML; null becomes an empty element with `xsi:nil`. */
export function createWriteXml(document: Api): WriteXml {
  const { schemas } = document;
  const formOf = (schema: Schema) => schemas.xmlFormOf(schema);

  const toElement = ({ name, schema }: NamedSchema, value: unknown, outer: Outer): Node => {
    const start: Start = { attributes: {}, namespaces: new Map(outer.namespaces) };
    const { attributes, namespaces } = start;
    const tag = qualify(name, formOf(schema), start);
    const children: Node[] = [];
    if (value === null) attributes[qualify('nil', instance, start)] = 'true';
    else if (Array.isArray(value))
      children.push(...toItems({ name, schema }, value, { ...outer, namespaces }));
    else if (typeof value !== 'object') children.push(toTextNode(value));
    else
      for (const [key, inner] of Object.entries(value)) {
        const property = memberOf(document, schema, key);
        const own = formOf(property);
        const isText = typeof inner !== 'object' || inner === null;
        const { name = key } = own;
        if (inner === undefined) continue;
        if (own.node === 'attribute' && isText) {
          // The namespace of names without a prefix is none of attributes.
          const attribute = own.prefix === undefined ? toSafeName(name) : qualify(name, own, start);
          if (inner !== null) attributes[attribute] = toSafeText(inner);
        } else if (own.node === 'text' && isText) children.push(toTextNode(inner ?? ''));
        else if (Array.isArray(inner) && !own.isWrapped)
          children.push(...toItems({ name: key, schema: property }, inner, { namespaces }));
        else children.push(toElement({ name, schema: property }, inner, { namespaces }));
      }
    return { [tag]: children, ...(Object.keys(attributes).length > 0 && { ':@': attributes }) };
  };

  const toItems = (
    { name, schema }: NamedSchema,
    values: readonly unknown[],
    { namespaces, nameOfItem = (items) => formOf(items).name ?? name }: Outer,
  ) =>
    values.map((value, at) => {
      const items = itemsOf(document, schema, at);
      return toElement({ name: nameOfItem(items), schema: items }, value, { namespaces });
    });

  // In a list, items have the name of their schema, and not that of the list.
  const outer: Outer = { namespaces: new Map(), nameOfItem: schemas.rootNameOf };
  return (schema, value) =>
    buildText(toElement({ name: schemas.rootNameOf(schema), schema }, value, outer));
}

/**
 * Returns a name with its prefix if the prefix has a namespace. Declares the namespace on the
 * element unless a parent declares it.
 */
function qualify(
  name: string,
  { prefix = '', namespace }: { prefix?: string; namespace?: string },
  { attributes, namespaces }: Start,
): string {
  const own = prefix && toSafeName(prefix);
  if (namespace !== undefined && namespaces.get(own) !== namespace) {
    namespaces.set(own, namespace);
    attributes[own === '' ? 'xmlns' : `xmlns:${own}`] = toSafeText(namespace);
  }
  return (own !== '' && namespaces.has(own) ? `${own}:` : '') + toSafeName(name);
}

function buildText(root: Node): string {
  const { XMLBuilder } = loadLibrary();
  const builder = new XMLBuilder({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const declaration = { version: '1.0', encoding: 'UTF-8' };
  return builder.build([{ '?xml': [], ':@': declaration }, root]);
}

/** A name that XML can have: any may be a member of an object. */
function toSafeName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  return /^[\p{L}_]/u.test(safe) ? safe : `_${safe}`;
}

function toTextNode(value: unknown): Node {
  return { '#text': toSafeText(value) };
}

/** Text without characters that XML cannot hold, not even by their numbers. */
function toSafeText(value: unknown): string {
  return String(value).replace(
    /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
    '\ufffd',
  );
}
