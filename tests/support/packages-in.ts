/** The packages that modules name, as they load them. */
export function packagesIn(code: string): string[] {
  const statements = code.matchAll(
    /^import\s(?:[^'";]*?\sfrom\s)?["']([^"'.][^"']*)["']|\bimport\(["']([^"'.][^"']*)["']\)|\bcreateRequire\([^()]*(?:\([^()]*\)[^()]*)?\)\(["']([^"'.][^"']*)["']\)/gm,
  );
  const targets = Array.from(statements, ([, ...found]) => found.find(Boolean) ?? '');
  const names = targets.map((target) =>
    target.split('/', target.startsWith('@') ? 2 : 1).join('/'),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('node:')).toSorted();
}
