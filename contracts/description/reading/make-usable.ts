import { hasSchemaCircles, referToSchemaCircles } from '../own-circles.ts';
import { DocumentError, follow, type RawDocument } from '../schema.ts';
import type { Steps } from '../steps.ts';
import { convertSwagger } from './convert-swagger.ts';
import { type FindFaultsOptions, findFaults, hasOperations } from './find-faults.ts';
import { type Moves, toFormerPointer } from './moves.ts';
import { upgradeTo31 } from './upgrade-to-3-1.ts';
import { isRecord, walkDocument } from './walk.ts';
import { type DocumentWarning, listWarnings } from './warnings.ts';

/** How a document was written, before it was made one of OpenAPI 3.1 that can be used throughout. */
export type Written = {
  /** The version of OpenAPI, or of Swagger. */
  version: string;
  /** The parts that cannot be used. */
  warnings: readonly DocumentWarning[];
  /** The overlays that were applied, as they were named. */
  overlays?: readonly string[];
  /** Gives where a place, as a JSON pointer without `#`, is in what the user wrote. */
  toPointer: (pointer: string) => string;
};

export type UsableDocument = { document: RawDocument; written: Written };

export type MakeUsableOptions = {
  /** How messages name the document. */
  file: string;
  /** What was moved when the document was read. */
  moves?: Moves;
  /** The overlays that were applied when it was read, and what is wrong with them. */
  overlays?: readonly string[];
  warnings?: readonly DocumentWarning[];
  /** Whether the document may be changed; else it is copied for that. */
  isOwn?: boolean;
  /** Refuses what would be a warning. */
  isStrict?: boolean;
} & Partial<Pick<FindFaultsOptions, 'allowsSamePaths'>>;

/** Mending one part may show another. */
const maxRounds = 20;

/**
 * Makes a document of any version one of OpenAPI 3.1 that can be used throughout, without the parts
 * that cannot, in steps. Throws {@link DocumentError}.
 */
export function* makeUsable(
  given: RawDocument,
  {
    file,
    moves: read = new Map(),
    overlays = [],
    warnings: before = [],
    isOwn = false,
    isStrict = false,
    allowsSamePaths = false,
  }: MakeUsableOptions,
): Steps<UsableDocument> {
  let document = given;
  let owned = isOwn;
  const own = (): RawDocument => {
    if (!owned) document = structuredClone(document);
    owned = true;
    return document;
  };
  const version = versionOf(given, file);
  if (hasSchemaCircles(document)) referToSchemaCircles(own());
  yield;
  const moves: Moves[] = [read];
  if (version === '2.0') moves.unshift(convertSwagger(own()));
  yield;
  if (/^(2|3\.0)/.test(version)) moves.unshift(upgradeTo31(own()));
  yield;
  const mended = new Map<string, string>();
  moves.unshift(mended);
  const toPointer = (pointer: string) => {
    const former = toFormerPointer(pointer, moves);
    return former.includes('#') && !former.startsWith('/') ? former : `#${former}`;
  };
  if (hasIds(document)) settleIds(own());
  yield;
  const warnings: DocumentWarning[] = [...before];
  for (let round = 0; round < maxRounds; round += 1) {
    const wasOwned = owned;
    let faults = yield* findFaults(document, { moves: mended, allowsSamePaths });
    if (faults.length === 0) break;
    if (!wasOwned) faults = yield* findFaults(own(), { moves: mended, allowsSamePaths });
    for (const { pointer, problem } of faults)
      if (problem !== undefined) warnings.push({ pointer: toPointer(pointer), problem });
    // From the end, as taking one out of a list moves those behind it.
    for (const { mend } of faults.toReversed()) mend();
    yield;
  }
  if (!hasOperations(document))
    warnings.push({
      pointer: '#/paths',
      problem: 'it describes no operation that could be served',
    });
  if (isStrict && warnings.length > 0)
    throw new DocumentError(
      `${file} cannot be used under --strict-spec: ${listWarnings(warnings)}`,
    );
  return {
    document,
    written: { version, warnings, ...(overlays.length > 0 && { overlays }), toPointer },
  };
}

