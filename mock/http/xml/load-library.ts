import { createRequire } from 'node:module';

/** Loads `fast-xml-parser` at the first XML: most documents describe none. */
export function loadLibrary(): typeof import('fast-xml-parser') {
  return createRequire(import.meta.url)('fast-xml-parser');
}
