import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFile } from './twin.ts';

const imports = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

/**
 * The modules of `tests/support`, by name, that the chosen test files import, themselves or by others.
 * `filters` are those of Vitest: a file is chosen if its path contains one, and all are if none is.
 */
export function supportOf(filters: readonly string[]): ReadonlySet<string> {
  const root = projectFile('.');
  const all = globSync('tests/**/*.test.ts', { cwd: root });
  const chosen = all.filter((file) => filters.some((filter) => file.includes(filter)));
  const seen = new Set<string>();
  const visit = (file: string) => {
    const path = join(root, file);
    // Texts of modules that tests write have imports, too.
    if (seen.has(file) || !file.startsWith('tests/') || !existsSync(path)) return;
    seen.add(file);
    for (const [, first, second] of readFileSync(path, 'utf8').matchAll(imports))
      if ((first ?? second)?.endsWith('.ts'))
        visit(join(dirname(file), first ?? (second as string)));
  };
  for (const file of chosen.length === 0 ? all : chosen) visit(file);
  return new Set([...seen].map((file) => file.replace(/^tests\/support\//, '')));
}
