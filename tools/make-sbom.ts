/**
 * Writes the contents of the installed package as CycloneDX JSON: `node tools/make-sbom.ts FOLDER >
 * FILE`. Adds bundled libraries to the list of npm.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

type Component = {
  'bom-ref': string;
  type: 'library';
  name: string;
  version: string;
  purl: string;
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
  components?: Component[];
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder in which the package is installed.');
const bom = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: folder, encoding: 'utf8' }),
) as {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string }[];
};
const own = bom.components.find(({ name }) => name === packageJson.name);
if (!own) throw new Error(`${packageJson.name} is not installed in ${folder}.`);
const notice = join(folder, 'node_modules', packageJson.name, 'dist/THIRD-PARTY.md');
own.components = readFileSync(notice, 'utf8')
  .matchAll(/^## (\S+) (\d+\.\d+\.\d+\S*) \((.+)\)$/gm)
  .map(([, name = '', version = '', expression = '']): Component => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licenses = [{ expression }];
    return {
      'bom-ref': `bundled:${name}@${version}`,
      type: 'library',
      name,
      version,
      purl,
      licenses,
    };
  })
  .toArray();
const { 'bom-ref': root } = bom.metadata.component;
bom.metadata.component = own;
bom.components = bom.components.filter((one) => one !== own);
bom.dependencies = bom.dependencies.filter(({ ref }) => ref !== root);
const all = [own, ...bom.components, ...own.components];
const unlicensed = all.filter(({ licenses = [] }) => licenses.length === 0);
if (unlicensed.length > 0)
  throw new Error(`No licence is named by ${unlicensed.map(({ purl }) => purl).join(', ')}.`);
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
