import { once } from 'node:events';
import { UsageError } from '../cli/usage-error.ts';
import { refuseUnknownPlans } from '../command/given-keys.ts';
import { type Interruption, watchSignals } from '../command/interruption.ts';
import { checkHarOptions } from '../command/record-har.ts';
import { toBaseUrl } from '../command/target-url.ts';
import type { ApiDocument } from '../description/document.ts';
import { readBaseline } from '../judging/baseline.ts';
import { print } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';
import { checkReportFiles } from '../report/files.ts';
import { conclude } from './conclude.ts';
import { isOwnAddress } from './is-own-address.ts';
import { type JudgeThread, startJudge } from './judge-thread.ts';
import { toBanner, toFindingText } from './live-text.ts';
import { type OpenProxy, openProxy } from './open-proxy.ts';
import type { ProxyOptions } from './options.ts';
import { createOwnPages } from './own-pages.ts';
import { readIdentity } from './read-identity.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long exchanges under way may take once the proxy is to end, in milliseconds. */
const grace = 5000;

const ending = 'Ending: no more calls are accepted.';

/**
 * Passes calls until a signal comes, writes the reports, and gives the exit code. Rejects with an
 * error that says what to change where it cannot run.
 */
export async function runProxy(
  options: ProxyOptions,
  { document, env }: { document: ApiDocument; env: Environment },
): Promise<number> {
  if (options.target === undefined)
    throw new UsageError('Name the deployment to pass calls to: --target URL. See --help.');
  const target = toBaseUrl(options.target, document, env);
  refuseUnknownPlans(options.key, document);
  await checkHarOptions(options);
  if (options.port > 65_535)
    throw new UsageError(`--port must be at most 65535, but is ${options.port}.`);
  await checkReportFiles(options);
  const tls = readIdentity(options);
  const say = (text: string) => {
    if (!options.quiet) print(text, process.stderr);
  };
  const findings: Record<string, number> = {};
  const judge = await openJudge(options, target, {
    onFinding(finding) {
      findings[finding.verdict] = (findings[finding.verdict] ?? 0) + 1;
      say(`${toFindingText(finding, new Date())}\n`);
    },
    onFailure: ({ message }) =>
      say(
        `petstore-twin proxy: Nothing more is judged (${toVisible(message)}). Calls pass all the same.\n`,
      ),
  });
  const interruption = watchSignals((again) => say(`\n${ending} ${again}\n`));
  try {
    const startedAt = new Date().toISOString();
    const proxy: OpenProxy = await listen(options, {
      target,
      onExchange: judge.add,
      ...(tls && { tls }),
      answerOwn: createOwnPages({
        render: judge.render,
        health: () => ({ target, startedAt, ...proxy.count(), dropped: judge.dropped(), findings }),
      }),
    });
    say(toBanner({ ...options, target, origin: proxy.origin }));
    await untilEnd(interruption, env);
    await proxy.close({ grace });
    return await conclude(options, await judge.finish(), env);
  } finally {
    await judge.close();
    interruption.dispose();
  }
}

async function openJudge(
  { key: keys, baseline: baselineFile, spec, allowRefs, strict, docs, har, redact }: ProxyOptions,
  baseUrl: string,
  listeners: Parameters<typeof startJudge>[1],
): Promise<JudgeThread> {
  const baseline = baselineFile === undefined ? [] : await readBaseline(baselineFile);
  return startJudge(
    {
      baseUrl,
      keys,
      baseline,
      strict,
      ...(spec !== undefined && { spec }),
      allowRefs,
      ...(docs !== undefined && { docs }),
      ...(har !== undefined && { har: { file: har, redact } }),
    },
    listeners,
  );
}

type Parts = Pick<Parameters<typeof openProxy>[0], 'target' | 'tls' | 'onExchange' | 'answerOwn'>;

/** Opens the proxy. Throws a UsageError where its address cannot be listened on. */
async function listen(
  { host = '127.0.0.1', port, allowedHosts, via, idleTimeout, maxBody }: ProxyOptions,
  parts: Parts,
): Promise<OpenProxy> {
  if (isOwnAddress(new URL(parts.target), { host, port }))
    throw new UsageError(
      `The target ${parts.target} is where this proxy is to listen. Give another --target, or another --port.`,
    );
  try {
    return await openProxy({ host, port, allowedHosts, via, idleTimeout, maxBody, ...parts });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is in use. Give another --port, or 0 for a free one.`,
      EACCES: `Port ${port} may not be listened on. Give a --port above 1023.`,
      EADDRNOTAVAIL: `${host} is no address of this machine. Give another --host.`,
      ENOTFOUND: `${host} is no address of this machine. Give another --host.`,
    };
    throw new UsageError(reasons[code ?? ''] ?? `${host} cannot be listened on: ${message}.`);
  }
}

/**
 * Resolves when a signal came, or npm is gone: it runs scripts in a shell that forwards no signal,
 * so the proxy would stay.
 */
async function untilEnd({ signal }: Interruption, env: Environment): Promise<void> {
  if (signal.aborted) return;
  const aborted = once(signal, 'abort');
  if (env.npm_lifecycle_event === undefined) return void (await aborted);
  const parent = process.ppid;
  const gone = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone.resolve();
  }, 500);
  await Promise.race([aborted, gone.promise]);
  clearInterval(timer);
}
