import { text } from '../../common/cli/option-kinds.ts';
import { readArguments } from '../read-arguments.ts';
import { createSite } from './create-site.ts';

const usage = `Usage: npm run site -- [--out DIR] [--source URL]

Makes the documentation a static site: README.md, docs/, and the reference of the Pet Store. It needs no server and no
network: open index.html from disk, or publish the folder.

{options}
`;

const { values } = readArguments(usage, {
  out: {
    ...text({ value: 'DIR', help: 'folder to write to, which is emptied' }),
    default: 'site',
  },
  source: text({
    value: 'URL',
    help: 'where the files of this project are shown, for links to them; no links without it',
  }),
});
const { files, broken } = await createSite(values);
for (const link of broken) console.error(link);
console.log(`${files} files in ${values.out}, ${broken.length} broken links.`);
process.exitCode = broken.length === 0 ? 0 : 1;
