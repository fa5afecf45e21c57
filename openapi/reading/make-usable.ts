import { DocumentError } from '../../common/cli/usage-error.ts';
import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { textOf } from '../../common/text-of.ts';
import { type DocumentWarning, listWarnings } from '../model/warnings.ts';
import { follow, forgetMerged, type RawDocument } from '../schema.ts';
import {
  findOverlongSchema,
  type LinkedSchema,
  maxLooks,
  suitsLazyReferences,
} from './endless-schemas.ts';
import type { Fault } from './fault.ts';
import { findFaults, findUnknownFields, hasOperations } from './find-faults.ts';
import { walkDocument } from './parts.ts';
import { Places } from './places.ts';
import { createRepair } from './repairs.ts';
import { shareParts } from './share-parts.ts';
import { convertPart, convertSwagger } from './swagger.ts';
import { createUpgrade } from './upgrade-to-3-1.ts';

/** How a document was written, before it was made one of OpenAPI 3.1 that can be used throughout. */
export type WrittenForm = {
  version: string;
  warnings: readonly DocumentWarning[];
  /** The overlays that were applied, as they were named. */
  overlays?: readonly string[];
  /** Gives where a place, as a JSON pointer without `#`, is in what the user wrote. */
  toPointer: (pointer: string) => string;
};

export type UsableDocument = {
  document: RawDocument;
  written: WrittenForm;
  suitsLazyReferences: boolean;
};

export type MakeUsableOptions = {
  /** How messages name the document. */
  file: string;
  /** The places of parts that were moved while the document was read. */
  places?: Places;
  /** The overlays that were applied when it was read, and what is wrong with them. */
  overlays?: readonly string[];
  warnings?: readonly DocumentWarning[];
  /** Whether the document may be changed; else it is copied for that. */
  isOwn?: boolean;
  /** Refuses what would be a warning. */
  isStrict?: boolean;
};

/** Mending one part may show another. */
const maxRounds = 20;

/**
 * Makes a document of any version one of OpenAPI 3.1 that can be used throughout, without the parts
 * that cannot. Throws {@link DocumentError}.
 */
export function makeUsable(
  given: RawDocument,
  {
    file,
    places = new Places(),
    overlays = [],
    warnings: before = [],
    isOwn = false,
    isStrict = false,
  }: MakeUsableOptions,
): UsableDocument {
  const version = versionOf(given, file);
  const document = isOwn ? given : structuredClone(given);
  const toPointer = (pointer: string) => {
    const place = places.find(document, pointer);
    return place.includes('#') && !place.startsWith('/') ? place : `#${place}`;
  };
  const warnings: DocumentWarning[] = [...before];
  const warn = ({ pointer, problem }: Fault) => {
    if (problem !== undefined) warnings.push({ pointer: toPointer(pointer), problem });
  };
  const isSwagger = version === '2.0';
  const repair = createRepair(places, warn);
  const upgrade = createUpgrade(places);
  shareParts(document, places);
  const written = isSwagger ? walkDocument(document, repair) : [];
  const repaired = new Set(written.map(({ part }) => part));
  if (isSwagger) convertSwagger(document, places);
  forgetMerged(document);
  const named: LinkedSchema[] = [];
  let parts = walkDocument(document, (part, place) => {
    if (isSwagger) convertPart(part, place);
    if (!repaired.has(part)) repair(part, place);
    if (isSwagger || version.startsWith('3.0')) upgrade(part, place);
    for (const fault of findUnknownFields(part, place)) warn(fault);
    if (place.kind === 'schema' && isObject(part) && hasUnread(part))
      named.push({ schema: part, place });
  });
  if (named.length > 0) {
    settleIds(document, named);
    parts = walkDocument(document);
  }
  forgetMerged(document);
  let linked: readonly LinkedSchema[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    if (round > 0) parts = walkDocument(document);
    const { faults, ...found } = findFaults(document, parts, places);
    linked = found.linked;
    if (faults.length === 0) break;
    for (const fault of faults) warn(fault);
    // From the end, as taking one out of a list moves those behind it.
    for (const { mend } of faults.toReversed()) mend();
    forgetMerged(document);
    if (faults.every(({ isSettled }) => isSettled)) break;
  }
  const overlong = findOverlongSchema(linked, document);
  if (overlong !== undefined)
    throw new DocumentError(
      `${file} cannot be used: at ${toPointer(overlong)}, alternatives of alternatives make more than ${maxLooks.toLocaleString('en')} checks of one value; name fewer of them.`,
    );
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
    suitsLazyReferences: suitsLazyReferences(document, linked),
  };
}

