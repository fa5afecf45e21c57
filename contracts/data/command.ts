import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Faker } from '@faker-js/faker';
import { parseBaseUrl } from '../cli/base-url.ts';
import { count } from '../cli/count.ts';
import { createCommand } from '../cli/create-command.ts';
import { text, toggle, wholeNumber } from '../cli/option-kinds.ts';
import { createProgressLine } from '../cli/progress-line.ts';
import { type OptionTable, type Parsed, toHelpLines } from '../cli/read-options.ts';
import { UsageError } from '../cli/usage-error.ts';
import { whyUnwritable } from '../cli/why-unwritable.ts';
import { runOptions } from '../command/options.ts';
import { builtInDocument, loadDocument } from '../description/document.ts';
import { isSkipped, readRecordings } from '../har/read-recordings.ts';
import { SkippedNotes } from '../har/skipped-entry.ts';
import { print, say } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';
import { type CollectedItems, createItemCollector, type ItemCollector } from './collect-items.ts';

/** Every option of the command, in the order of the help. */
const table = {
  baseUrl: text({ value: 'URL', help: 'the deployment whose responses count, including /v1' }),
  out: text({
    value: 'FILE',
    help: 'file to write, .yaml or .json, for --data of the mock; replaced if it exists',
  }),
  fakeNames: toggle('replace names by made-up ones, the same for the same name'),
  seed: wholeNumber({ value: 'N', help: 'seed of the made-up names', min: 0, default: 1 }),
  spec: runOptions.spec,
  allowRefs: runOptions.allowRefs,
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin data: makes items for the mock from recorded responses

Usage: ${command} FILE.har [FILE ...] --base-url URL --out FILE.yaml [options]

Options:
${toHelpLines(table)}

Recordings are HARs of browsers, Playwright and proxies, or JSON Lines; see docs/recordings.md.

Exit codes: 0 written, 2 could not be written, or no items were found.
`;

/** Runs the command and gives its exit code: 0 where the file is written, 2 where it cannot be. */
export const runCommand = createCommand({
  name: 'data',
  table,
  toHelpText,
  example: '--out FILE',
  takesFiles: true,
  run: async (options, { files }) => {
    await writeItems(options, files);
    return 0;
  },
});

async function writeItems(
  { baseUrl: given, out: file, fakeNames, seed, spec, allowRefs }: Parsed<typeof table>,
  files: readonly string[],
): Promise<void> {
  const { out, format } = await readOut(file, files);
  const document = await loadDocument(spec ?? builtInDocument, { allowRefs });
  if (given === undefined)
    throw new UsageError(
      `Name the deployment of the recording: --base-url URL, such as https://host${document.basePath}.`,
    );
  const baseUrl = parseBaseUrl(given, document, 'base URL');
  const change = fakeNames ? await createFakeNames(seed) : <Item>(item: Item) => item;
  const collector = createItemCollector({ document, baseUrl, change });
  for (const file of files) await collect(file, collector);
  const items = collector.items();
  if (items.size === 0) throw new UsageError(explainNothing(collector, baseUrl));
  const comment = `Items of ${baseUrl}, from recorded responses.`;
  await writeOut(out, toDataText(items, { format, comment }));
  const counts = [...items].map(([name, list]) => `${list.length.toLocaleString('en')} of ${name}`);
  const wrote = `Wrote ${out}: ${counts.join(', ')}. Start the mock with --data ${out}.`;
  print([wrote, ...listRest(collector, baseUrl)].map((line) => `${toVisible(line)}\n`).join(''));
}

/** Reads a recording, and says which of its entries are broken. */
async function collect(file: string, collector: ItemCollector): Promise<void> {
  const progress = createProgressLine();
  const skipped = new SkippedNotes((sentence) => {
    progress.clear();
    say('data', sentence);
  });
  try {
    let read = 0;
    for await (const recording of readRecordings(file)) {
      progress.show(`${file}: ${count((read += 1), 'entry', 'entries')} read`);
      if (!isSkipped(recording)) await collector.add(recording);
      else if (['broken', 'too-long'].includes(recording.kind)) skipped.note(file, recording);
    }
  } finally {
    progress.clear();
  }
  skipped.end();
}

function explainNothing({ totals }: ItemCollector, baseUrl: string): string {
  if (totals.unfit > 0)
    return `No item fits the document: ${totals.firstProblem}. Name its document with --spec.`;
  const origins = [...totals.elsewhere.keys()].slice(0, 5);
  const seen = origins.length === 0 ? '' : ` There are calls to ${origins.join(', ')}.`;
  return `No list, read or create of ${baseUrl} succeeded with a recorded body.${seen}`;
}

