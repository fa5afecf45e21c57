import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { toPrinted } from '../../../common/look/print.ts';
import type { Report, RunEvent } from '../../../contracts/report/events.ts';
import { formatReport } from '../../../contracts/report/files.ts';
import { toJsonReport } from '../../../contracts/report/json.ts';
import { toJunitReport } from '../../../contracts/report/junit.ts';
import { toMarkdownReport } from '../../../contracts/report/markdown.ts';
import { createTerminal, toTerminalReport } from '../../../contracts/report/terminal/terminal.ts';
import { drifted, hostile, printed, reportFull, reportOf } from '../../support/report.ts';
import { projectFile } from '../../support/twin.ts';

const lax = { strict: false };

const terminalControls = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028]/u;

/**
 * A stream that keeps what is written to it, and looks like a terminal with an environment of its
 * own.
 */
function fakeOutput({
  isTTY = false,
  env = {},
}: {
  isTTY?: boolean;
  env?: Record<string, string>;
} = {}) {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 80,
    getColorDepth: () => WriteStream.prototype.getColorDepth(env),
  });
  const chunks: string[] = [];
  stream.on('data', (chunk) => chunks.push(String(chunk)));
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => chunks.join('') };
}

/** Returns what a terminal without colours shows. */
function terminalText(report: Report, options = lax): string {
  const { stream } = fakeOutput({ isTTY: true, env: { TERM: 'dumb' } });
  return toTerminalReport(report, { ...options, out: stream });
}

function play(options: { quiet?: boolean; progressOnly?: boolean; isTTY?: boolean }): {
  out: string;
  err: string;
} {
  const { quiet = false, progressOnly = false, isTTY = false } = options;
  const [out, err] = [fakeOutput(), fakeOutput({ isTTY, env: { TERM: 'xterm' } })];
  const terminal = createTerminal({
    ...lax,
    quiet,
    progressOnly,
    out: out.stream,
    err: err.stream,
  });
  const events: RunEvent[] = [
    { type: 'start', targets: drifted.targets, plan: drifted.plan },
    { type: 'stage', target: 'target', stage: 'reads' },
    { type: 'exchange', target: 'target', made: 1 },
    { type: 'stage', target: 'twin', stage: 'creates' },
    { type: 'exchange', target: 'twin', made: 2, left: 4100 },
    { type: 'finish', report: drifted },
  ];
  for (const event of events) terminal.onEvent(event);
  return { out: out.text(), err: err.text() };
}

it('tells the whole run in 80 columns, verdict first', () => {
  expect(
    terminalText(drifted),
  ).toBe(`DRIFT  1 of 2 clauses failed on the target (1 cause: success-status); undecided:
       1 on the twin, 1 on the target.
  target: 3 cases were not made, as the quota of the keys is short

DRIFT  1 finding: a stated clause fails.
  success-status  target, listPets and 1 more
    listPets answers a valid call with another status than the stated one
      - the status is 204
      - and 2 more
    clause    A valid call is answered with exactly the stated success status.
              §4.1, §4.2 (stated)
    docs      https://docs.test/petstore/#success-status
    expected  200
    got       204
    seen      3 times, on listPets (2), createPet (1)
    sent      GET /v1/pets?limit=1 {"name":"Rex"}
    received  204  Content-Type: application/json  {"id":1}
    causes    body-schema, §2, §4 (stated): listPets answers with a body that
              breaks its schema (2 times)
    curl -i -X POST 'http://127.0.0.1:8080/v1/pets'
    curl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:8080/v1/pets?limit=1'

OPERATIONS  Pet Store Service 1.0.0
                         twin                target
  listPets   GET /pets   30 calls, no drift  30 calls, 1 drift
  createPet  POST /pets  10 calls, no drift  not called
  twin: 2 of 2 operations answered with a success
  target: 1 of 2 operations answered with a success

SILENCE MAP  Unspecified behaviour, as observed on each target.
              twin              target
  list-order  by id, ascending  by id, descending
  docs  https://docs.test/petstore/silences.html

UNDECIDED  Clauses without a verdict; they never count as passing.
  challenge on the twin: not exercised (nothing to judge)
  challenge on the target: inconclusive (no call was refused)

DOES NOT APPLY  Checks that do not apply to this document.
  sunset-date: the document has no removal date (x-deprecated-sunset)

NOT CALLED  Operations in the document that verify does not call.
  deletePet (DELETE): no cases for this kind

REFUSED  Operations of which no call was answered with a success, and the last
         answer.
  createPet (POST): 403 {"code":"forbidden"}

LEARNED  What refusals taught about bodies; --save-overlay FILE keeps it for the
         next run.
  createPet (POST): sends categoryId; leaves out status

NOT FUZZED  Optional parameters of reads; they may do more than select, order,
            page or shape.
  target: listPets (refresh)

NOT CLEANED UP  Items that the run created and did not delete; deletePet can
                delete them.
  target, createPet: deletePet answered 409: 1 (121); sent: {"name":"Rex"}

LEFT ALONE  Items that a create returned, or that are new, and that are not
            verified as created by the run. It changed and deleted none of them.
  target, createPet: it was there before: 1 (7); sent: {"name":"Tom"}

TOTALS  Plan 10325c82ae90, seed 1, 172 cases, 3.8 s.
  twin    1 of 2 clauses passed, 1 not exercised; findings:   40 requests, 1.3 s
          none
  target  0 of 2 clauses passed, 1 drift, 1 inconclusive;     40 requests, 2.5 s
          findings: 1 drift
  Calls left out: 2 to another address.

DRIFT  1 of 2 clauses failed on the target (1 cause: success-status); undecided:
       1 on the twin, 1 on the target.
`);
});

