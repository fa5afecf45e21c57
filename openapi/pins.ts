import { DocumentError } from '../common/cli/usage-error.ts';
import { isObject } from '../common/json.ts';
import { applyAction, toTree } from './apply-overlay.ts';
import { type ApiDocument, builtInDocument, indexDocument, loadDocument } from './document.ts';
import { type Overlay, readOverlay } from './overlay.ts';
import { source } from './source.ts';

/**
 * The document with the pins of an overlay. Its actions may only give silences an `x-pin`, and the
 * document an `x-pinned`: nothing that is stated changes. Throws {@link DocumentError}.
 */
export function applyPins(document: ApiDocument, overlay: Overlay): ApiDocument {
  const { file, actions } = overlay;
  const copy = toTree(document[source].exact);
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
  const pinned = indexDocument(copy, file, { isOwn: true });
  return { ...pinned, file: document.file, written: document.written };
}

/**
 * Reads a document, the built-in one unless a file is named, and gives it the pins of a file if one
 * is named. Throws {@link DocumentError}.
 */
export async function loadPinned({
  spec = builtInDocument,
  overlay,
  allowRefs,
  pins,
  strictSpec = false,
}: {
  spec?: string | undefined;
  overlay?: string | undefined;
  allowRefs?: string | undefined;
  pins?: string | undefined;
  strictSpec?: boolean;
}): Promise<ApiDocument> {
  const document = await loadDocument(spec, { overlay, allowRefs, isStrict: strictSpec });
  return pins === undefined ? document : applyPins(document, await readOverlay(pins));
}

/** The member that pins may give to the node at a place. */
function allowedAt(location: readonly (string | number)[]): string | undefined {
  if (location.length === 0) return 'x-pinned';
  return location.length === 2 && location[0] === 'x-silences' ? 'x-pin' : undefined;
}

function knownSilences({ silences, file }: ApiDocument): string {
  if (silences.length === 0)
    return `${file} has no x-silences, so there is nothing that could be pinned`;
  return `Pin one of the silences: ${silences.map(({ id }) => id).join(', ')}`;
}
