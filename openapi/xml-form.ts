import { defined } from '../common/defined.ts';
import { type RawDocument, resolve, type Schema } from './schema.ts';

/** How values of a schema are written in XML (OpenAPI's XML Object); by default as an element. */
export type XmlForm = {
  name?: string;
  /** The prefix of the name, and the namespace that it stands for, or that of names without one. */
  prefix?: string;
  namespace?: string;
  /** The form in its parent: 3.2 says so by `nodeType`, earlier versions by `attribute`. */
  node: 'element' | 'attribute' | 'text';
  /** Whether a list has an element of its own around those of its items. */
  isWrapped: boolean;
};

/** The form of a schema's values in XML, as it says itself, or else what it refers to. */
export function xmlFormOf(raw: RawDocument, schema: Schema): XmlForm {
  const xml = (schema.xml ?? resolve(raw, schema)?.xml ?? {}) as Schema;
  const { name, prefix, namespace, nodeType } = xml;
  const isText = nodeType === 'text' || nodeType === 'cdata';
  const isAttribute = nodeType === 'attribute' || xml.attribute === true;
  const node: XmlForm['node'] = isText ? 'text' : isAttribute ? 'attribute' : 'element';
  return defined({
    name: isName(name) ? name : undefined,
    prefix: isName(prefix) ? prefix : undefined,
    namespace: isName(namespace) ? namespace : undefined,
    node,
    isWrapped: xml.wrapped === true || nodeType === 'element',
  });
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * The name of the root element: that of the schema or of the schema it refers to; for a list of
 * such, that of its items with an s.
 */
export function rootNameOf(raw: RawDocument, schema: Schema): string {
  const { items } = resolve(raw, schema);
  const own = xmlFormOf(raw, schema).name ?? refNameOf(schema);
  if (own !== undefined) return own;
  return typeof items === 'object' && items !== null ? `${rootNameOf(raw, items)}s` : 'item';
}

function refNameOf({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}
