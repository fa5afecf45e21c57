import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../tests/support/free-port.ts';
import { breaks } from './breaks.ts';
import { createCall } from './call.ts';
import { compareDumps, type Thing } from './compare-dumps.ts';
import { ensureInstalled } from './install.ts';
import { openBroken } from './open-broken.ts';
import { ended, run, start, stop } from './processes.ts';
import type { RealServer } from './real-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Finding = {
  target: string;
  verdict: string;
  check: string;
  operation: string;
  operations: { id: string }[];
  message: string;
  expected: string;
  actual: string;
};

type Report = {
  targets: { requests: number }[];
  findings: Finding[];
  residue: Thing[];
  leftAlone?: Thing[];
};

/** The results for a server: figures of its row, and a sentence for each problem. */
export type Outcome = {
  requests: number[];
  changed: number;
  deleted: number;
  untold: number;
  judged: Record<'true' | 'arguable' | 'false', number>;
  breaks: ('found' | 'missed' | 'n/a')[];
  failures: string[];
};

const judgedVerdicts = ['drift', 'unanswered', 'standard', 'undocumented'];

/** Installs a server, starts and seeds it, and runs the suite and the proxy against it. */
export async function tryServer(
  server: RealServer,
  options: {
    installs: string;
    program?: string | undefined;
    state: string;
    reports: string;
    breaks: boolean;
  },
): Promise<Outcome> {
  const installed = await ensureInstalled(server, options.installs, options.program);
  const folder = options.reports;
  const data = join(options.state, 'data');
  mkdirSync(folder, { recursive: true });
  mkdirSync(data, { recursive: true });
  const port = await findFreePort();
  const place = { installed, data, port, origin: `http://127.0.0.1:${port}` };
  const call = createCall(place.origin, server.headers);
  const log = join(folder, 'server.log');
  const commands = server.start(place);
  const last = commands.pop();
  if (!last) throw new Error(`${server.name} has no command.`);
  for (const command of commands) await run(command, log, data);
  const child = start(last, log, data);
  try {
    await untilReady(place.origin + server.ready, () => child.exitCode === null, log);
    await server.seed(call, place);
    const spec = join(folder, 'document');
    writeFileSync(spec, await server.document(call, place));
    const dump = async () => {
      await sleep(server.settle);
      return server.dump(call, place);
    };
    return await judge(server, { ...place, folder, spec, dump, breaks: options.breaks });
  } catch (error) {
    const end = child.exitCode ?? child.signalCode;
    if (end === null) throw error;
    const said = readFileSync(log, 'utf8').slice(-1500);
    throw new Error(`${server.name} ended with ${end}: ${(error as Error).message}\n${said}`);
  } finally {
    await stop(child);
  }
}

type Trial = {
  origin: string;
  folder: string;
  spec: string;
  dump: () => ReturnType<RealServer['dump']>;
  breaks: boolean;
};

