import { dirname, resolve } from 'node:path';
import { applyAction, selectNodes } from '../apply-overlay.ts';
import { type Overlay, parseOverlay, readOverlay } from '../overlay.ts';
import { DocumentError, type RawDocument } from '../schema.ts';
import { isUrl, readSource, type Source } from './read-source.ts';
import type { DocumentWarning } from './warnings.ts';

/** A document after its overlays, the names of these, and their actions that select nothing. */
export type Overlaid = Source & {
  overlays: readonly string[];
  warnings: readonly DocumentWarning[];
};

export type OverlaidOptions = {
  files: Set<string>;
  /** Files of OpenAPI Overlays to apply in this order, separated by commas, or a parsed one. */
  overlay?: string | object | undefined;
  /** Folders that references may lead to beside that of the document, separated by commas. */
  allowRefs?: string | undefined;
};

/**
 * Reads a document as {@link readSource} does, and applies OpenAPI Overlays to it: those named, and
 * where the place is that of an overlay itself, this one to the document that it `extends`. `files`
 * gets each overlay too. Throws {@link DocumentError}.
 */
export async function readOverlaid(
  place: string,
  { overlay, ...options }: OverlaidOptions,
): Promise<Overlaid> {
  const extended = await readExtended(place, options);
  const named = await readNamed(overlay, options.files);
  return named.reduce(overlaidBy, extended);
}

async function readNamed(
  overlay: string | object | undefined,
  files: Set<string>,
): Promise<Overlay[]> {
  if (overlay === undefined) return [];
  if (typeof overlay === 'object') return [parseOverlay(structuredClone(overlay))];
  const names = overlay.split(',').map((name) => name.trim());
  return Promise.all(
    names.filter((name) => name !== '').map((name) => readOverlay(name, { files })),
  );
}

async function readExtended(
  place: string,
  options: Omit<OverlaidOptions, 'overlay'>,
): Promise<Overlaid> {
  const source = await readSource(place, options);
  if (!isOverlay(source.document)) return { ...source, overlays: [], warnings: [] };
  const { extends: target } = source.document;
  if (typeof target !== 'string' || target === '')
    throw new DocumentError(
      `${place} is an OpenAPI Overlay that does not say what it "extends". Name the document that it changes there, or with --spec, and the overlay with --overlay.`,
    );
  const extended = toPlace(target, place);
  if (!isUrl(extended)) options.files.add(extended);
  const { document, moves } = await readSource(extended, options);
  if (isOverlay(document))
    throw new DocumentError(`${place} extends ${target}, which is an overlay too.`);
  const plain = { document, moves, overlays: [], warnings: [] };
  return overlaidBy(plain, parseOverlay(source.document, place));
}

/** Whether what was read changes a document instead of being one. */
function isOverlay({ overlay, openapi, swagger }: RawDocument): boolean {
  return overlay !== undefined && openapi === undefined && swagger === undefined;
}

/** What an overlay extends, relative to itself. */
function toPlace(target: string, place: string): string {
  if (!isUrl(place)) return isUrl(target) ? target : resolve(dirname(place), target);
  if (URL.canParse(target, place) && new URL(target, place).origin === new URL(place).origin)
    return new URL(target, place).href;
  throw new DocumentError(
    `${place} extends ${target}, which is at another address. Download the overlay, and name it as a file.`,
  );
}

function overlaidBy({ document, overlays, warnings, moves }: Overlaid, overlay: Overlay): Overlaid {
  const { file, actions } = overlay;
  const unused: DocumentWarning[] = [];
  const changed = actions.reduce((before, action, index) => {
    const place = { file, number: index + 1 };
    const nodes = selectNodes(before, action, place);
    if (nodes.length === 0)
      unused.push({
        pointer: `${file}#/actions/${index}`,
        problem: `${action.target} selects nothing in the document`,
      });
    return applyAction(before, action, { ...place, nodes });
  }, document);
  return {
    document: changed,
    moves,
    overlays: [...overlays, file],
    warnings: [...warnings, ...unused],
  };
}