function listRest({ totals }: ItemCollector, baseUrl: string): string[] {
  const elsewhere = [...totals.elsewhere.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...(elsewhere === 0 ? [] : [`Left out ${count(elsewhere, 'call')} outside ${baseUrl}.`]),
    ...(totals.unfit === 0
      ? []
      : [
          `Left out ${count(totals.unfit, 'item')} that ${totals.unfit === 1 ? 'does' : 'do'} not fit the document: ${totals.firstProblem}.`,
        ]),
  ];
}

async function readOut(
  out: string | undefined,
  files: readonly string[],
): Promise<{ out: string; format: 'json' | 'yaml' }> {
  if (files.length === 0) throw new UsageError('Name a recording, such as calls.har. See --help.');
  const ending = extname(out ?? '').toLowerCase();
  if (out === undefined || !['.yaml', '.yml', '.json'].includes(ending))
    throw new UsageError('Name the file to write, which ends in .yaml or .json: --out FILE.');
  if (files.some((file) => resolve(file) === resolve(out)))
    throw new UsageError(`--out ${out} is a recording that is read. Name another file.`);
  const reason = await whyUnwritable(out);
  if (reason !== undefined) throw new UsageError(`--out ${out} cannot be written: ${reason}.`);
  return { out, format: ending === '.json' ? 'json' : 'yaml' };
}

async function writeOut(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--out ${file} could not be written (${code ?? message}).`);
  }
}

/** Items as the text of a file for `--data`: YAML with an item on each line, or JSON. */
function toDataText(
  items: CollectedItems,
  { format, comment }: { format: 'json' | 'yaml'; comment: string },
): string {
  const lists = [...items].map(([name, list]) => ({ name: JSON.stringify(name), list }));
  if (format === 'json') {
    const members = lists.map(({ name, list }) => `  ${name}: [\n    ${list.join(',\n    ')}\n  ]`);
    return `{\n${members.join(',\n')}\n}\n`;
  }
  const blocks = lists.map(
    ({ name, list }) => `${name}:\n${list.map((json) => `  - ${toFlow(json)}\n`).join('')}`,
  );
  return `# ${comment}\n${blocks.join('')}`;
}

/** JSON is YAML, but for some characters that YAML does not allow as they are. */
function toFlow(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** How often another name is drawn before two names share one with a number after it. */
const maxDraws = 20;

/** Names of members that hold a name, without separators, and what stands in its place. */
const makers: readonly [pattern: RegExp, make: (faker: Faker) => string][] = [
  [/^(?:first|given)name$/, ({ person }) => person.firstName()],
  [/^(?:last|family)name$|^surname$/, ({ person }) => person.lastName()],
  [/^(?:user|login)name$/, ({ internet }) => internet.username()],
  [/^(?:owner|customer|full|display|contact)(?:name)?$/, ({ person }) => person.fullName()],
  [/name$/, ({ animal }) => animal.petName()],
];

/**
 * Replaces names in items by made-up ones: the same for the same name, and others for others. The
 * names follow from the seed.
 */
async function createFakeNames(seed: number): Promise<<Value>(value: Value) => Value> {
  // It takes a while to load.
  const { faker } = await import('@faker-js/faker/locale/en');
  const known = new Map<string, string>();
  const taken = new Set<string>();

  const fake = (name: string, make: (given: Faker) => string): string => {
    const made = known.get(name) ?? draw(name, make);
    known.set(name, made);
    taken.add(made);
    return made;
  };
  const draw = (name: string, make: (given: Faker) => string): string => {
    faker.seed(Number.parseInt(hash('sha256', `${seed} ${name}`).slice(0, 8), 16));
    const drawn = Array.from({ length: maxDraws }, () => make(faker));
    return drawn.find((one) => !taken.has(one)) ?? `${drawn[0]} ${taken.size + 1}`;
  };
  const replace = (value: unknown, member = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(item, member));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, replace(inner, name)]),
      );
    const plain = member.toLowerCase().replace(/[^a-z]/g, '');
    const make = makers.find(([pattern]) => pattern.test(plain))?.[1];
    return typeof value === 'string' && value !== '' && make ? fake(value, make) : value;
  };
  return <Value>(value: Value) => replace(value) as Value;
}
