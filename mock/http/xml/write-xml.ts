import type { ApiDocument, Schema } from '../../../contracts/description/document.ts';
import { rootNameOf, type XmlForm, xmlFormOf } from '../../../contracts/description/xml-form.ts';
import { itemsOf, memberOf } from '../parameters/typed-value.ts';
import { loadLibrary } from './parse-xml.ts';

/** Writes a value as XML in the form that a schema gives it. */
export type WriteXml = (schema: Schema, value: unknown) => string;

type Node = { [name: string]: Node[] | string | Record<string, string> };

/** The namespaces that the elements around declare, by their prefixes. */
type Scope = Readonly<Record<string, string>>;

const instance = 'http://www.w3.org/2001/XMLSchema-instance';

/** Makes what writes values as XML; `null` is an empty element that says so (`xsi:nil`). */
export function createWriteXml(document: ApiDocument): WriteXml {
  const { raw } = document;
  const formOf = (schema: Schema) => xmlFormOf(raw, schema);

  const toElement = (name: string, schema: Schema, value: unknown, around: Scope): Node => {
    const form = formOf(schema);
    const { scope, attributes } = declare(form, around);
    const tag = qualify(name, form, scope);
    if (value === null) {
      const nil = { ...attributes, 'xmlns:xsi': instance, 'xsi:nil': 'true' };
      return { [tag]: [], ':@': nil };
    }
    const children: Node[] = [];
    if (Array.isArray(value)) children.push(...toItems(name, schema, value, scope));
    else if (typeof value !== 'object') children.push(toTextNode(value));
    else
      for (const [key, inner] of Object.entries(value)) {
        const property = memberOf(document, schema, key);
        const own = formOf(property);
        const isText = typeof inner !== 'object' || inner === null;
        if (inner === undefined) continue;
        if (own.node === 'attribute' && isText)
          Object.assign(attributes, toAttribute(key, own, inner, scope));
        else if (own.node === 'text' && isText) children.push(toTextNode(inner ?? ''));
        else if (Array.isArray(inner) && !own.isWrapped)
          children.push(...toItems(key, property, inner, scope));
        else children.push(toElement(own.name ?? key, property, inner, scope));
      }
    return { [tag]: children, ...(Object.keys(attributes).length > 0 && { ':@': attributes }) };
  };

  const toItems = (name: string, schema: Schema, values: readonly unknown[], scope: Scope) =>
    values.map((value, at) => {
      const items = itemsOf(document, schema, at);
      return toElement(formOf(items).name ?? name, items, value, scope);
    });

  return (schema, value) => buildText(toRoot(schema, value));

  /** In a list, items have the name of their schema, and not that of the list. */
  function toRoot(schema: Schema, value: unknown): Node {
    const name = rootNameOf(raw, schema);
    if (!Array.isArray(value)) return toElement(name, schema, value, {});
    const { scope, attributes } = declare(formOf(schema), {});
    const children = value.map((item, at) => {
      const items = itemsOf(document, schema, at);
      return toElement(rootNameOf(raw, items), items, item, scope);
    });
    return { [qualify(name, formOf(schema), scope)]: children, ':@': attributes };
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

/** The attribute that a member is, and the namespace that it declares; `null` is that alone. */
function toAttribute(
  key: string,
  form: XmlForm,
  value: unknown,
  around: Scope,
): Record<string, string> {
  const { scope, attributes } = declare(form, around);
  if (value === null) return attributes;
  return { ...attributes, [qualify(form.name ?? key, form, scope)]: toSafeText(value) };
}

/** A namespace is declared where the elements around do not have it. */
function declare(
  { namespace, prefix = '' }: XmlForm,
  around: Scope,
): { scope: Scope; attributes: Record<string, string> } {
  if (namespace === undefined || around[prefix] === namespace)
    return { scope: around, attributes: {} };
  const name = prefix === '' ? 'xmlns' : `xmlns:${toSafeName(prefix)}`;
  return { scope: { ...around, [prefix]: namespace }, attributes: { [name]: namespace } };
}

/** A prefix that nothing declares would make the XML invalid. */
function qualify(name: string, { prefix }: XmlForm, scope: Scope): string {
  const isDeclared = prefix !== undefined && scope[prefix] !== undefined;
  return isDeclared ? `${toSafeName(prefix)}:${toSafeName(name)}` : toSafeName(name);
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
