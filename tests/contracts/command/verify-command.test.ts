import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { toApplicable } from '../../../contracts/clauses/applicable.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { compile } from '../../../openapi/index.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';
import {
  freeKey,
  keys,
  otherFreeKey,
  proKey,
  quick,
  readingOf,
  startBroken,
  startDeployment,
  useVerify,
  verifyAlone,
} from '../../support/verify-command.ts';

const verify = useVerify();

it('teaches its use, and lists each clause', async () => {
  const [help, list] = await Promise.all([
    verifyAlone(['--help']),
    verifyAlone(['--list-clauses']),
  ]);
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toContain('checks a deployment of the Pet Store Service');
  for (const line of [
    '0    clean, or incomplete (2 with --fail-on-incomplete)',
    '1    drift or unanswered calls; with --strict, a violated RFC or an undocumented status too',
    '2    could not run, or checked nothing',
  ])
    expect(help.out).toContain(`\n  ${line}\n`);
  expect(help.out).toContain(
    'npm run verify -- --target staging --key K --read-only --html report.html',
  );
  for (const option of [
    'target URL',
    'key [NAME=]KEY',
    'no-mock',
    'baseline FILE',
    'junit FILE',
    'strict',
    'wait SECONDS',
  ])
    expect(help.out).toContain(`  --${option} `);
  expect(list).toMatchObject({ code: 0, err: '' });
  const applicable = toApplicable(await compile(builtInDocument), checks);
  for (const { id, clause } of applicable.checks)
    expect(list.out).toMatch(new RegExp(`^${id} +${clause.basis} +§?.+\\n +.+`, 'm'));
});

it('finds the twin clean, RFCs included, and writes every report', async () => {
  const folder = makeFolder();
  const files = Object.fromEntries(
    ['json', 'junit', 'html', 'markdown'].map((name) => [name, join(folder, name)]),
  );
  const summary = join(folder, 'summary');
  const { code, out, err } = await verifyAlone(
    [
      '--strict',
      '--github',
      ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]),
    ],
    { GITHUB_STEP_SUMMARY: summary },
  );
  expect(err).toMatch(
    /^Verifying twin at http:\/\/127\.0\.0\.1:\d+\/v1 \.\.\.\nMade \d+ requests in [\d.]+ s\.\n$/,
  );
  expect(out).toMatch(
    /^CLEAN {2}No drift: (all \d+|\d+ of \d+) clauses passed on the twin(; undecided: \d)?\.\n/,
  );
  expect(out).toMatch(/^::notice title=Contract%3A clean::/m);
  expect(code).toBe(0);
  const read = (name: string) => readFileSync(files[name] as string, 'utf8');
  const schema = JSON.parse(
    readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8'),
  );
  const isValid = new Ajv2020({ allErrors: true, formats: { 'date-time': true } }).compile(schema);
  isValid(JSON.parse(read('json')));
  expect(isValid.errors).toBeNull();
  expect(read('junit')).toContain('failures="0" errors="0"');
  expect(read('html')).toContain('<!doctype html>');
  expect(read('markdown')).toContain('## ✅ Contract: clean');
  expect(readFileSync(summary, 'utf8')).toBe(read('markdown'));
});