it('keeps to 100 columns where it is no terminal', () => {
  const sentence = `a sentence ${'of many words '.repeat(12)}that ends here`;
  const finding = { message: sentence, problems: [sentence], expected: sentence, actual: sentence };
  const text = printed(reportOf([finding], { incomplete: [sentence] }), 'text');
  const lines = text.split('\n').filter((line) => line.includes('many words'));
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(lines.filter((line) => /^ {4}(expected|got)/.test(line))).toHaveLength(2);
  expect(printed(reportOf([{ actual: 'x'.repeat(100_000) }]), 'text')).toMatch(/x{80,} \.\.\.$/m);
});

it('keeps to 80 columns, except for what is to be copied', () => {
  const text = terminalText(
    reportFull(`${hostile.repeat(3)} ${'word '.repeat(60)}${'x'.repeat(300)}`),
  );
  const long = text.split('\n').filter((line) => [...line].length > 80);
  expect(long.filter((line) => !line.startsWith('    curl '))).toEqual([]);
  expect(text).toContain('犬🐕');
});

it('shows the first finding within 40 lines, however large a document and however much is open', () => {
  const report = reportOf([{}], {
    operations: Array.from({ length: 100 }, () => drifted.operations).flat(),
    incomplete: Array.from({ length: 60 }, (_, at) => `target: ${'word '.repeat(30)}${at}`),
  });
  for (const text of [terminalText(report), printed(report, 'text')]) {
    const at = text.split('\n').findIndex((line) => line.startsWith('  success-status  target'));
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(40);
    expect(text).toContain('  and 52 more reasons: see --json or --html\n');
  }
  const markdown = printed(report, 'markdown');
  expect(markdown.indexOf('### Drift')).toBeLessThan(markdown.indexOf('| Operation |'));
});

it('names the first operations of a finding, and counts the others', () => {
  const operations = Array.from({ length: 30 }, (_, at) => ({ id: `list${at}`, count: 30 - at }));
  const text = printed(reportOf([{ operation: 'list0', operations }]), 'text');
  expect(text).toContain('  success-status  target, list0 and 29 more\n');
  expect(text.replaceAll(/\n +/g, ' ')).toContain('list3 (27), list4 (26) and 25 more sent ');
});

it('shows escape sequences instead of obeying them', () => {
  const text = terminalText(reportFull(hostile));
  expect(text).not.toMatch(terminalControls);
  expect(text).toContain('\\x1b[31mred\\x1b]0;title\\x07\\x9b2J\\x7f\\x00\\x08\\r\\n');
  expect(text).toContain('\\u202eevil\\u200b\\u2028');
  expect(text).toContain('\\ud800 \\ufffe');
});

