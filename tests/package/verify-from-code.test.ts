import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import type { Options, RunOptions } from '../../contracts/command/options.ts';
import { toDeployment } from '../../contracts/command/verify-target.ts';
import type { RunEvent } from '../../contracts/report/events.ts';
import { formatReport, type VerifySettings, verify } from '../../package/verify.ts';
import {
  type Deployment,
  type DeploymentOptions,
  openDeployment,
} from '../../tools/lab/deployment.ts';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile } from '../support/twin.ts';

const keys = ['k-free-1', { key: 'k-pro-1', plan: 'pro' }];
const quick = { probeLimits: false, readOnly: true };

async function startDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const deployment = await openDeployment(options);
  onTestFinished(() => deployment.close());
  return deployment;
}

/** One whose lists hold an item too many. */
function startBroken(): Promise<Deployment> {
  return startDeployment({
    mutate: (truth) => ({
      list: (query, call) => truth.list({ ...query, limit: query.limit + 1 }, call),
    }),
  });
}

it('verifies a twin of its own where no target is given', async () => {
  const events: RunEvent[] = [];
  const report = await verify({ strict: true, onEvent: (event) => events.push(event) });
  expect(report).toMatchObject({
    verdict: 'clean',
    findings: [],
    plan: { seed: 1 },
    targets: [{ name: 'twin' }],
  });
  expect(report).toMatchObject({
    totals: { twin: { clauses: { vacuous: 0 } } },
    notApplicable: [],
  });
  expect(events[0]).toMatchObject({ type: 'start', targets: [{ name: 'twin' }] });
  expect(events.at(-1)).toEqual({ type: 'finish', report });
  await expect(fetch(report.targets[0]?.url as string)).rejects.toThrow();
});

it('verifies a deployment, and finds what is broken', async () => {
  const { url } = await startBroken();
  const report = await verify({ target: { url, keys }, ...quick, only: ['page-size'] });
  expect(report.verdict).toBe('drift');
  expect(report.targets).toMatchObject([{ name: 'target', url, keys: ['key-1', 'pro-1'] }]);
  expect(report.findings.map(({ check }) => check)).toContain('page-size');
  expect(report.residue).toEqual([]);
  const known = { clause: 'page-size', reason: 'ticket 7', owner: 'pets', expires: '2999-01-31' };
  const other = await startBroken();
  const again = await verify({
    target: { url: other.url, keys: keys.slice(1) },
    ...quick,
    only: ['page-size'],
    baseline: [known],
  });
  expect(again.verdict).toBe('clean');
  expect(again.findings.map(({ verdict }) => verdict)).toContain('known');
});

it('holds a deployment beside a twin that runs, with keys of its own', async () => {
  const [twin, target] = [await startDeployment(), await startDeployment()];
  const settings: VerifySettings = {
    twin: { url: twin.url, keys },
    target: { url: target.url, keys },
    ...quick,
  };
  const { targets } = await verify({
    ...settings,
    only: ['getPet'],
    maxRequests: 100,
    concurrency: 2,
  });
  expect(targets.map(({ name, url }) => ({ name, url }))).toEqual([
    { name: 'twin', url: twin.url },
    { name: 'target', url: target.url },
  ]);
  expect(twin.calls()).toBe(targets[0]?.requests);
});

it('tries nothing beyond loopback but what was allowed', () => {
  const far = 'https://pets.example/v1';
  const settings = { isBuiltIn: true, keys: [], readOnly: false, allowWrites: false };
  expect(toDeployment(far, settings)).toMatchObject({
    writes: false,
    probeLimits: false,
    fill: false,
  });
  expect(toDeployment(far, { ...settings, allowWrites: true, probeLimits: true })).toMatchObject({
    writes: true,
    probeLimits: true,
    fill: false,
  });
  expect(toDeployment('http://127.0.0.1:1/v1', settings)).toMatchObject({
    writes: true,
    probeLimits: true,
    fill: true,
  });
  expect(
    toDeployment('http://127.0.0.1:1/v1', { ...settings, readOnly: true, probeLimits: false }),
  ).toMatchObject({ writes: false, probeLimits: false });
});

