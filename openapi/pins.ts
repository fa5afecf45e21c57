import { DocumentError } from '../common/cli/usage-error.ts';
import { isObject } from '../common/json.ts';
import { applyAction, toTree } from './apply-overlay.ts';
import type { Api } from './model/api.ts';
import { parseOverlay, readOverlay } from './overlay.ts';
import type { RawDocument } from './schema.ts';

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
