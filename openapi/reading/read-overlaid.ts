import { splitList } from '../../common/text-of.ts';
import { applyAction, toTree } from '../apply-overlay.ts';
import type { DocumentWarning } from '../model/warnings.ts';
import { type Overlay, parseOverlay, readOverlay } from '../overlay.ts';
import { readSource, type Source } from './read-source.ts';

// Loaded together, where there are any overlays.
export { pin } from '../pins.ts';

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
 * Reads a document as {@link readSource} does, and applies OpenAPI Overlays to it. `files` gets each
 * overlay too. Throws {@link DocumentError}.
 */
export async function readOverlaid(
  place: string,
  { overlay, ...options }: OverlaidOptions,
): Promise<Overlaid> {
  const source = await readSource(place, options);
  const named = await readNamed(overlay, options.files);
  return named.reduce(overlaidBy, { ...source, overlays: [] });
}

async function readNamed(
  overlay: string | object | undefined,
  files: Set<string>,
): Promise<Overlay[]> {
  if (overlay === undefined) return [];
  if (typeof overlay === 'object') return [parseOverlay(structuredClone(overlay))];
  return Promise.all(splitList(overlay).map((name) => readOverlay(name, { files })));
}

function overlaidBy(
  { document, overlays, warnings, places }: Overlaid,
  overlay: Overlay,
): Overlaid {
  const { file, actions } = overlay;
  const changed = toTree(document);
  const unused = actions.flatMap((action, index) => {
    const nodes = applyAction(changed, action, { file, number: index + 1 });
    if (nodes.length > 0) return [];
    const problem = `${action.target} selects nothing in the document`;
    return [{ pointer: `${file}#/actions/${index}`, problem }];
  });
  return {
    places,
    hasDoublesOnly: false,
    document: changed,
    overlays: [...overlays, file],
    warnings: [...warnings, ...unused],
  };
}