function versionOf(given: unknown, file: string): string {
  const { openapi, swagger } = (given ?? {}) as RawDocument;
  const version = String(openapi ?? swagger ?? '');
  if (/^3\.[012](\.|$)/.test(version) && openapi !== undefined) return version;
  if (/^2(\.0+)*$/.test(version) && swagger !== undefined) return '2.0';
  const expected = 'it must be 3.0, 3.1 or 3.2, or "swagger" 2.0';
  throw new DocumentError(
    version === ''
      ? `${file} is not an OpenAPI document: "openapi" is missing; ${expected}.`
      : `${file} is not an OpenAPI document that can be read: ${openapi === undefined ? '"swagger"' : '"openapi"'} is ${version}; ${expected}.`,
  );
}

/** Keywords that name a schema, or would make a validator look for schemas elsewhere. */
const unread = ['$id', 'id', '$anchor', '$dynamicAnchor', '$schema', '$async', '$vocabulary'];

/** Whether a schema of a document has a name of its own, as JSON Schema allows. */
function hasIds(document: RawDocument): boolean {
  let found = false;
  walkDocument(document, (part, { kind }) => {
    found ||=
      kind === 'schema' && isRecord(part) && unread.some((name) => Object.hasOwn(part, name));
  });
  return found;
}

/**
 * Makes references to names (`$id`, `$anchor`) references to places, in place, and takes the names
 * away: validators would read all references below one in another way than the document's.
 */
function settleIds(document: RawDocument): void {
  const places = new Map<string, string>();
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind !== 'schema' || !isRecord(part)) return;
    for (const name of [part.$id, part.id])
      if (typeof name === 'string') places.set(name.replace(/#$/, ''), pointer);
    for (const name of [part.$anchor, part.$dynamicAnchor])
      if (typeof name === 'string') places.set(`#${name}`, pointer);
  });
  walkDocument(document, (part, { kind }) => {
    if (kind !== 'schema' || !isRecord(part)) return;
    const place =
      typeof part.$ref === 'string' ? places.get(part.$ref.replace(/#$/, '')) : undefined;
    if (place !== undefined) part.$ref = `#${encodeURI(place)}`;
  });
  settleGenerics(document);
  walkDocument(document, (part, { kind }) => {
    if (kind !== 'schema' || !isRecord(part)) return;
    for (const name of unread) delete part[name];
  });
}

/** A schema that is told what it is general about: names of dynamic anchors, and where those are. */
type Bound = { schema: RawDocument; anchors: ReadonlyMap<string, string> };

/**
 * Puts schemas that are general by a `$dynamicRef`, such as a page of anything, in the places that
 * refer to them and say with a `$dynamicAnchor` of their own what of, in place. References have to
 * be such to places already.
 */
function settleGenerics(document: RawDocument): void {
  const found: Bound[] = [];
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind !== 'schema' || !isRecord(part) || !isRecord(part.$defs)) return;
    if (typeof part.$ref !== 'string') return;
    const anchors = Object.entries(part.$defs).flatMap(([key, inner]): [string, string][] => {
      const name = isRecord(inner) ? inner.$dynamicAnchor : undefined;
      return typeof name === 'string' ? [[name, `${pointer}/$defs/${toKey(key)}`]] : [];
    });
    if (anchors.length > 0) found.push({ schema: part, anchors: new Map(anchors) });
  });
  for (const { schema, anchors } of found) {
    const general = follow(document, schema.$ref);
    if (!isRecord(general)) continue;
    const bound = bind(general, anchors, new Map());
    if (!bound.isGeneral) continue;
    const { $defs: _, ...copy } = bound.copy as RawDocument;
    schema.allOf = [...(schema.allOf ?? []), copy];
    delete schema.$ref;
  }
}

function toKey(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A copy of a schema with places for its dynamic references, and whether it has any of them. */
function bind(
  node: unknown,
  anchors: Bound['anchors'],
  seen: Map<object, unknown>,
): { copy: unknown; isGeneral: boolean } {
  if (typeof node !== 'object' || node === null) return { copy: node, isGeneral: false };
  const before = seen.get(node);
  if (before !== undefined) return { copy: before, isGeneral: false };
  const copy: RawDocument = Array.isArray(node) ? [] : {};
  seen.set(node, copy);
  let isGeneral = false;
  for (const [key, inner] of Object.entries(node)) {
    const place = key === '$dynamicRef' ? anchors.get(String(inner).replace(/^#/, '')) : undefined;
    const bound = bind(inner, anchors, seen);
    if (place === undefined) copy[key] = bound.copy;
    else copy.$ref = `#${encodeURI(place)}`;
    isGeneral ||= bound.isGeneral || place !== undefined;
  }
  return { copy, isGeneral };
}