it('begins no line that GitHub Actions would obey', () => {
  const text = toPrinted(
    printed(reportFull(`${'x'.repeat(60)} ::stop-commands::x ##[error]`), 'text'),
  );
  expect(text).toContain('stop-commands');
  expect(text).not.toMatch(/^\s*::|##[\w[]/m);
});

it.each(['json', 'junit', 'html', 'markdown'] as const)(
  'has no command for the log of a build in a report as %s',
  (format) => {
    const report = reportFull(hostile);
    const text = formatReport(report, format, lax);
    expect(text).not.toMatch(/##[\w[]/);
    if (format === 'json') expect(JSON.parse(text)).toEqual(report);
  },
);

it('is coloured on a terminal, and plain for NO_COLOR and elsewhere', () => {
  const paint = (isTTY: boolean, env: Record<string, string>) =>
    toTerminalReport(drifted, { ...lax, out: fakeOutput({ isTTY, env }).stream });
  const coloured = paint(true, { TERM: 'xterm-256color' });
  expect(coloured.startsWith('\x1b[31m\x1b[1mDRIFT')).toBe(true);
  expect(stripVTControlCharacters(coloured)).toBe(terminalText(drifted));
  expect(paint(true, { TERM: 'xterm-256color', NO_COLOR: '1' })).toBe(terminalText(drifted));
  expect(paint(false, { TERM: 'xterm-256color' })).toBe(printed(drifted, 'text'));
});

it('tells of progress on standard error: two lines, and on a terminal one between that goes away', () => {
  const { out, err } = play({});
  expect(out).toBe(printed(drifted, 'text'));
  expect(err).toBe(
    'Verifying twin at http://127.0.0.1:4010/v1 and target at http://127.0.0.1:8080/v1 ...\nMade 80 requests in 3.8 s.\n',
  );
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  onTestFinished(() => void vi.restoreAllMocks());
  const live = play({ isTTY: true }).err;
  expect(stripVTControlCharacters(live)).toContain('  target: reads, 1 request');
  expect(stripVTControlCharacters(live)).toContain('  twin: creates, 2 requests, at most 5 s left');
  expect(live).toContain('\r\x1b[K\x1b[2mMade 80 requests');
});

it('prints nothing when quiet, and leaves standard output alone when that is for JSON', () => {
  expect(play({ quiet: true })).toEqual({ out: '', err: '' });
  expect(play({ quiet: true, isTTY: true })).toEqual({ out: '', err: '' });
  expect(play({ progressOnly: true }).out).toBe('');
  expect(play({ progressOnly: true }).err).toContain('Made 80 requests');
});

it('says first whether the run fails, and why', () => {
  const first = (report: Report, options = lax) => terminalText(report, options).split('\n')[0];
  const clause = {
    id: 'challenge',
    basis: 'standard',
    source: 'RFC 9110 §11.6.1',
    text: 'A 401 names the scheme.',
  } as const;
  const standard = { verdict: 'standard', clause } as const;
  expect(first(reportOf([], { verdict: 'clean', incomplete: [] }))).toBe(
    'CLEAN  No drift: 1 of 2 clauses passed on the twin, 0 of 2 clauses passed on the',
  );
  expect(first(reportOf([], { verdict: 'incomplete' }))).toBe(
    'INCOMPLETE  Not everything was tried, so this is not a pass; no drift: 1 of 2',
  );
  expect(first(reportOf([standard], { verdict: 'drift' }), { strict: true })).toBe(
    'DRIFT  1 of 2 clauses failed on the target (1 cause: challenge); undecided: 1 on',
  );
  expect(first(reportOf([{ target: 'baseline', check: 'baseline' }]))).toBe(
    'DRIFT  1 baseline entry needs fixing; undecided: 1 on the twin, 1 on the target.',
  );
});

it('lists what weighs little briefly, and says how much more there is', () => {
  const text = terminalText(
    reportOf(
      Array.from({ length: 25 }, (_, index) => ({
        verdict: 'difference',
        message: `no. ${index}`,
      })),
    ),
  );
  expect(text).toContain(
    'DIFFERENCE  25 findings: the targets differ where nothing is stated.\n  no. 0 (3 times)\n  no. 1 (3 times)\n',
  );
  expect(text).toContain('  no. 18 (3 times)\n  and 6 more: see --json or --html');
  expect(text).not.toContain('curl');
});

it('writes JUnit XML with a test case for each clause of the target', () => {
  const xml = printed(drifted, 'junit');
  expect(xml).toContain(
    '<testsuites name="1 of 2 clauses failed on the target (1 cause: success-status); undecided: 1 on the twin, 1 on the target." tests="2" failures="1" errors="0" skipped="1" time="3.750">',
  );
  expect(xml).toContain(
    '<testsuite name="target" tests="2" failures="1" errors="0" skipped="1" time="2.500" timestamp="2026-11-21T02:04:56.496Z">',
  );
  expect(xml).toContain(
    '<property name="seed" value="1"/>\n<property name="hash" value="10325c82ae90"/>',
  );
  expect(xml).not.toContain('name="twin"');
  expect(xml).toContain(
    '<testcase classname="target" name="success-status"><failure message="listPets answers a valid call with another status than the stated one" type="drift">',
  );
  expect(xml).toContain(
    '<testcase classname="target" name="challenge"><skipped message="inconclusive: no call was refused"/></testcase>',
  );
  expect(xml).toContain(
    '\nclause: A valid call is answered with exactly the stated success status. §4.1, §4.2 (stated)\n',
  );
});

it('writes the clauses of the mock as JUnit XML where it is verified alone', () => {
  const xml = toJunitReport({ ...drifted, targets: drifted.targets.slice(0, 1) }, lax);
  expect(xml).toContain('<testcase classname="twin" name="success-status"/>');
  expect(xml).toContain('<skipped message="not exercised: nothing to judge"/>');
});

it('fails a JUnit test case for what breaks an RFC only when strict, and for a stale entry of the baseline always', () => {
  const clause = {
    id: 'challenge',
    basis: 'standard',
    source: 'RFC 9110 §11.6.1',
    text: 'A 401 names the scheme.',
  } as const;
  const report = reportOf([{ verdict: 'standard', check: 'challenge', clause }]);
  expect(printed(report, 'junit')).toContain('failures="0"');
  expect(printed(report, 'junit')).toContain('<system-out>standard: ');
  expect(toJunitReport(report, { strict: true })).toMatch(
    /name="challenge"><failure [^>]+type="standard">/,
  );
  const stale = toJunitReport(reportOf([{ target: 'baseline', check: 'baseline' }]), lax);
  expect(stale).toContain('<testsuite name="baseline" tests="1" failures="1"');
  expect(stale).toContain(
    '<testcase classname="baseline" name="baseline: success-status"><failure ',
  );
});

it('keeps JUnit XML well-formed whatever a target sends', () => {
  const xml = toJunitReport(reportFull(hostile), { strict: true });
  expect(xml).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\ufffe\uffff]/u);
  expect(xml).not.toContain(']]>');
  expect(xml).not.toContain('<script');
  const tags = [...xml.matchAll(/<(\/?)([\w?-]+)((?: [\w]+="[^"<]*")*)(\/?|\?)>/g)];
  expect(xml.replace(/<\/?[\w?-]+(?: [\w]+="[^"<]*")*(?:\/?|\?)>/g, '')).not.toMatch(
    /[<>]|&(?!(amp|lt|gt|quot);)/,
  );
  const open: string[] = [];
  for (const [, close, name, , single] of tags.slice(1)) {
    if (close) expect(open.pop()).toBe(name);
    else if (!single) open.push(name as string);
  }
  expect(open).toEqual([]);
});

it('writes Markdown for a pull request', () => {
  const text = printed(drifted, 'markdown');
  expect(text).toMatch(
    /^## ❌ Contract: drift\n\n1 of 2 clauses failed on the target \(1 cause: success-status\);/,
  );
  expect(text).toContain(
    '| Operation | Call | twin | target |\n| --- | --- | --- | --- |\n| listPets | GET /pets | 30 calls, no drift | 30 calls, 1 drift |',
  );
  expect(text).toContain('### Drift: 1 (a stated clause fails; fails the run)');
  expect(text).toContain(
    '```text\n- the status is 204\n- and 2 more\nclause    A valid call is answered with exactly the stated success status. §4.1, §4.2 (stated)\nexpected  200\ngot       204\nseen      3 times, on listPets (2), createPet (1)\nsent      GET /v1/pets?limit=1 ',
  );
  expect(text).toContain(
    `\`\`\`sh\ncurl -i -X POST 'http://127.0.0.1:8080/v1/pets'\ncurl -i -H "Authorization`,
  );
  expect(text).toContain(
    '<summary>Where the interface is silent, the targets differ in 1 thing</summary>',
  );
  expect(text).toContain(
    '| [In which order are animals listed? (§4.1)](<https://docs.test/petstore/silences.html#list-order>) | by id, ascending | by id, descending |',
  );
  expect(toMarkdownReport(reportOf([], { verdict: 'clean' }), lax)).toMatch(
    /^## ✅ Contract: clean/,
  );
});

it('escapes everything from a target in Markdown', () => {
  const text = toMarkdownReport(reportFull(hostile), lax);
  expect(text).not.toMatch(terminalControls);
  const outside = text.replace(/^(`{3,})(?:text|sh)\n[\s\S]*?\n\1$/gm, '');
  expect(outside).not.toMatch(/`|\*\*b|<script|@octocat|#1 |!\[/);
  expect(
    outside.match(/<(?!\/?(details|summary|b|sub)>|!-- -->|https:\/\/docs\.test)/g),
  ).toBeNull();
  expect(outside.replaceAll('](<https://docs.test/', '')).not.toContain('](');
  const table = outside.split('\n').filter((line) => line.startsWith('|'));
  expect(table.map((line) => line.split('|').length - 2).toSorted()).toEqual([3, 3, 3, 4, 4, 4, 4]);
  expect(toMarkdownReport(reportFull('````'), lax)).toContain('`````text\n');
});

it('keeps Markdown under 60,000 characters and says what is left out', () => {
  const many = reportOf(
    Array.from({ length: 400 }, () => ({ message: 'm'.repeat(300), actual: '|'.repeat(900) })),
  );
  const text = printed(many, 'markdown');
  expect(text.length).toBeLessThan(60_000);
  expect(text).toMatch(/_3\d\d more did not fit here: see the JSON or HTML report\._/);
  expect(text.match(/<details>/g)).toHaveLength((text.match(/<\/details>/g) ?? []).length);
  expect(text).toContain('Plan 10325c82ae90');
  const endless = {
    ...reportFull('|'.repeat(70_000)),
    incomplete: Array.from({ length: 500 }, () => '<'.repeat(500)),
  };
  expect(printed(endless, 'markdown').length).toBeLessThan(60_000);
});

type Schema = {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | false;
  items?: Schema | false;
  prefixItems?: Schema[];
};

const schema = JSON.parse(readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8'));
const isValid = new Ajv2020({ allErrors: true, formats: { 'date-time': true } }).compile(schema);

it('publishes a schema that real reports keep', () => {
  for (const report of [
    drifted,
    reportFull(hostile),
    reportOf([], { verdict: 'clean', incomplete: [], silences: [], residue: [] }),
  ]) {
    isValid(JSON.parse(toJsonReport(report)));
    expect(isValid.errors).toBeNull();
  }
});

it('publishes a schema that describes each property of a report, and no other', () => {
  const problems: string[] = [];
  const visit = (given: Schema, value: unknown, at: string): void => {
    const node = given.$ref ? (schema.$defs[given.$ref.replace('#/$defs/', '')] as Schema) : given;
    if (!(given.description ?? node.description)) problems.push(`${at} is not described`);
    if (Array.isArray(value))
      value.forEach(
        (item, index) =>
          void visit(
            described(node.prefixItems?.[index] ?? (node.items as Schema)),
            item,
            `${at}[]`,
          ),
      );
    else if (typeof value === 'object' && value !== null && node.properties) {
      if (node.additionalProperties !== false) problems.push(`${at} is open`);
      const names = new Set([...Object.keys(value), ...Object.keys(node.properties)]);
      for (const name of names) {
        const inner = node.properties[name];
        if (!inner || !Object.hasOwn(value, name)) problems.push(`${at}.${name} is not in both`);
        else visit(inner, (value as Record<string, unknown>)[name], `${at}.${name}`);
      }
    } else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value))
        visit(described(node.additionalProperties as Schema), inner, `${at}.*`);
  };
  visit(schema, drifted, 'report');
  expect(problems).toEqual([]);
});

/** Describes an element of a list or a map, which the list describes otherwise. */
function described(item: Schema): Schema {
  return { description: 'an item', ...item };
}
