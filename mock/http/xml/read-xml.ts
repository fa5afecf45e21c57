import type { Api, Schema } from '../../../openapi/index.ts';
import { itemsOf, memberOf, membersOf, type ToTyped, typesIn } from '../parameters/typed-value.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

/** Reads XML as a value; `problem` says why it cannot be read. */
export type ReadXml = (
  text: string,
) => { value: unknown; problem?: never } | { value?: never; problem: string };

/**
 * Creates a reader of XML by a schema, the inverse of the writer. Names, forms and types are those
 * of the schema; namespaces and undescribed attributes are ignored.
 */
export function createReadXml(document: Api, schema: Schema, toTyped: ToTyped): ReadXml {
  const { schemas } = document;
  const typesOf = typesIn(document);
  const isList = (one: Schema) => typesOf(one).has('array') && !typesOf(one).has('object');

  const toValue = (one: Schema, element: XmlElement): unknown => {
    const { attributes, children, text } = element;
    const types = typesOf(one);
    if (attributes.nil === 'true' && types.has('null')) return null;
    if (isList(one)) return children.map((child, at) => toValue(itemsOf(document, one, at), child));
    const isLeaf = children.length === 0 && !(types.has('object') && !types.has('string'));
    return isLeaf ? toLeaf(one, text) : toObject(one, element);
  };

  const toLeaf = (one: Schema, text: string): unknown => {
    const types = typesOf(one);
    return toTyped(one, types.size === 0 || types.has('string') ? text : text.trim());
  };

  const toObject = (one: Schema, { attributes, children, text }: XmlElement): unknown => {
    const { required } = document.schemas.describeSchema(one);
    const members: [string, unknown][] = [];
    const known = new Set<string>();
    for (const name of membersOf(document, one).names) {
      const property = memberOf(document, one, name);
      const form = schemas.xmlFormOf(property);
      if (form.node === 'text') members.push([name, toLeaf(property, text)]);
      if (form.node === 'attribute') {
        const value = attributes[form.name ?? name];
        if (value !== undefined) members.push([name, toLeaf(property, value)]);
      }
      if (form.node !== 'element') continue;
      const isBare = isList(property) && !form.isWrapped;
      const items = isBare ? itemsOf(document, property, 0) : property;
      const tag = (isBare ? schemas.xmlFormOf(items) : form).name ?? name;
      known.add(tag);
      const values = children.filter((child) => child.name === tag);
      const read = values.map((child) => toValue(items, child));
      if (isBare && (read.length > 0 || required.includes(name))) members.push([name, read]);
      if (!isBare && read.length > 0) members.push([name, read.length === 1 ? read[0] : read]);
    }
    const others = children.filter(({ name }) => !known.has(name));
    for (const [name, same] of Map.groupBy(others, (child) => child.name)) {
      const read = same.map((child) => toValue(memberOf(document, one, name), child));
      members.push([name, read.length === 1 ? read[0] : read]);
    }
    return Object.fromEntries(members);
  };

  return (text) => {
    const { root, problem } = parseXml(text);
    if (!root) return { problem: `The body is not valid XML: ${problem}.` };
    const { name } = schemas.xmlFormOf(schema);
    if (name !== undefined && root.name !== name)
      return { problem: `The root element must be <${name}>, but is <${root.name}>.` };
    return { value: toValue(schema, root) };
  };
}
