import { readArguments } from '../read-arguments.ts';
import { createSite } from './create-site.ts';

const usage = `Usage: npm run site -- [--out DIR] [--source URL]

Makes the documentation a static site: README.md, docs/, and the reference of the Pet Store. It needs no server and no
network: open index.html from disk, or publish the folder.

  --out DIR     folder to write to, which is emptied (default: site)
  --source URL  where the files of this project are shown, which links to them lead to, such as
                https://github.com/OWNER/petstore-twin/blob/main; without it, they are no links
`;

const { values } = readArguments(usage, {
  options: { out: { type: 'string', default: 'site' }, source: { type: 'string' } },
});
const { files, broken } = await createSite(values);
for (const link of broken) console.error(link);
console.log(`${files} files in ${values.out}, ${broken.length} broken links.`);
process.exitCode = broken.length === 0 ? 0 : 1;
