import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { authoritiesFile } from '../../support/domain-site.ts';
import { platform, type StandOptions, standing, startStand } from '../../support/domain-stand.ts';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { projectFile } from '../../support/twin.ts';
import { type Run, temporaryFolder } from '../../support/verify-command.ts';

const docs = 'docs.example.test';

const run = useRepeatedRuns('domains');

/** Runs the command in the one process for all runs of this file. */
async function domains(args: readonly string[]): Promise<Run> {
  const { code, stdout: out, stderr: err } = await run(args);
  return { code, out, err };
}

/** The arguments that check a domain of a stand. */
async function argumentsFor(options: StandOptions = {}): Promise<string[]> {
  const { server, site } = await startStand(options);
  return [
    ...['check', `${docs}:${site.port}`, '--target', platform],
    ...['--dns-server', `127.0.0.1:${server.port}`, '--ca', authoritiesFile],
  ];
}

const broken: StandOptions = {
  certificate: 'other-name',
  records: [
    ...standing.filter(({ name }) => name !== docs),
    { name: docs, type: 'CNAME', domain: 'old.host.test', ttl: 300 },
    { name: 'old.host.test', type: 'A', address: '127.0.0.1' },
  ],
};

it('exits with 0 where nothing is broken, and names what cannot be seen', async () => {
  const args = await argumentsFor();
  const { code, out, err } = await domains(args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(
    /^CLEAN {2}No drift: docs\.example\.test:\d+ keeps 5 of 12 clauses; not judged: 7\.\n/,
  );
  expect(out).toContain(
    'paid-plan, deployed, verified, several: unobserved (only the dashboard knows)\n',
  );
  expect(out).toMatch(/TOTALS {2}Looked up at 127\.0\.0\.1:\d+; the platform is hosting\.platform/);
  expect(out).not.toContain('OPERATIONS');
});

it('exits with 1 for drift, each finding with its clause', async () => {
  const file = join(temporaryFolder(), 'report.json');
  const args = await argumentsFor(broken);
  const { code, out } = await domains([...args, '--json', file]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^DRIFT {2}docs\.example\.test:\d+ breaks 2 of 12 clauses for 2 causes \(cname, ttl\); not judged: 8\.\n/,
  );
  expect(out).toContain('Appendix 2 (stated)');
  expect(out).toMatch(/^ {4}dig \+noall \+answer @127\.0\.0\.1 -p \d+ docs\.example\.test CNAME$/m);
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  const schema = JSON.parse(
    readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8'),
  );
  expect(new Validator(schema, '2020-12').validate(report).errors).toEqual([]);
  expect(
    report.findings.map(({ check, clause, verdict }) => [check, clause.source, verdict]),
  ).toEqual([
    ['cname', 'Appendix 2', 'drift'],
    ['ttl', 'Appendix 2', 'drift'],
  ]);
  expect(report.domains).toMatchObject({ platform });
});

it('writes reports that call a target by its name, and list no operations', async () => {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  const args = await argumentsFor(broken);
  await domains([...args, '--html', file('d.html'), '--markdown', file('d.md'), '--quiet']);
  const read = (name: string) => readFileSync(file(name), 'utf8');
  expect(read('d.html')).toContain('<dt>Name servers</dt>');
  expect(read('d.html')).not.toContain('id="operations"');
  expect(read('d.md')).toMatch(/^## ❌ Domains: drift\n/);
  expect(read('d.md')).not.toContain('| Operation |');
});

it('is incomplete without a target, and exits with 2 where that is asked for', async () => {
  const [check = '', name = '', , , ...rest] = await argumentsFor();
  const { code, out } = await domains([check, name, ...rest]);
  expect(code).toBe(0);
  expect(out).toMatch(/^INCOMPLETE {2}Not everything was tried, so this is not a pass; no drift: /);
  expect(out).toContain("cname is not decided, as no --target says which host is the platform's");
  const failing = await domains([check, name, ...rest, '--quiet', '--fail-on-incomplete']);
  expect(failing.code).toBe(2);
  expect(failing.err).toContain('--fail-on-incomplete');
});

it('exits with 1 where a name server gives no answer', async () => {
  const failing = await argumentsFor({
    zone: { behave: ({ type }) => (type === 'CNAME' ? 'SERVFAIL' : undefined) },
  });
  const { code, out } = await domains(failing);
  expect(code).toBe(1);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /^UNANSWERED .*the records of docs\.example\.test could not/i,
  );
});

it('checks by the rules of another document', async () => {
  const own = readFileSync(projectFile('contracts/openapi.yaml'), 'utf8');
  const spec = join(temporaryFolder(), 'own.yaml');
  writeFileSync(spec, own.replace('ttlSeconds: 3600', 'ttlSeconds: 60'));
  const { code, out } = await domains([...(await argumentsFor()), '--spec', spec]);
  expect(code).toBe(1);
  expect(out).toContain('The TTL of the CNAME record of docs.example.test is not 60 s\n');
});

it('says what is wrong with a command line', async () => {
  const folder = temporaryFolder();
  const notPem = join(folder, 'not.pem');
  writeFileSync(notPem, 'no certificate');
  const cases: [args: string[], message: string][] = [
    [[], 'Say what to do: check NAME.'],
    [['check'], 'Name the domain to check, such as docs.example.com.'],
    [
      ['check', 'https://docs.example.com/guide'],
      '"https://docs.example.com/guide" is not a domain name, such as docs.example.com.',
    ],
    [['check', '192.0.2.1'], '"192.0.2.1" is not a domain name'],
    [['check', 'intranet'], '"intranet" is not a domain name, such as docs.example.com.'],
    [['check', docs, '--target', 'a/b'], '--target: "a/b" is not a domain name'],
    [['check', docs, '--redirect', 'a.test'], '--redirect must be FROM=TO or FROM=TO=STATUS'],
    [['check', docs, '--dns-server', 'ns.test'], '--dns-server must be an address'],
    [['check', docs, '--ca', join(folder, 'none.pem')], 'that can be read (ENOENT).'],
    [['check', docs, '--ca', notPem], 'holds no certificate as PEM'],
    [
      ['check', docs, '--spec', projectFile('tests/support/blog.yaml')],
      'has no rules of custom domains (x-domains). Without --spec, those of the built-in one hold.',
    ],
  ];
  const runs = await Promise.all(cases.map(([args]) => domains(args)));
  for (const [index, { code, out, err }] of runs.entries()) {
    const [args = [], message = ''] = cases[index] ?? [];
    expect({ code, out }, args.join(' ')).toEqual({ code: 2, out: '' });
    expect(err, args.join(' ')).toContain(message);
  }
});

it('prints what the docs show', async () => {
  const { out } = await domains(await argumentsFor(broken));
  const page = readFileSync(projectFile('docs/domains.md'), 'utf8');
  const [, shown = ''] = /This is what it prints .*?```text\n(.*?)```/s.exec(page) ?? [];
  expect(withoutChance(out)).toBe(withoutChance(shown));
});

/** What a command prints without what differs from run to run: ports, times, widths and line breaks. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/(?<=test|127\.0\.0\.1)(:| -p )\d+/g, '')
    .replaceAll(/\d+\.\d s/g, '0.1 s')
    .replaceAll(/\s+/g, ' ');
}
