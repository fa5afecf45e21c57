import { setFlagsFromString } from 'node:v8';
import type { Environment } from '../../common/cli/create-command.ts';
import { showPage } from '../../common/cli/help-pages.ts';
import { describeFlags } from '../../common/cli/read-options.ts';
import { readVersion } from '../../common/cli/read-version.ts';
import { MistakesError, UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { messageOf, toVisible } from '../../common/look/visible.ts';
import { createLog, type Log } from '../log.ts';
import { flags, parseConfig } from '../settings/config.ts';
import { openTwin, type Twin } from '../twin.ts';

type ServeOptions = {
  env: Environment;
  /** The command that users type before the options, for the help. */
  command: string;
};

/** Runs the mock as a process: settings, banner, signals. Exits with 2 where it cannot run. */
export async function serve(
  args: readonly string[],
  { env, command }: ServeOptions,
): Promise<void> {
  surviveLostOutput();
  const optimize = holdOptimizing();
  let stop: () => void = () => process.exit(143);
  const leaveParent = stopWithParent(() => stop(), env);
  try {
    const { config, apis, print: asked } = parseConfig(args, env);
    if (asked !== undefined) {
      print(asked === 'version' ? `${readVersion()}\n` : toHelpText(command));
      return;
    }
    const log = createLog(config.logLevel);
    const onShutdown = () => stop();
    const hasCode = [config, ...(apis?.values() ?? [])].some((one) => one.behaviours !== undefined);
    if (hasCode) await surviveBehaviours(log);
    const onSignal = (twin: Pick<Twin, 'close'>) =>
      closeOnSignal(twin, (message) => log.info(message));
    if (apis) {
      const { openTwins, toBannerOfAll } = await import('../apis/open-twins.ts');
      const twins = await openTwins({ config, apis }, { log, onShutdown });
      stop = onSignal(twins);
      print(`${config.disableBanner ? twins.origin : toBannerOfAll(twins, config)}\n`);
      await twins.openAll().catch(async (error) => {
        await twins.close();
        throw error;
      });
      return;
    }
    const twin = await openTwin(config, { log, onShutdown });
    stop = onSignal(twin);
    const { origin, document } = twin;
    if (config.disableBanner) return print(`${toVisible(origin + document.basePath)}\n`);
    const { toBanner } = await import('./banner.ts');
    print(`${await toBanner(twin, config, { explain: toExplain(command) })}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = error instanceof MistakesError ? error.message : toVisible(error.message);
    print(`petstore-twin: ${message}\n`, process.stderr);
    showPage('mock', error);
    process.exitCode = 2;
    leaveParent();
  } finally {
    setTimeout(optimize, 1000).unref();
  }
}

/** After how many calls, or rounds of a loop, V8 optimizes code. */
const countsOfOptimizers = {
  turbofan: 3000,
  osr: 500,
  maglev: 400,
  'maglev-osr': 100,
};

/**
 * Lets V8 optimize functions after ten times as many calls as by default: in code that runs once, that
 * takes more processor time than it saves. Returns a function that ends this. Without the optimizer
 * (`--no-turbofan`), code compiled meanwhile would stay as it is.
 */
function holdOptimizing(): () => void {
  const setAll = (factor: number) => {
    for (const [optimizer, count] of Object.entries(countsOfOptimizers))
      setFlagsFromString(`--invocation-count-for-${optimizer}=${count * factor}`);
  };
  setAll(10);
  return () => setAll(1);
}

/** The command that explains a document, by the one that starts the mock. */
function toExplain(command: string): string {
  return command.startsWith('npm ') ? 'npm run explain --' : 'petstore-twin explain';
}

/**
 * A full disk, or a closed reader of the log, is no reason to stop serving; without a listener,
 * Node ends the process.
 */
function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Code of behaviours may fail where no call waits for it, such as in a timer; calls go on. */
async function surviveBehaviours(log: Log): Promise<void> {
  const { whereIs } = await import('../extras/behaviours/where.ts');
  const survive = (error: unknown) => {
    const at = whereIs(error);
    if (at === undefined) throw error;
    log.error(`Code at ${at} failed outside of its call: ${messageOf(error)}`);
  };
  process.on('unhandledRejection', survive);
  process.on('uncaughtException', survive);
}

/**
 * Stops on a signal, and at once on a second one. Gives what stops it otherwise; that never hurries
 * a stop under way.
 */
function closeOnSignal(twin: Pick<Twin, 'close'>, log: (message: string) => void): () => void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(signal === 'SIGINT' ? 130 : 143);
    stopping = true;
    const closed = twin.close();
    log('Finishing requests in progress. Press Ctrl-C again to stop at once.');
    closed.then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => {
    if (!stopping) stop('SIGTERM');
  };
}

/**
 * Stops with the process that started this one: `verify` holds a channel, which ends however it ends.
 * npm runs scripts in a shell that forwards no signal: when npm is stopped, the shell exits and the
 * mock would stay. Returns what ends this, as a process that waits for its parent does not exit.
 */
function stopWithParent(stop: () => void, env: Environment): () => void {
  // Who forks the mock by itself may let go of it.
  if (env.npm_lifecycle_event === undefined) return () => {};
  process.once('disconnect', stop);
  if (process.connected === false) stop();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500).unref();
  return () => process.off('disconnect', stop);
}

const examples = [
  ['', 'on http://127.0.0.1:4010/v1'],
  ['--port 0 --seed 7 --items 1000', 'a free port, other items, and more of them'],
  ['--rate-limits off', 'never refuse a call'],
  ['--spec users=users.yaml --spec orders=orders.yaml', 'several APIs, at /users and /orders'],
  ['--host 0.0.0.0 --admin-token s3cret', 'reachable from other machines, with the admin'],
] as const;

/** The text of `--help`; `command` is what users type before the options. */
export function toHelpText(command: string): string {
  const typed = examples.map(
    ([options, what]) => [`${command} ${options}`.replace(/( --)? $/, ''), what] as const,
  );
  const width = Math.max(...typed.map(([line]) => line.length));
  return `petstore-twin: a stateful mock of the Pet Store Service

Usage: ${command} [options]

Options, which are also environment variables (TWIN_PORT) and keys of the config file ("port"):
${describeFlags(flags)}

Flags override environment variables, which override the config file.

Each test worker can have a sandbox of its own, created on first use: call /sandboxes/NAME/v1, or send X-Sandbox: NAME.

Examples:
${typed.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}
`;
}