it('exits with 1 on drift, behind any path prefix, and lets no key into any output', async () => {
  const { url } = await startBroken({ prefix: '/shops/7' });
  const folder = makeFolder();
  const files = ['json', 'junit', 'html', 'markdown'].flatMap((name) => [
    `--${name}`,
    join(folder, name),
  ]);
  const withKeys = [
    '--key',
    `free=${freeKey}`,
    '--key',
    `free=${otherFreeKey}`,
    '--key',
    `pro=${proKey}`,
  ];
  const { code, out, err } = await verify(['--target', url, ...withKeys, '--github', ...files]);
  expect(code).toBe(1);
  expect(out).toMatch(/^DRIFT {2}\d+ of \d+ clauses failed on the target \(2 causes: /);
  expect(out).toMatch(/^ {2}listPets +GET \/pets +\d+ calls, no drift +\d+ calls, \d+ drift$/m);
  expect(out).toContain('sent      GET /shops/7/v1/pets?limit=1');
  expect(out).toContain(`curl -i -H "Authorization: Bearer $KEY" '${url}/pets?limit=1'`);
  expect(out).toContain('::error title=drift%3A ');
  expect(out).not.toContain('\u001b');
  const report: Report = JSON.parse(readFileSync(join(folder, 'json'), 'utf8'));
  expect(report.verdict).toBe('drift');
  expect(
    report.findings.filter(({ verdict }) => verdict === 'drift').map(({ target }) => target),
  ).not.toContain('twin');
  expect(report.targets[1]?.url).toBe(url);
  expect(readFileSync(join(folder, 'junit'), 'utf8')).toMatch(
    /<testcase classname="target" name="success-status"><failure /,
  );
  const texts = [
    out,
    err,
    ...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
  ];
  expect(texts).toHaveLength(6);
  for (const text of texts)
    for (const key of Object.keys(keys)) expect(text.toLowerCase()).not.toContain(key.slice(0, -1));
  expect(texts[0]).toContain('$KEY');
});

it('says in one line why it cannot run, and exits with 2', async () => {
  const { url } = await startDeployment();
  const target = ['--target', url];
  const key = ['--key', proKey];
  const folder = makeFolder();
  const broken = join(folder, 'openapi.yaml');
  writeFileSync(broken, 'openapi: 3.1.0\npaths: [');
  const cases: [args: string[], message: string][] = [
    [
      ['--target', 'http://127.0.0.1:9/v1', ...key, '--no-mock'],
      'The target at http://127.0.0.1:9/v1 cannot be reached: the connection was refused (ECONNREFUSED); check that ',
    ],
    [
      ['--target', url.replace(/v1$/, 'wrong/v1'), ...key, '--no-mock'],
      `/wrong/v1 knows none of the operations: it answers 404 to every call, e.g. GET /pets. Is its path right?`,
    ],
    [['--spec', broken], 'openapi.yaml'],
    [
      ['--only', 'listpets'],
      '"listpets" is not an operation, check or § of the interface. Did you mean listPets? Operations: listPets,',
    ],
    [['--skip', 'filters'], 'Did you mean filter?'],
    [[...target, ...key, ...quick, '--only', 'getPet', '--skip', 'getPet'], 'No check ran.'],
    [
      ['--json', join(folder, 'no', 'r.json')],
      `r.json cannot be written: there is no folder ${join(folder, 'no')}.`,
    ],
    [['--html', folder], 'cannot be written: it is a folder, not a file.'],
    ...(existsSync('/proc/self')
      ? [
          [
            ['--html', '/proc/r.html'],
            '--html /proc/r.html cannot be written: the folder /proc takes no new file (ENOENT).',
          ] satisfies [string[], string],
        ]
      : []),
    [
      ['--junit', join(folder, 'r'), '--markdown', `${folder}/./r`],
      '--junit and --markdown name the same file',
    ],
  ];
  const runs = await Promise.all(
    cases.map(([args], index) => (index === 0 ? verifyAlone(args) : verify(args))),
  );
  for (const [index, { code, out, err }] of runs.entries()) {
    const message = err.split('\n').filter((line) => !line.startsWith('Verifying '));
    expect(message[0]).toContain(cases[index]?.[1]);
    expect(message, err).toHaveLength(2);
    expect(err).toContain('petstore-twin verify: ');
    expect(err).not.toMatch(/sk-live|bug in the suite|node:internal|\n +at /);
    expect(out).toBe('');
    expect(code).toBe(2);
  }
}, 120_000);

it('sends nothing when a report cannot be written, and writes the others when one fails at the end', async () => {
  const { url, calls } = await startDeployment();
  const folder = makeFolder();
  const run = (...more: string[]) => verify([...readingOf(url), ...more]);
  expect((await run('--html', join(folder, 'no', 'report.html'))).code).toBe(2);
  expect(calls()).toBe(0);
  if (!existsSync('/dev/full')) return;
  const { code, out, err } = await run('--json', '/dev/full', '--junit', join(folder, 'junit.xml'));
  expect(code).toBe(2);
  expect(err).toContain('petstore-twin verify: --json /dev/full could not be written (ENOSPC).\n');
  expect(out).toMatch(/^CLEAN/);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('</testsuites>');
});

it('exits with 2 for an incomplete run where that is to fail, and with 1 for drift all the same', async () => {
  const [fair, broken] = await Promise.all([startDeployment(), startBroken()]);
  const run = (url: string, maxRequests: number, ...more: string[]) =>
    verify([
      ...[...readingOf(url), '--quiet'],
      ...['--max-requests', String(maxRequests), ...more],
    ]);
  const [incomplete, failed, drift, whole] = await Promise.all([
    run(fair.url, 40),
    run(fair.url, 40, '--fail-on-incomplete'),
    run(broken.url, 40, '--fail-on-incomplete'),
    run(fair.url, 900, '--fail-on-incomplete'),
  ]);
  expect(incomplete).toEqual({ code: 0, out: '', err: '' });
  expect(failed).toMatchObject({ code: 2, out: '' });
  expect(failed.err).toMatch(
    /^petstore-twin verify: The run is incomplete \(target: \d+ cases were not made, as the run may make 40 requests \(--max-requests\)\), so --fail-on-incomplete fails it\.\n$/,
  );
  expect(drift).toMatchObject({ code: 1, err: '' });
  expect(whole).toEqual({ code: 0, out: '', err: '' });
});

it('prints one report alone when standard output is for that', async () => {
  const { url } = await startBroken();
  const shapes = {
    junit: /^<\?xml.+<\/testsuites>\n$/s,
    html: /^<!doctype html>.+<\/html>\n$/s,
    markdown: /^## /,
  };
  const run = (format: string) => verify([...readingOf(url), `--${format}`, '-']);
  const json = await run('json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ verdict: 'drift', plan: { seed: 1 } });
  for (const [format, shape] of Object.entries(shapes))
    expect(await run(format)).toMatchObject({ code: 1, out: expect.stringMatching(shape) });
});

it('calls findings known that the baseline lists, and fails for entries that are stale', async () => {
  const { url } = await startBroken();
  const file = join(makeFolder(), 'baseline.json');
  const entry = { reason: 'ticket 7', owner: 'pets', expires: '2999-01-31' };
  const run = (...clauses: string[]) => {
    writeFileSync(file, JSON.stringify(clauses.map((clause) => ({ ...entry, clause }))));
    const only = ['--only', 'success-status', '--only', 'filter'];
    return verify([...readingOf(url), ...only, '--baseline', file]);
  };
  const known = await run('success-status');
  expect(known.out).toMatch(/^KNOWN {2}\d+ findings?: listed in the baseline, with a reason\.$/m);
  expect(known).toMatchObject({ code: 0, out: expect.stringMatching(/^CLEAN/) });
  const stale = await run('success-status', 'filter');
  expect(stale.out).toMatch(/^DRIFT {2}1 baseline entry needs fixing[.;]/);
  expect(stale.out).toContain('the baseline entry for filter no longer matches a finding');
  expect(stale.code).toBe(1);
}, 120_000);
