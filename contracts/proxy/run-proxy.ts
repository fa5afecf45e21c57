import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { styleText } from 'node:util';
import { count } from '../../common/cli/count.ts';
import type { Environment } from '../../common/cli/create-command.ts';
import { type Interruption, watchSignals } from '../../common/cli/interruption.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { ensureWebhookSecret } from '../../common/cli/webhook-secret.ts';
import { print, say, sayFailure } from '../../common/look/print.ts';
import { toExcerpt, toVisible } from '../../common/look/visible.ts';
import type { Api } from '../../openapi/index.ts';
import { toBaseUrl } from '../base-url.ts';
import { refuseUnknownPlans } from '../command/given-keys.ts';
import { checkHarOptions, sayHowToLearn, withLearn } from '../command/record-har.ts';
import { publishReport } from '../command/write-reports.ts';
import { readBaseline } from '../judging/baseline.ts';
import type { Finding } from '../report/events.ts';
import { checkReportFiles } from '../report/files.ts';
import { toSource } from '../report/summary.ts';
import { styles } from '../report/terminal/paint.ts';
import { startJudge } from './judge-thread.ts';
import type { JudgeResult } from './judge-worker.ts';
import { type OpenProxy, openProxy } from './open-proxy.ts';
import type { ProxyOptions } from './options.ts';
import { createOwnPages } from './own-answer.ts';

/** How long exchanges under way may take once the proxy is to end, in milliseconds. */
const grace = 5000;

const ending = 'Ending: no more calls are accepted.';

/**
 * Passes calls until a signal comes, writes the reports, and gives the exit code. Rejects with an
 * error that says what to change where it cannot run.
 */
export async function runProxy(
  given: ProxyOptions,
  { document, env }: { document: Api; env: Environment },
): Promise<number> {
  const options = withLearn(given);
  if (options.target === undefined)
    throw new UsageError('Name the deployment to pass calls to: --target URL. See --help.');
  const target = toBaseUrl(options.target, document, env);
  refuseUnknownPlans(options.key, document);
  await checkHarOptions(options);
  if (options.port > 65_535)
    throw new UsageError(`--port must be at most 65535, but is ${options.port}.`);
  await checkReportFiles(options);
  const tls = readIdentity(options);
  const hooks = readWebhooks(options);
  const say = (text: string) => {
    if (!options.quiet) print(text, process.stderr);
  };
  const findings: Record<string, number> = {};
  const baseline = options.baseline === undefined ? [] : await readBaseline(options.baseline);
  const judge = await startJudge(
    { ...options, baseUrl: target, baseline },
    {
      onFinding(finding) {
        findings[finding.verdict] = (findings[finding.verdict] ?? 0) + 1;
        say(`${toFindingText(finding, new Date())}\n`);
      },
      onFailure: ({ message }) =>
        say(
          `petstore-twin proxy: Nothing more is judged (${toVisible(message)}). Calls pass all the same.\n`,
        ),
    },
  );
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
    const receiver =
      hooks &&
      (await listen(
        { ...options, host: '127.0.0.1', port: hooks.port },
        {
          target: hooks.url,
          onExchange: (recorded) => judge.add({ ...recorded, isWebhook: true }),
        },
      ));
    say(toBanner({ ...options, target, origin: proxy.origin, receiver: receiver?.origin }));
    await untilEnd(interruption, env);
    await Promise.all([proxy.close({ grace }), receiver?.close({ grace })]);
    return await conclude(options, { ...(await judge.finish()), target }, env);
  } finally {
    await judge.close();
    interruption.dispose();
  }
}

/**
 * Reads the port that receives webhooks, and the origin that they are passed to. Throws a
 * UsageError.
 */
