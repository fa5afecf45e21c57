import { DocumentError } from '../../common/cli/usage-error.ts';
import { isObject } from '../../common/json.ts';
import { splitList } from '../../common/text-of.ts';
import { applyAction, toTree } from '../apply-overlay.ts';
import type { Api } from '../model/api.ts';
import type { DocumentWarning } from '../model/warnings.ts';
import { type Overlay, parseOverlay, readOverlay } from '../overlay.ts';
import type { RawDocument } from '../schema.ts';
import { readSource, type Source } from './read-source.ts';

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

type PinOptions = {
  files: Set<string>;
  compile: (tree: RawDocument, options: object) => Api;
};

/**
 * Gives a document the pins of an overlay: a file, or one that is parsed. Its actions may only give
 * silences an `x-pin`, and the document an `x-pinned`: nothing that is stated changes. Throws {@link
 * DocumentError}.
 */
export async function pin(
  document: Api,
  pins: string | object,
  { files, compile }: PinOptions,
): Promise<Api> {
  const overlay =
    typeof pins === 'string' ? await readOverlay(pins, { files }) : parseOverlay(pins, 'pins');
  const { file, actions } = overlay;
  const copy = toTree(document.exact.asOpenApi());
  for (const [index, action] of actions.entries()) {
    const number = index + 1;
    const fail = (problem: string): never => {
      throw new DocumentError(
        `${file} cannot be used as pins: action ${number} (${action.target}) ${problem}.`,
      );
    };
    const nodes = applyAction(copy, action, { file, number });
    if (nodes.length === 0) fail(`selects nothing. ${knownSilences(document)}`);
    for (const { location } of nodes) {
      const name = allowedAt(location);
      const isPin =
        action.remove !== true &&
        isObject(action.update) &&
        Object.keys(action.update).every((member) => member === name);
      if (!isPin) fail('changes the document, and pins only answer silences');
    }
  }
  const pinned = compile(copy, { file, isOwn: true });
  return { ...pinned, file: document.file, written: document.written };
}

/** The member that pins may give to the node at a place. */
function allowedAt(location: readonly (string | number)[]): string | undefined {
  if (location.length === 0) return 'x-pinned';
  return location.length === 2 && location[0] === 'x-silences' ? 'x-pin' : undefined;
}

function knownSilences({ silences, file }: Api): string {
  if (silences.length === 0)
    return `${file} has no x-silences, so there is nothing that could be pinned`;
  return `Pin one of the silences: ${silences.map(({ id }) => id).join(', ')}`;
}
