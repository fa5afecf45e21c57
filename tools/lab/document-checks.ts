import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInDocument } from '../../common/built-in-document.ts';
import { checks } from '../../contracts/checks/index.ts';
import { compile } from '../../openapi/index.ts';
import { projectFile } from '../../tests/support/twin.ts';
import { toBasis } from './basis.ts';
import { readShownByTraffic, toShownTable } from './traffic/shown-by-traffic.ts';

/**
 * The deployment of the lab that shows each check most plainly; a check that has none is shown by
 * any of them.
 */
const shownBy: Readonly<Record<string, string>> = {
  'reliable-answers': 'intermittent-503',
  'success-status': 'status-listPets-200-is-201',
  'operation-exists': 'orders-missing',
  'key-required': 'auth-listPets-without-key',
  'unknown-id': 'read-unknown-gives-first',
  'invalid-body': 'create-without-name',
  'error-shape': 'error-400-code-missing',
  'error-status': 'error-400-status-unequal',
  'media-type': 'media-listPets-text-plain',
  'body-schema': 'item-deep-id-text',
  'page-size': 'list-default-10',
  filter: 'filter-ignored',
  'created-as-sent': 'create-echo-name',
  'read-back': 'read-name-differs',
  'listed-when-created': 'create-not-listed',
  'unique-ids': 'list-duplicates',
  'refused-leaves-nothing': 'create-stored-although-401',
  'reads-change-nothing': 'safety-list-shrinks',
  'sunset-date': 'read-sunset-other-date',
  'rate-limit-headers': 'headers-limit-missing-everywhere',
  'rate-limit-form': 'headers-limit-float',
  'rate-limit-reset': 'headers-reset-delta',
  'rate-limit-plan': 'headers-plan-pro-60',
  'rate-limit-constant': 'headers-limit-changes',
  'rate-limit-countdown': 'headers-remaining-constant',
  'rate-limit-refusal': 'limit-never-refused',
  'retry-after': 'retry-after-missing',
  'retry-works': 'retry-after-untrue',
  'keys-isolated': 'limit-shared-by-all-keys',
  'webhook-body': 'webhook-body-order-without-id',
  'webhook-signature': 'webhook-signature-changed-afterwards',
};

type PrintedFinding = {
  check: string;
  message: string;
  problems?: string[];
  expected: string;
  actual: string;
};

// Writes docs/checks.md: each check with its clause, and a text that it printed about a deployment
// of the lab.
const folder = mkdtempSync(join(tmpdir(), 'checks-'));
const file = join(folder, 'judgements.json');
const only = Object.values(shownBy).join(',');
try {
  execFileSync(
    process.execPath,
    [projectFile('tools/lab/run-lab.ts'), '--only', only, '--json', file, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  );
} catch {
  // A missed deployment is the kill rate's affair; what was printed about the others is in the file
  // all the same.
}
const judgements = JSON.parse(readFileSync(file, 'utf8')) as {
  id: string;
  drift: PrintedFinding[];
  others: PrintedFinding[];
}[];
rmSync(folder, { recursive: true });
const document = await compile(builtInDocument);
const rows = checks.map((check) => {
  const { id, clause } = check;
  const clearestFirst = judgements.toSorted(
    (left, right) => Number(right.id === shownBy[id]) - Number(left.id === shownBy[id]),
  );
  const example = clearestFirst
    .flatMap(({ drift, others }) => [...drift, ...others])
    .find(({ check }) => check === id);
  const text = example ? `\n\n\`\`\`text\n${toLines(example).join('\n')}\n\`\`\`` : '';
  return `## ${id}\n\n${clause.text} (${toBasis(check, document)})${text}`;
});
const table = toShownTable(await readShownByTraffic());
writeFileSync(
  projectFile('docs/checks.md'),
  `# Checks\n\nWhat \`npm run verify\` checks, in the order of its reports, with an example of what each check prints.\n\n${table}\n\n${rows.join('\n\n')}\n`,
);

function toLines({ message, problems = [], expected, actual }: PrintedFinding): string[] {
  return [
    message,
    ...problems.map((problem) => `  - ${problem}`),
    `  expected  ${expected}`,
    `  got       ${actual}`,
  ];
}