function readWebhooks({ webhooks, webhookSecret }: ProxyOptions) {
  if (webhooks === undefined) {
    if (webhookSecret === undefined) return undefined;
    throw new UsageError('--webhook-secret needs --webhooks PORT=URL.');
  }
  const [, port = '', url = ''] = /^(\d{1,5})=(https?:\/\/.+)$/.exec(webhooks) ?? [];
  ensureWebhookSecret(webhookSecret);
  if (URL.parse(url)?.pathname !== '/' || Number(port) > 65_535)
    throw new UsageError(
      `--webhooks must be a port and the origin to pass webhooks to, such as 4012=http://127.0.0.1:3000, but is "${webhooks}".`,
    );
  return { port: Number(port), url: new URL(url).origin };
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
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${port} on ${host} is in use. Give another --port, or 0 for a free one.`,
      );
    throw new UsageError(
      `Port ${port} on ${host} cannot be listened on (${code ?? message}). Give another --host or --port.`,
    );
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

/** Writes the reports on what passed, and gives the exit code. */
async function conclude(
  options: ProxyOptions,
  { report, archive, target }: JudgeResult & { target: string },
  env: Environment,
): Promise<number> {
  const { quiet, har } = options;
  const code = await publishReport(report, { ...options, command: 'proxy' }, env);
  if (archive && 'failure' in archive) {
    sayFailure('proxy', archive.failure, { isAnnotated: options.github });
    return code === 0 ? 2 : code;
  }
  if (archive && !quiet) {
    const { written, leftOut } = archive;
    const without = leftOut > 0 ? `, ${leftOut} left out as the disk was too slow` : '';
    say('proxy', `Recorded ${count(written, 'exchange')} in ${har}${without}.`);
    if (written > 0) sayHowToLearn('proxy', options, target);
  }
  return code;
}

/** Whether a URL leads to where the proxy listens itself, so that each call would go in a circle. */
function isOwnAddress({ hostname, port }: URL, own: { host: string; port: number }): boolean {
  return ['localhost', '127.0.0.1', own.host].includes(hostname) && Number(port) === own.port;
}

/** The stream that live text goes to; it decides on colours. */
const stream = process.stderr;

const dim = (text: string) => styleText('dim', text, { stream });
const bold = (text: string) => styleText('bold', text, { stream });

type BannerParts = Pick<ProxyOptions, 'har'> & {
  target: string;
  origin: string;
  receiver: string | undefined;
};

function toBanner({ target, origin, har, receiver }: BannerParts): string {
  const base = toVisible(`${origin}${new URL(target).pathname}`);
  return [
    `${bold('petstore-twin')} ${dim('passes calls to')} ${toVisible(target)}${dim(', and judges what passes')}\n\n`,
    `  ${styleText(['bold', 'cyan'], base, { stream })}\n\n`,
    `  The report is at ${origin}/__proxy/report while it runs. Ctrl-C ends it, and writes the reports.\n`,
    ...(receiver === undefined
      ? []
      : [`  Have the target send its webhooks to ${receiver}; their paths stay.\n`]),
    ...(har === undefined ? [] : [`  What passes is recorded in ${toVisible(har)}.\n`]),
    '\n',
  ].join('');
}

/** A finding when it is first seen. */
function toFindingText(finding: Finding, now: Date): string {
  const { verdict, check, operation, clause, message, expected, actual, curl } = finding;
  const where = [operation, toSource(clause)].filter((text) => text !== '').map(toVisible);
  const time = now.toTimeString().slice(0, 8);
  const fact = (label: string, text: string) =>
    `  ${dim(label.padEnd(10))}${toExcerpt(text, 300)}\n`;
  return [
    `${dim(time)}  ${styleText(styles[verdict], verdict, { stream })}  ${bold(toVisible(check))}  ${dim(where.join(', '))}\n`,
    `  ${toVisible(message)}\n`,
    fact('expected', expected),
    fact('got', actual),
    ...(curl === undefined ? [] : [`  ${styleText('cyan', toVisible(curl), { stream })}\n`]),
  ].join('');
}

type Files = { tlsCert?: string; tlsKey?: string };

/**
 * The certificate and key that the proxy shows its clients, as PEM; undefined without them. Throws
 * {@link UsageError}.
 */
function readIdentity({ tlsCert, tlsKey }: Files): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key need each other.');
  try {
    const [cert, key] = [readFileSync(tlsCert, 'utf8'), readFileSync(tlsKey, 'utf8')];
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `--tls-cert ${tlsCert} and --tls-key ${tlsKey} are no certificate and its key as PEM (${message}).`,
    );
  }
}
