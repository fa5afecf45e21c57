import { globSync, readFileSync } from 'node:fs';

/** The name, version and licence text of each package that modules are of. Throws where one has none. */
export function licensesOf(modules: readonly string[]): string[] {
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [],
  );
  return [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(`${folder}/package.json`, 'utf8'),
    ) as Record<string, string>;
    const [file] = globSync(`${folder}/{LICEN[SC]E,licen[sc]e}*`);
    if (file === undefined)
      throw new Error(`${name} has no licence text, so it cannot be bundled.`);
    return `## ${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
  });
}
