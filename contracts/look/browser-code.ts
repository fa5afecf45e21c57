import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

/** How the modules for browsers end: as written in a checkout, compiled in the package. */
export const moduleExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * A module of the project as JavaScript for a browser. `bare` gives the URLs of packages, as a
 * browser knows no names of packages. Throws where there is no such file.
 */
export function readBrowserCode(file: URL, bare: Readonly<Record<string, string>> = {}): string {
  const source = readFileSync(file, 'utf8');
  const code = fileURLToPath(file).endsWith('.ts')
    ? withoutWarning(() => stripTypeScriptTypes(source))
    : source;
  return code.replace(
    /(\b(?:from|import)\s*)(["'])([^"'./][^"']*)\2/g,
    (whole, keyword, quote, name) =>
      Object.hasOwn(bare, name) ? `${keyword}${quote}${bare[name]}${quote}` : whole,
  );
}

/** Node warns of the function, whose result is what Node itself runs. */
function withoutWarning<T>(run: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