it('writes a report in each form', async () => {
  const { url } = await startBroken();
  const report = await verify({ target: { url, keys }, ...quick, only: ['page-size'] });
  expect(JSON.parse(formatReport(report, 'json'))).toEqual(report);
  expect(formatReport(report, 'html')).toMatch(/^<!doctype html>/);
  expect(formatReport(report, 'markdown')).toMatch(/^## /);
  expect(formatReport(report, 'junit')).toMatch(/^<\?xml/);
  for (const form of ['pdf', 'toString'])
    expect(() => formatReport(report, form as 'json')).toThrow(
      `There is no form of report "${form}". Forms are json, junit, html, markdown.`,
    );
});

const url = 'http://127.0.0.1:9/v1';
it.each<[settings: VerifySettings, message: string]>([
  [{ twin: false }, 'There is nothing to verify.'],
  [{ target: { url, keys: [] } }, 'A target needs a key.'],
  [{ call: ['noSuchOperation'] }, 'call noSuchOperation is not an operation of the document.'],
  [{ target: { url, keys: ['a b'] } }, 'A key must be printable ASCII without spaces.'],
  [
    { target: { url, keys: [{ key: 'k', plan: 'gold' }] } },
    '"gold" is not a plan. Plans are free, pro, business, enterprise',
  ],
  [{ target: { url: 'pets', keys } }, 'The target must be an http or https URL'],
  [
    { target: { url, keys } },
    `The target at ${url} cannot be reached: the connection was refused (ECONNREFUSED)`,
  ],
  [{ twin: { url: 'http://127.0.0.1:9/v2' } }, 'must be an http or https URL that ends in /v1'],
  [{ only: ['§99'] }, '"§99" is not an operation, check or § of the interface.'],
  [{ seed: -1 }, 'seed must be a whole number of at least 0, but is -1.'],
  [{ wait: Number.NaN }, 'wait must be a whole number of milliseconds of at least 0, but is NaN.'],
  [{ timeout: 0 }, 'timeout must be a whole number of milliseconds of at least 1, but is 0.'],
  [{ concurrency: '8' as never }, 'concurrency must be a number, but is "8".'],
  [{ strict: 'on' as never }, 'strict must be a boolean, but is "on".'],
  [{ strict: 'yes' as never }, 'strict must be on or off, but is "yes".'],
  [{ probeLimits: null as never }, 'probeLimits must be on or off, but is null.'],
  [{ only: 7 as never }, '"7" is not an operation'],
  [{ spec: 5 as never }, 'spec must be a string, but is 5.'],
  [
    { allowWrite: true } as never,
    'There is no option "allowWrite". Options are target, twin, baseline, onEvent, signal, spec, overlay, allowRefs, strictSpec, pins, seed,',
  ],
  [{ quiet: true } as never, 'There is no option "quiet".'],
  [null as never, 'The settings of verify must be an object, such as { strict: true }.'],
  [{ baseline: [{}] as never }, 'baseline: entry 0 needs "clause" as a string.'],
  [{ baseline: 'missing.json' }, 'missing.json cannot be read'],
  [{ spec: 'missing.yaml' }, 'There is no document at missing.yaml.'],
])('says why it cannot run: %j', async (settings, message) => {
  await expect(verify(settings)).rejects.toThrow(message);
});

it('has each option that says how to verify, typed as it is parsed', () => {
  expectTypeOf<Exclude<keyof VerifySettings, keyof RunOptions>>().toEqualTypeOf<
    'target' | 'twin' | 'baseline' | 'onEvent' | 'signal'
  >();
  expectTypeOf<Exclude<keyof RunOptions, keyof VerifySettings>>().toEqualTypeOf<never>();
  expectTypeOf<Exclude<keyof RunOptions, keyof Options>>().toEqualTypeOf<never>();
  expectTypeOf<Pick<VerifySettings, 'seed' | 'strict' | 'probeLimits' | 'only'>>().toEqualTypeOf<{
    seed?: number;
    strict?: boolean;
    probeLimits?: boolean;
    only?: readonly string[];
  }>();
  expectTypeOf<Pick<Options, 'seed' | 'strict' | 'probeLimits' | 'json'>>().toEqualTypeOf<{
    seed: number;
    strict: boolean;
    probeLimits?: boolean;
    json?: string;
  }>();
  // @ts-expect-error There is no such option.
  const unknown: VerifySettings = { allowWrite: true };
  // @ts-expect-error Only the command writes to a terminal.
  const ofCommand: VerifySettings = { quiet: true };
  // @ts-expect-error A seed is a number.
  const wrong: VerifySettings = { seed: '7' };
  expect([unknown, ofCommand, wrong]).toHaveLength(3);
});

it('leaves no twin behind when it is killed', async () => {
  const folder = makeFolder();
  const script = join(folder, 'run.mjs');
  writeFileSync(
    script,
    `import { verify } from ${JSON.stringify(projectFile('package/verify.ts'))};
     await verify({ onEvent: (event) => event.type === 'start' && console.log(event.targets[0].url) });`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = await once(child.stdout, 'data');
  const address = String(chunk).trim();
  expect((await fetch(`${address}/pets`)).status).toBe(401);
  child.kill('SIGKILL');
  while (
    await fetch(`${address}/pets`).then(
      () => true,
      () => false,
    )
  )
    await sleep(50);
});

it('ends when it is told to, with requests under way, and reports what it found until then', async () => {
  const controller = new AbortController();
  const hanging = new Set<Socket>();
  const { url } = await startBroken();
  const target = new URL(url);
  const proxy = createServer((request, response) => {
    if (request.url?.includes('/store/')) {
      hanging.add(request.socket);
      controller.abort();
      return;
    }
    request.pipe(
      httpRequest(
        {
          host: target.hostname,
          port: target.port,
          method: request.method,
          path: request.url,
          headers: request.headers,
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      ),
    );
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const report = await verify({
    target: { url: `http://127.0.0.1:${port}${target.pathname}`, keys },
    ...quick,
    timeout: 600_000,
    signal: controller.signal,
  });
  expect(hanging.size).toBeGreaterThan(0);
  for (const socket of hanging) if (!socket.destroyed) await once(socket, 'close');
  expect(report.incomplete[0]).toBe('the run was interrupted');
  expect(report.incomplete.join()).toContain('cases were not made, as the run was interrupted');
  expect(['drift', 'incomplete']).toContain(report.verdict);
  expect(report.findings.map(({ check }) => check)).not.toContain('reliable-answers');
  expect(report.targets[0]?.requests).toBeGreaterThan(0);
});

it('does not begin where it was told to end before, or while its twin starts', async () => {
  const reason = new Error('no more');
  await expect(verify({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const begun = verify({ signal: controller.signal });
  controller.abort();
  await expect(begun).rejects.toThrow('aborted');
  await expect(verify({ signal: 'soon' as never })).rejects.toThrow(
    'signal must be an AbortSignal.',
  );
});
