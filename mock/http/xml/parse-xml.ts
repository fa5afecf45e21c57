import { createRequire } from 'node:module';
import type { ValidationError } from 'fast-xml-parser';

/** An element without the prefix of its name, and all of its own text. */
export type XmlElement = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  text: string;
};

/** The root element of a text, or why it has none. */
export type ParsedXml = { root: XmlElement; problem?: never } | { root?: never; problem: string };

/** The maximum number of elements and of attributes: each is read by its schema. */
const maxParts = 10_000;

/** The maximum number of elements within each other. */
const maxDepth = 100;

/** The parsed node of the library: its children under its name, its attributes under `:@`. */
type Node = { readonly [name: string]: readonly Node[] | string | Record<string, string> };

const textNode = '#text';
const attributesNode = ':@';

/**
 * Parses XML of at most 10,000 elements and attributes, and 100 levels. A document type declaration
 * is refused, so that no entities but those of XML itself are ever expanded.
 */
export function parseXml(text: string): ParsedXml {
  if (/<!DOCTYPE/i.test(text)) return { problem: 'a document type declaration is not allowed' };
  if (countOf(text, /<[^/!?]/g) > maxParts || countOf(text, /=\s*["']/g) > maxParts)
    return { problem: 'it may have at most 10,000 elements and 10,000 attributes' };
  if (text.slice(text.lastIndexOf('>') + 1).trim() !== '' && text.includes('>'))
    return { problem: 'it has text behind its root element' };
  const { XMLParser, XMLValidator } = loadLibrary();
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true) return { problem: describeFault(verdict.err) };
    const nodes: Node[] = new XMLParser({
      preserveOrder: true,
      ignoreAttributes: false,
      attributeNamePrefix: '',
      removeNSPrefix: true,
      parseTagValue: false,
      parseAttributeValue: false,
      trimValues: false,
      ignoreDeclaration: true,
      ignorePiTags: true,
      maxNestedTags: maxDepth,
      // For characters by their numbers, which the library counts among them.
      htmlEntities: true,
    }).parse(text);
    const [root, ...others] = nodes.filter((node) => !(textNode in node)).map(toElement);
    if (!root) return { problem: 'it has no element' };
    return others.length > 0 ? { problem: 'it has several root elements' } : { root };
  } catch {
    return {
      problem: `it is nested more than ${maxDepth} levels deep, or has a name or a reference that cannot be used`,
    };
  }
}

function countOf(text: string, part: RegExp): number {
  return text.match(part)?.length ?? 0;
}

function describeFault({ line, col }: ValidationError['err']): string {
  const column = Number.isInteger(col) ? `, column ${col}` : '';
  return `it is not well formed (line ${line}${column})`;
}

function toElement(node: Node): XmlElement {
  const [name = ''] = Object.keys(node).filter((key) => key !== attributesNode);
  const inner = node[name] as readonly Node[];
  return {
    name,
    attributes: (node[attributesNode] ?? {}) as Record<string, string>,
    children: inner.filter((one) => !(textNode in one)).map(toElement),
    text: inner.map((one) => one[textNode] ?? '').join(''),
  };
}

/** Loads `fast-xml-parser` at the first XML: most documents describe none. */
export function loadLibrary(): typeof import('fast-xml-parser') {
  return createRequire(import.meta.url)('fast-xml-parser');
}