async function judge(server: RealServer, trial: Trial): Promise<Outcome> {
  const { origin, folder, spec, dump } = trial;
  const outcome: Outcome = {
    ...{ requests: [], changed: 0, deleted: 0, untold: 0, breaks: [], failures: [] },
    judged: { true: 0, arguable: 0, false: 0 },
  };
  const known = new Set<string>();
  const counted = new Set<string>();
  const others = await dump();
  if (Object.keys(others).length === 0) throw new Error(`${server.name} holds nothing to compare.`);
  let before = others;

  /** Says at once what is wrong, as a run takes its time. */
  const fail = (failure: string) => {
    process.stderr.write(`  FAILED ${failure}\n`);
    outcome.failures.push(failure);
  };

  /** Runs something and compares what the server holds before and after it. */
  const watch = async (name: string, act: () => Promise<Report | undefined>, own = false) => {
    const report = await act();
    if (!report) fail(`${name}: no report was written`);
    const after = await dump();
    const { changed, deleted, untold } = compareDumps(before, after, {
      others,
      things: [...(report?.residue ?? []), ...(report?.leftAlone ?? [])],
      isSideEffect: server.isSideEffect,
    });
    before = after;
    outcome.changed += changed.length;
    outcome.deleted += deleted.length;
    outcome.untold += own ? untold.length : 0;
    const wrong = { changed, deleted, ...(own && { untold }) };
    for (const [what, rows] of Object.entries(wrong))
      for (const row of rows) fail(`${name}: ${what} ${row}`);
    return report;
  };

  /** Counts the findings of an unbroken server by what is known of them. */
  const judgeFindings = (name: string, report: Report | undefined) => {
    if (!report) return;
    outcome.requests.push(report.targets[0]?.requests ?? 0);
    // What a run finds on its own mock says nothing of the server.
    const counts = ({ target, verdict }: Finding) =>
      target !== 'twin' && judgedVerdicts.includes(verdict);
    for (const finding of report.findings.filter(counts).flatMap(toEach)) {
      known.add(toKey(finding));
      const truth = judgementOf(server, finding)?.truth;
      const place = `${finding.check} ${finding.operation} ${truth}`;
      if (counted.has(place)) continue;
      counted.add(place);
      if (truth !== undefined) outcome.judged[`${truth}`] += 1;
      if (truth === undefined || truth === false)
        fail(`${name}: ${truth === false ? 'false' : 'not judged'}: ${toText(finding)}`);
    }
  };

  const verify = async (name: string, target: string, flags: string[], interruptAfter?: number) => {
    const json = join(folder, `${name}.json`.replaceAll(' ', '-'));
    const args = ['contracts/main.ts', '--spec', spec, '--target', target + server.basePath];
    const command = {
      command: process.execPath,
      args: [...args, ...server.flags, ...flags, '--json', json],
    };
    for (const file of [json, `${json}.log`]) rmSync(file, { force: true });
    const child = start(command, `${json}.log`, root);
    const exit = ended(child);
    // Before it says what it does, a signal ends it without a report.
    while (interruptAfter && child.exitCode === null && statSync(`${json}.log`).size === 0)
      await sleep(50);
    if (interruptAfter) await Promise.race([exit, sleep(interruptAfter)]);
    if (interruptAfter && child.exitCode === null) child.kill('SIGINT');
    const code = await exit;
    process.stderr.write(`  ${name}: exit ${code}\n`);
    return code === 2 ? undefined : readReport(json);
  };

  const writes = ['--no-mock', '--allow-writes'];
  const runs: [string, string[], number?][] = [
    ['without flags', []],
    ['allow writes', writes],
    ['60 requests', [...writes, '--max-requests', '60']],
    ['interrupted', writes, 2000],
  ];
  for (const [name, flags, interruptAfter] of runs)
    judgeFindings(name, await watch(name, () => verify(name, origin, flags, interruptAfter), true));

  const proxied = async () => {
    const port = await findFreePort();
    const json = join(folder, 'proxy.json');
    const args = [
      'contracts/main.ts',
      'proxy',
      '--spec',
      spec,
      '--target',
      origin + server.basePath,
    ];
    const flags = ['--port', String(port), '--json', json];
    const command = { command: process.execPath, args: [...args, ...flags] };
    const proxy = start(command, `${json}.log`, root);
    const address = `http://127.0.0.1:${port}`;
    try {
      await untilReady(`${address}/__proxy/health`, () => proxy.exitCode === null, `${json}.log`);
      await server.use(createCall(address, server.headers));
    } catch (error) {
      fail(`proxy: ${(error as Error).message}`);
    } finally {
      await stop(proxy);
    }
    return readReport(json);
  };
  judgeFindings('proxy', await watch('proxy', proxied));

  for (const [name, broken] of Object.entries(trial.breaks ? breaks : {})) {
    const proxy = await openBroken(origin, broken, server.shape);
    const report = await watch(name, () => verify(name, proxy.url, writes));
    // A server that is called by several fails now and then by itself.
    const ofServer = ({ check }: Finding) => check === 'reliable-answers' && !broken.fails;
    const isNew = (finding: Finding) =>
      ['drift', 'unanswered'].includes(finding.verdict) &&
      !ofServer(finding) &&
      !known.has(toKey(finding)) &&
      !judgementOf(server, finding);
    const found = report?.findings.flatMap(toEach).find(isNew);
    const result = found ? 'found' : proxy.applied() > 0 ? 'missed' : 'n/a';
    process.stderr.write(
      `  ${name}: ${result}, ${found ? toText(found) : `applied ${proxy.applied()}`}\n`,
    );
    outcome.breaks.push(result);
    await proxy.close();
  }
  return outcome;
}

/** A finding of several operations, as one of each. */
function toEach(finding: Finding): Finding[] {
  return finding.operations.map(({ id }) => ({ ...finding, operation: id }));
}

function judgementOf({ truth }: RealServer, finding: Finding) {
  return truth.find(
    ({ check, operations, answer = '', message = '' }) =>
      check === finding.check &&
      (operations.includes('*') || operations.includes(finding.operation)) &&
      new RegExp(answer).test(finding.actual) &&
      new RegExp(message).test(finding.message),
  );
}

/**
 * Returns a key that separates a server's findings from a broken deployment's. The key has the
 * status, or the place in a body, and the invalid part.
 */
function toKey({ check, operation, actual, expected, message }: Finding): string {
  const invalid = check === 'invalid-body' ? (/\([^;)]*/.exec(message)?.[0] ?? '') : '';
  const cause = (/^\d{3}\b/.exec(actual)?.[0] ?? expected.replace(/\[\d+\]\.?/g, '')) + invalid;
  return [check, operation, cause].join(' ');
}

function toText({ verdict, check, operation, message, actual }: Finding): string {
  return `${verdict} ${check} ${operation}: ${message.slice(0, 300)} (${actual.slice(0, 200)})`;
}

function readReport(file: string): Report | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

async function untilReady(url: string, isAlive: () => boolean, log: string): Promise<void> {
  const answers = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  for (let tries = 0; !(await answers()); tries += 1) {
    if (!isAlive() || tries === 1800)
      throw new Error(`${url} gives no 200:\n${readFileSync(log, 'utf8').slice(-1500)}`);
    await sleep(200);
  }
}