/** Returns the version of OpenAPI, or of Swagger. Throws {@link DocumentError} where there is none. */
export function versionOf(given: unknown, file: string): string {
  const { openapi, swagger } = (given ?? {}) as RawDocument;
  // A number of YAML: 3.0 without quotes.
  const version = openapi === 3 ? '3.0' : textOf(openapi ?? swagger ?? '');
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
const unread = new Set('$id id $anchor $dynamicAnchor $schema $async $vocabulary'.split(' '));

function hasUnread(schema: RawDocument): boolean {
  for (const keyword in schema) if (unread.has(keyword)) return true;
  return false;
}

/**
 * Makes references to names (`$id`, `$anchor`) references to places, in place, and takes the names
 * away: validators would read all references below one in another way than the document's.
 */
function settleIds(document: RawDocument, named: readonly LinkedSchema[]): void {
  const places = new Map<string, string>();
  const bases = new Map<string, string>();
  const baseAt = (pointer: string): string => {
    const end = pointer.lastIndexOf('/');
    return bases.get(pointer) ?? (end < 0 ? '' : baseAt(pointer.slice(0, end)));
  };
  const toName = (name: string, pointer: string) =>
    (URL.parse(name, baseAt(pointer) || undefined)?.href ?? name).replace(/#$/, '');
  for (const { schema, place } of named) {
    const { pointer } = place;
    for (const name of [schema.$id, schema.id].filter((one) => typeof one === 'string')) {
      const whole = toName(name, pointer);
      for (const one of [name.replace(/#$/, ''), whole]) places.set(one, pointer);
      bases.set(pointer, whole);
    }
    for (const name of [schema.$anchor, schema.$dynamicAnchor])
      if (typeof name === 'string')
        for (const one of [`#${name}`, toName(`#${name}`, pointer)]) places.set(one, pointer);
  }
  const find = (name: string, pointer: string) =>
    places.get(toName(name, pointer)) ?? places.get(name.replace(/#$/, ''));
  const generic: [RawDocument, Map<string, string>][] = [];
  const dynamic: [RawDocument, string][] = [];
  if (places.size > 0)
    walkDocument(document, (part, place) => {
      if (place.kind !== 'schema' || !isObject(part)) return;
      const { $ref, $dynamicRef } = part;
      const general = typeof $dynamicRef === 'string' && find($dynamicRef, place.pointer);
      if (general) dynamic.push([part, general]);
      if (typeof $ref !== 'string') return;
      const found = $ref.startsWith('#/') ? undefined : find($ref, place.pointer);
      if (found !== undefined) part.$ref = `#${encodeURI(found)}`;
      const bound = placesIn(part, place.pointer);
      if (bound.size > 0) generic.push([part, bound]);
    });
  for (const { schema } of named) for (const name of unread) delete schema[name];
  for (const [schema, bound] of generic) settleGeneric(document, schema, bound);
  for (const [schema, pointer] of dynamic) {
    schema.$ref ??= `#${encodeURI(pointer)}`;
    delete schema.$dynamicRef;
  }
}

/** Returns the places where a schema says what the general one that it refers to is of, by their anchors. */
function placesIn(schema: RawDocument, pointer: string): Map<string, string> {
  const { $ref, $defs, $dynamicAnchor } = schema;
  const places = new Map<string, string>();
  if (typeof $ref !== 'string') return places;
  if (typeof $dynamicAnchor === 'string') places.set(`#${$dynamicAnchor}`, pointer);
  for (const [key, one] of Object.entries(isObject($defs) ? $defs : {}))
    if (isObject(one) && typeof one.$dynamicAnchor === 'string')
      places.set(`#${one.$dynamicAnchor}`, `${pointer}/$defs/${toToken(key)}`);
  return places;
}

/**
 * Resolves a generic schema with a `$dynamicRef`, such as a page of any items, at the reference
 * that binds it, in place.
 */
function settleGeneric(
  document: RawDocument,
  schema: RawDocument,
  places: ReadonlyMap<string, string>,
): void {
  const bind = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(bind);
    if (!isObject(node)) return node;
    const place = places.get(node.$dynamicRef);
    if (place !== undefined) return { $ref: `#${encodeURI(place)}` };
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, bind(inner)]));
  };
  const { $defs: _, ...bound } = bind(follow(document, schema.$ref) ?? {}) as RawDocument;
  schema.allOf = [...(schema.allOf ?? []), bound];
  delete schema.$ref;
}
