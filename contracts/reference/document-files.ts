import { dump } from 'js-yaml';
import type { RawDocument } from '../description/schema.ts';
import type { ReferenceFile } from './assets.ts';
import { toJsonText } from './json-view.ts';

/** The document itself, as JSON and as YAML. */
export const documentFiles: ReadonlyMap<string, (raw: RawDocument) => ReferenceFile> = new Map([
  [
    'openapi.json',
    (raw: RawDocument) => ({ mediaType: 'application/json', text: `${toJsonText(raw)}\n` }),
  ],
  [
    'openapi.yaml',
    (raw: RawDocument) => ({ mediaType: 'application/yaml', text: dump(raw, { noRefs: true }) }),
  ],
]);
