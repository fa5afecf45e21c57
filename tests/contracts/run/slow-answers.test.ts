import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import type { VerifySettings } from '../../../package/verify.ts';
import { type Mutate, openDeployment } from '../../../tools/lab/deployment.ts';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startServer } from '../../support/start-server.ts';
import { type Run, verifyAlone } from '../../support/verify-command.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

type Reported = Run & {
  read: (kind: string) => string;
  report: () => Report;
};

/** Verifies a deployment that differs in how it sends its answers, with a report of each kind. */
async function verifyDeployment(mutate: Mutate, ...more: string[]): Promise<Reported> {
  const folder = makeFolder();
  const { url, close } = await openDeployment({ mutate });
  onTestFinished(close);
  const files = ['json', 'junit', 'html', 'markdown'].flatMap((kind) => [
    `--${kind}`,
    join(folder, kind),
  ]);
  const target = ['--target', url, '--no-mock', '--key', 'pro=k-pro-1', '--no-probe-limits'];
  const { code, out, err } = await verifyAlone([...target, '--github', ...files, ...more]);
  const read = (kind: string) => readFileSync(join(folder, kind), 'utf8');
  return { code, out, err, read, report: () => JSON.parse(read('json')) };
}

it('reports a complete response that arrives too late as unanswered, and as no broken clause', async () => {
  const { code, out, read, report } = await verifyDeployment(
    () => ({ send: ({ number, operation }) => operation === 'getPet' && number % 4 === 0 }),
    ...['--timeout', '2000', '--concurrency', '1'],
  );
  expect(code).toBe(1);
  const { verdict, findings, clauses, totals } = report();
  expect(verdict).toBe('unanswered');
  const late = 'of \\d+ calls got no complete answer within 2 s; try --timeout 30000';
  expect(findings.filter((finding) => finding.verdict === 'drift')).toEqual([]);
  expect(findings.filter((finding) => finding.verdict === 'unanswered')).toEqual([
    expect.objectContaining({ check: 'reliable-answers', message: expect.stringMatching(late) }),
  ]);
  expect(totals.target).toMatchObject({
    clauses: { drift: 0 },
    findings: { drift: 0, unanswered: 1 },
  });
  expect(clauses.find(({ id }) => id === 'reliable-answers')?.results.target).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(late),
  });
  expect(clauses.flatMap(({ results }) => results.target?.verdict)).not.toContain('drift');
  const printed = out.replaceAll(/\s+/g, ' ');
  expect(printed).toMatch(
    /^UNANSWERED No drift: \d+ of \d+ clauses passed on the target.*; but 3 of \d+ calls to operations of the target got no complete/,
  );
  expect(printed).toContain('::error title=unanswered%3A reliable-answers::');
  expect(read('junit')).toMatch(
    /<failure message="3 of \d+ calls got no complete answer within 2 s[^>]* type="unanswered">/,
  );
  expect(read('markdown')).toContain('## ⏳ Contract: unanswered');
  expect(read('html')).toContain('<title>Unanswered: ');
});

/** Judges such a deployment in this process, and gives the report alone. */
async function reportOf(mutate: Mutate, settings: VerifySettings = {}): Promise<Report> {
  const { url, close } = await openDeployment({ mutate });
  onTestFinished(close);
  const target = { url, keys: [{ key: 'k-pro-1', plan: 'pro' }] };
  return verify({ target, twin: false, probeLimits: false, ...settings });
}

it('still calls a connection that is closed without an answer drift', async () => {
  const { verdict, findings } = await reportOf(() => ({
    send: ({ number }, _, response) => number % 20 === 0 && response.destroy() !== undefined,
  }));
  expect(verdict).toBe('drift');
  expect(findings.map(({ message }) => message).join()).toContain(
    'drops the connection without an answer',
  );
});

it('says of one that answers nothing in time what to try', async () => {
  const { code, err } = await verifyDeployment(() => ({ send: () => true }), '--timeout', '300');
  expect(code).toBe(2);
  expect(err).toMatch(
    /The target at .+ does not answer: no complete answer within 0\.3 s; try --timeout 30000\. Are .+\n$/,
  );
});

it('does not blame one that goes away for the calls that cannot reach it', async () => {
  const { verdict, findings, incomplete } = await reportOf(
    () => ({
      send: ({ number }, _, response) => {
        if (number === 60) (response.socket as unknown as { server: Server }).server.close();
        return false;
      },
    }),
    { concurrency: 1 },
  );
  expect([verdict, findings.filter((finding) => finding.verdict === 'drift')]).toEqual([
    'unanswered',
    [],
  ]);
  expect(findings[0]?.message).toMatch(
    /^\d of \d+ calls got no connection: the connection was refused \(ECONNREFUSED\); check /,
  );
  expect(incomplete.join()).toContain('cases were not made, as the target did not answer 3 times');
});

it('calls a server that answers one call after the other no faster than it answers', async () => {
  let last = Promise.resolve();
  const url = await startServer(({ segments: [, id] }) => {
    const item = { id: 1, name: 'one' };
    const mine = last.then(() => new Promise<void>((resolve) => setTimeout(resolve, 150)));
    last = mine;
    const isThere = id === undefined || id === '1';
    const body = id === undefined ? [item] : item;
    return mine.then(() => (isThere ? { status: 200, body } : { status: 404, body: {} }));
  });
  const spec = await writeJson(
    documentOf('GET /things -> [Thing]\n  GET /things/{id} -> Thing, 404', {
      Thing: '{id: int, name}',
    }),
  );
  const report = await verify({ target: { url, keys: [] }, spec, twin: false, timeout: 900 });
  expect(report.findings.filter(({ verdict }) => verdict === 'unanswered')).toEqual([]);
  expect(report.verdict).not.toBe('unanswered');
});
