import { readFile, stat } from 'node:fs/promises';
import { DocumentError } from '../../common/cli/usage-error.ts';
import { isObject } from '../../common/json.ts';
import { type ParsedText, parseWhole } from '../../common/parse-text.ts';
import type { DocumentWarning } from '../model/warnings.ts';
import type { RawDocument } from '../schema.ts';
import { bundleFiles, refersToFiles } from './bundle-files.ts';
import { fetchText } from './fetch-text.ts';
import { Places } from './places.ts';

/** A document as it was written, with what it refers to in other files brought in. */
export type Source = {
  document: RawDocument;
  places: Places;
  /** The keys that one of its objects has twice, and tabs. */
  warnings: readonly DocumentWarning[];
  /** Whether the text shows that no number needs a bigint. */
  hasDoublesOnly: boolean;
};

const advice = 'Name an OpenAPI file, or the URL of one.';

/**
 * Reads a document from a file, or from a URL that begins with `http://` or `https://`. `files`
 * gets the absolute path of each further file that is read, also where one of them is missing;
 * nothing but a URL that is named itself is fetched. Throws {@link DocumentError}.
 */
export async function readSource(
  place: string,
  { files, allowRefs }: { files: Set<string>; allowRefs?: string | undefined },
): Promise<Source> {
  if (isUrl(place)) return { ...parse(await fetchText(place), place), places: new Places() };
  const found = await stat(place).catch(() => {
    throw new DocumentError(`There is no document at ${place}. ${advice}`);
  });
  if (found.isDirectory()) throw new DocumentError(`${place} is a folder. ${advice}`);
  const bytes = await readFile(place).catch((error: NodeJS.ErrnoException) => {
    throw new DocumentError(`${place} cannot be read as a document: ${error.code}.`);
  });
  const text = bytes.toString();
  const parsed = parse(text, place);
  if (!refersToFiles(text)) return { ...parsed, places: new Places() };
  const places = await bundleFiles(parsed.document, { file: place, files, allowRefs });
  return { ...parsed, places, hasDoublesOnly: false };
}

/** Whether a document is named by its URL. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

function parse(text: string, place: string): Omit<Source, 'places'> {
  const warnings: DocumentWarning[] = [];
  const repeated = 'its object has this key before; the last one is read';
  let parsed: ParsedText;
  try {
    parsed = parseWhole(text, (at, problem = repeated) =>
      warnings.push({ pointer: `#${at}`, problem }),
    );
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    const isEmpty = text.trim() === '';
    throw new DocumentError(
      `${place} cannot be read as a document: ${isEmpty ? 'it contains no object.' : reason}`,
    );
  }
  const { value: document, hasDoublesOnly } = parsed;
  if (isObject(document)) return { document, warnings, hasDoublesOnly };
  throw new DocumentError(`${place} cannot be read as a document: it contains no object.`);
}
