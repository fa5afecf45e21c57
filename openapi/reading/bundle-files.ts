import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve as resolvePath, sep } from 'node:path';
import { DocumentError } from '../../common/cli/usage-error.ts';
import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { parseText } from '../../common/parse-text.ts';
import { unescaped } from '../../common/path-template.ts';
import { splitList, textOf } from '../../common/text-of.ts';
import { follow, type RawDocument, saysMore } from '../schema.ts';
import { maxBytes } from './fetch-text.ts';
import { kindAt } from './parts.ts';
import { Places } from './places.ts';

type BundleOptions = {
  file: string;
  /** Gets the absolute path of each file that is read, also of one that is missing. */
  files: Set<string>;
  /** Folders that references may lead to beside that of the document, separated by commas. */
  allowRefs?: string | undefined;
};

/** Whether a text may have a `$ref` to another file, however it is quoted. */
export function refersToFiles(text: string): boolean {
  return external.test(text);
}

// A property of that name is described by an object.
const external = /\$ref["']?\s*:\s*["']?(?!https?:)[^"'#\s{]/;

/**
 * Bundles referenced parts of other files into the document: at the first reference, with
 * references to that place elsewhere. Unreadable parts stay unresolved references. Returns the
 * origin of each part. Throws {@link DocumentError} for a file outside the allowed folders.
 */
export async function bundleFiles(
  document: RawDocument,
  { file, files, allowRefs = '' }: BundleOptions,
): Promise<Places> {
  const places = new Places();
  const top = resolvePath(file);
  const roots = new Map<string, unknown>([[top, document]]);
  const folders = [dirname(top), ...splitList(allowRefs)];
  const allowed = await Promise.all(folders.map((one) => realpath(one).catch(() => one)));
  const read = async (path: string, $ref: string, from: string): Promise<unknown> => {
    files.add(path);
    const real = await findFile(path);
    if (real !== undefined && !allowed.some((folder) => real.startsWith(join(folder, sep))))
      throw new DocumentError(
        `${from === top ? file : from} refers to "${$ref}", which is ${real}, outside the folder of the document. If you trust the document with that, add --allow-refs ${dirname(real)}.`,
      );
    if (real !== undefined && !roots.has(path))
      roots.set(
        path,
        await readFile(real, 'utf8')
          .then(parseText)
          .catch(() => undefined),
      );
    return roots.get(path);
  };
  /** The pointers of the parts of other files in the bundled document. */
  const placed = new Map<string, string>();
  const seen = new Set<unknown>();
  const keepsBeside = /^3\.[1-9]/.test(textOf(document.openapi));
  const visit = async (node: unknown, pointer: string, from: string): Promise<void> => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    await nameAlternatives(node, from);
    for (const key of Object.keys(node)) await enter(node, { key, pointer, from });
  };
  const enter = async (
    holder: RawDocument,
    { key, pointer, from }: { key: string; pointer: string; from: string },
  ): Promise<void> => {
    const at = `${pointer}/${toToken(key)}`;
    const value: unknown = holder[key];
    const target = toTarget(value, from);
    if (!target || (target.path === top && from === top)) return visit(value, at, from);
    const { path, fragment } = target;
    const reference = value as RawDocument;
    const known = findPlaced(target);
    if (known !== undefined) {
      reference.$ref = `#${known}`;
      return visit(reference, at, from);
    }
    const root = await read(path, reference.$ref, from);
    const part = fragment === '' ? root : follow(root as RawDocument, `#${fragment}`);
    if (typeof part !== 'object' || part === null) return;
    const { $ref: _, ...beside } = reference;
    if (keepsBeside && saysMore(reference) && kindAt(at) === 'schema') {
      // What others refer to as well says no more there.
      const own: RawDocument = reference.$defs ?? {};
      let name = 'base';
      while (Object.hasOwn(own, name)) name += '_';
      reference.$defs = { ...own, [name]: { $ref: reference.$ref } };
      reference.$ref = `#${encodeURI(at)}/$defs/${name}`;
      return visit(reference, at, from);
    }
    placed.set(`${path}#${fragment}`, encodeURI(at));
    const isAlone = Object.keys(beside).length === 0;
    holder[key] = isAlone ? part : { ...part, ...beside };
    places.note(holder[key], `${relative(dirname(top), path)}#${fragment}`);
    // It may be a reference again.
    await enter(holder, { key, pointer, from: path });
    if (!isAlone) placed.delete(`${path}#${fragment}`);
  };
  const findPlaced = ({ path, fragment }: Target) =>
    path === top ? fragment : placed.get(`${path}#${fragment}`);
  /** Makes components of the alternatives that a discriminator tells apart, as it names them. */
  const nameAlternatives = async (
    { discriminator, oneOf, anyOf = oneOf }: RawDocument,
    from: string,
  ): Promise<void> => {
    if (!isObject(discriminator) || !Array.isArray(anyOf)) return;
    document.components ??= {};
    await enter(document, { key: 'components', pointer: '', from: top });
    const schemas: unknown = (document.components.schemas ??= {});
    if (!isObject(schemas) || schemas.$ref !== undefined) return;
    for (const one of anyOf) {
      const target = toTarget(one, from);
      if (!target || findPlaced(target) !== undefined) continue;
      let name = target.fragment.split('/').at(-1) || parse(target.path).name;
      while (Object.hasOwn(schemas, name)) name += '_';
      schemas[name] = { $ref: one.$ref };
      await enter(schemas, { key: name, pointer: '/components/schemas', from });
      if (findPlaced(target) === undefined) delete schemas[name];
    }
    const { mapping } = discriminator;
    for (const [value, $ref] of Object.entries(isObject(mapping) ? mapping : {})) {
      const target = toTarget({ $ref }, from);
      const known = target && findPlaced(target);
      if (known !== undefined) mapping[value] = `#${known}`;
    }
  };
  await visit(document, '', top);
  return places;
}

/** Finds a regular file, its symbolic links followed: a pipe or a device may never end. */
async function findFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  const isUsable = found?.isFile() && found.size <= maxBytes;
  return isUsable ? realpath(path).catch(() => undefined) : undefined;
}

type Target = { path: string; fragment: string };

/** The file and the pointer that a reference of a file leads to; undefined for what is none. */
function toTarget(value: unknown, from: string): Target | undefined {
  const $ref = typeof value === 'object' && value !== null && (value as RawDocument).$ref;
  if (typeof $ref !== 'string' || /^[a-z][a-z\d+.-]+:/i.test($ref)) return undefined;
  const [place = '', fragment = ''] = $ref.split('#', 2);
  return { path: place === '' ? from : resolvePath(dirname(from), unescaped(place)), fragment };
}
