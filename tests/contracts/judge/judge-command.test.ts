import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { toHarEntry } from '../../../contracts/har/har-writer.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { useRepeatedRuns } from '../../support/repeated-runs.ts';
import { type ClientCall, record } from '../../support/traffic.ts';
import type { Run } from '../../support/verify-command.ts';

const secret = 'k-pro-1';
const baseUrl = 'http://shop.test/v1';

let truth: string[];
let broken: string[];

beforeAll(async () => {
  const calls: ClientCall[] = [
    { path: '/pets?limit=3' },
    { path: '/pets', method: 'POST', body: { name: 'Rex of the hill', categoryId: 1 } },
    { path: '/pets/46' },
  ];
  truth = await recordEntries(calls);
  broken = await recordEntries(calls, true);
});

/** The entries of a recording of a deployment; a broken one lists more than it is asked for. */
async function recordEntries(calls: ClientCall[], isBroken = false): Promise<string[]> {
  const { url, close } = await openDeployment({
    ...(isBroken && {
      mutate: (is) => ({ list: (_, call) => is.list({ limit: 9, status: undefined }, call) }),
    }),
  });
  const entries = [];
  for (const call of calls)
    entries.push(
      JSON.stringify(toHarEntry(await record(url, { key: secret, ...call }), undefined)).replaceAll(
        url,
        baseUrl,
      ),
    );
  await close();
  return entries;
}

function write(entries: readonly string[]): string {
  const file = join(makeFolder(), 'calls.har');
  const creator = '{"name":"petstore-twin","version":"1"}';
  writeFileSync(file, `{"log":{"creator":${creator},"entries":[${entries.join(',')}]}}`);
  return file;
}

const runJudge = useRepeatedRuns('judge');
async function judge(...args: string[]): Promise<Run> {
  const { code, stdout: out, stderr: err } = await runJudge(args);
  return { code, out, err };
}

it('judges a recording, and exits with 0 where nothing is broken', async () => {
  const { code, out, err } = await judge(
    write(truth),
    '--base-url',
    baseUrl,
    '--key',
    `pro=${secret}`,
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(
    /^NO DRIFT SEEN {2}In 3 requests, \d+ of 35 clauses passed on the target and none failed; undecided: \d+\.\n/,
  );
  expect(out).toContain('retry-after: not exercised (no call was refused with 429)');
  expect(out).toMatch(/TOTALS {2}Traffic from 20.+ to .+Z, \d\.\d s\./);
  expect(out).not.toContain(secret);
});

it('exits with 1 where the recording shows drift, and gives the same report each time', async () => {
  const file = write(broken);
  const [first, second] = await Promise.all(
    [1, 2].map(() => judge(file, '--base-url', baseUrl, '--json', '-')),
  );
  const report: Report = JSON.parse(first?.out ?? '');
  expect(first?.code).toBe(1);
  expect(first?.out).toBe(second?.out);
  expect(report.findings).toMatchObject([
    {
      verdict: 'drift',
      check: 'page-size',
      message: 'listPets lists more items than the limit that was sent',
    },
  ]);
}, 30_000);

it.each(['--html', '--json'])('loses no recording that %s names as well', async (format) => {
  const file = write(truth);
  const before = readFileSync(file, 'utf8');
  const { code, err } = await judge(file, '--base-url', baseUrl, format, file);
  expect({ code, err }).toEqual({
    code: 2,
    err: `petstore-twin judge: ${format} ${file} is a file that is read, and would be lost. Name another one.\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('names broken entries, goes on, and counts what it leaves out', async () => {
  const [first = ''] = truth;
  const elsewhere = first.replaceAll('shop.test', 'other.test');
  const outside = first.replaceAll('/v1/pets', '/login');
  const file = write([...truth, '{}', elsewhere, outside]);
  const { code, out, err } = await judge(file, '--base-url', baseUrl, '--json', '-');
  expect(code).toBe(0);
  expect(err).toMatch(/^petstore-twin judge: .+calls\.har: entry 4 has no object "request"\.\n$/);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'incomplete',
    incomplete: ['1 entry left out: broken'],
    targets: [{ requests: 3 }],
    traffic: {
      leftOut: [
        { reason: 'broken', count: 1 },
        { reason: 'to another address', count: 1 },
        { reason: 'outside /v1', count: 1 },
      ],
    },
  });
});

it('exits with 2 where clauses were not exercised, if asked to', async () => {
  const { code, err } = await judge(
    write(truth),
    '--base-url',
    baseUrl,
    '--quiet',
    '--fail-on-unobserved',
  );
  expect(code).toBe(2);
  expect(err).toMatch(
    /\d+ clauses were not exercised \(.*retry-after.*\), so --fail-on-unobserved fails the run\.\n$/,
  );
});

it.each([
  [[], 'Name the recordings to judge, such as calls.har. See --help.'],
  [
    ['calls.har', '--base-url', 'ftp://host/v1'],
    'The base URL must be an http or https URL that ends in /v1, such as https://host/v1.',
  ],
  [['calls.har'], 'Name the deployment that was called: --base-url URL, such as https://host/v1.'],
  [['nowhere.har', '--base-url', baseUrl], 'nowhere.har does not exist.'],
  [
    ['calls.har', '--base-url', 'staging'],
    '--base-url staging takes its address from STAGING_BASE_URL, which is not set.',
  ],
  [['calls.har', '--target', baseUrl], "Unknown option '--target'. See --help."],
  [['calls.har', '--base', 'x'], "Unknown option '--base'. Did you mean --base-url? See --help."],
  [
    ['calls.har', '--base-url', baseUrl, '--key', 'gold=x'],
    'A --key has an unknown plan before its =. Plans are free, pro, business, enterprise; give only the key if you do not know its plan.',
  ],
])('says what is missing: %j', async (args, message) => {
  expect(await judge(...args)).toEqual({
    code: 2,
    out: '',
    err: `petstore-twin judge: ${message}\n`,
  });
});

it('says which addresses were called where none is the one that was named', async () => {
  const { code, err } = await judge(write(truth), '--base-url', 'http://nowhere.test/v1');
  expect(code).toBe(2);
  expect(err).toMatch(
    /calls\.har holds no call of http:\/\/nowhere\.test\/v1\. What was called: http:\/\/shop\.test \(3 calls\)\.\n$/,
  );
});

it('judges several recordings as one, whichever is named first', async () => {
  const files = [write(truth.slice(1)), write(truth.slice(0, 1))];
  const [one, other] = await Promise.all(
    [files, files.toReversed()].map((named) =>
      judge(...named, '--base-url', baseUrl, '--json', '-'),
    ),
  );
  expect(one?.out).toBe(other?.out);
  expect(JSON.parse(one?.out ?? '')).toMatchObject({
    verdict: 'clean',
    targets: [{ requests: 3 }],
  });
}, 30_000);
