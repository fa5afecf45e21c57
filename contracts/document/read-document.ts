import { builtInDocument } from '../../common/built-in-document.ts';
import { type Api, compile } from '../../openapi/index.ts';
import { withoutNested } from './without-nested.ts';

/** Settings that name a document, as commands have them. */
export type DocumentSettings = {
  spec?: string | undefined;
  overlay?: string | undefined;
  allowRefs?: string | undefined;
  pins?: string | undefined;
  strictSpec?: boolean;
};

/**
 * Reads the document that settings name, the built-in one where they name none: as it states it, or
 * with what the mock supposes besides. Throws {@link DocumentError}.
 */
export function readDocument(
  { spec = builtInDocument, strictSpec = false, overlay, allowRefs, pins }: DocumentSettings,
  { isStated = true } = {},
): Promise<Api> {
  return compile(spec, { overlay, allowRefs, pins, isStrict: strictSpec, isStated });
}

/** Reads it as the suite judges it: the collections that have one path. */
export async function readToJudge(settings: DocumentSettings): Promise<Api> {
  return withoutNested(await readDocument(settings));
}
