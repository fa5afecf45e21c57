import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

/** How the modules for browsers end: as written in a checkout, compiled in the package. */
export const moduleExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * A module of the project as JavaScript for a browser. `toUrl` gives the URL that a browser loads
 * in place of what a module imports, be it a package or a file; without one it stays as it is.
 * Throws where there is no such file.
 */
export function readBrowserCode(
  file: URL,
  toUrl: (imported: string) => string | undefined = () => undefined,
): string {
  const source = readFileSync(file, 'utf8');
  const code = fileURLToPath(file).endsWith('.ts')
    ? withoutWarning(() => stripTypeScriptTypes(source))
    : source;
  return code.replace(
    /(\b(?:from\s*|import\s*\(?\s*))(["'])([^"'\s]+)\2/g,
    (whole, keyword, quote, imported) => {
      const url = toUrl(imported);
      return url === undefined ? whole : `${keyword}${quote}${url}${quote}`;
    },
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
