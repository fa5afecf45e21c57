import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from '../../contracts/checks/index.ts';
import { projectFile } from '../support/twin.ts';

// Writes docs/checks.md: each check with its clause, and a text that it printed about a deployment of the lab.
const folder = mkdtempSync(join(tmpdir(), 'checks-'));
const file = join(folder, 'judgements.json');
try {
  execFileSync(process.execPath, [projectFile('tests/lab/run-lab.ts'), '--json', file, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
} catch {
  // A missed deployment is the kill rate's affair; what was printed about the others is in the file all the same.
}
const judgements = JSON.parse(readFileSync(file, 'utf8')) as { drift: Printed[]; others: Printed[] }[];
rmSync(folder, { recursive: true });
const printed = judgements.flatMap(({ drift, others }) => [...drift, ...others]);
const rows = checks.map(({ id, clause }) => {
  const example = printed.find(({ check }) => check === id);
  const text = example
    ? `\n\n\`\`\`text\n${example.message}\n  expected  ${example.expected}\n  got       ${example.actual}\n\`\`\``
    : '';
  return `## ${id}\n\n${clause.text} (${clause.basis}: ${clause.source})${text}`;
});
writeFileSync(
  projectFile('docs/checks.md'),
  `# Checks\n\nWhat \`npm run verify\` holds a deployment against, in the order of its reports, each with a text that it printed.\n\n${rows.join('\n\n')}\n`,
);

type Printed = { check: string; message: string; expected: string; actual: string };
