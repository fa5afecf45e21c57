import type { Api, Schema } from '../../../openapi/index.ts';
import { itemsOf, memberOf } from '../parameters/typed-value.ts';
import { loadLibrary } from './parse-xml.ts';

/** Writes a value as XML in the form that a schema gives it. */
export type WriteXml = (schema: Schema, value: unknown) => string;

type Node = { [name: string]: Node[] | string | Record<string, string> };

const instance = 'http://www.w3.org/2001/XMLSchema-instance';

/** Creates a writer of values as XML; null becomes an empty element with `xsi:nil`. */
export function createWriteXml(document: Api): WriteXml {
  const { schemas } = document;
  const formOf = (schema: Schema) => schemas.xmlFormOf(schema);

  const toElement = (name: string, schema: Schema, value: unknown): Node => {
    const tag = toSafeName(name);
    if (value === null) return { [tag]: [], ':@': { 'xmlns:xsi': instance, 'xsi:nil': 'true' } };
    const attributes: Record<string, string> = {};
    const children: Node[] = [];
    if (Array.isArray(value)) children.push(...toItems(name, schema, value));
    else if (typeof value !== 'object') children.push(toTextNode(value));
    else
      for (const [key, inner] of Object.entries(value)) {
        const property = memberOf(document, schema, key);
        const own = formOf(property);
        const isText = typeof inner !== 'object' || inner === null;
        if (inner === undefined) continue;
        if (own.node === 'attribute' && isText) {
          if (inner !== null) attributes[toSafeName(own.name ?? key)] = toSafeText(inner);
        } else if (own.node === 'text' && isText) children.push(toTextNode(inner ?? ''));
        else if (Array.isArray(inner) && !own.isWrapped)
          children.push(...toItems(key, property, inner));
        else children.push(toElement(own.name ?? key, property, inner));
      }
    return { [tag]: children, ...(Object.keys(attributes).length > 0 && { ':@': attributes }) };
  };

  const toItems = (name: string, schema: Schema, values: readonly unknown[]) =>
    values.map((value, at) => {
      const items = itemsOf(document, schema, at);
      return toElement(formOf(items).name ?? name, items, value);
    });

  return (schema, value) => buildText(toRoot(schema, value));

  /** In a list, items have the name of their schema, and not that of the list. */
  function toRoot(schema: Schema, value: unknown): Node {
    const name = schemas.rootNameOf(schema);
    if (!Array.isArray(value)) return toElement(name, schema, value);
    const children = value.map((item, at) => {
      const items = itemsOf(document, schema, at);
      return toElement(schemas.rootNameOf(items), items, item);
    });
    return { [toSafeName(name)]: children };
  }
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
