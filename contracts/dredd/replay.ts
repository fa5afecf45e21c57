import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Hooks, Origin, Test, Transaction } from 'dredd';
import { explainConnection } from '../cli/explain-connection.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { ApiDocument } from '../description/document.ts';
import { arrange } from './arrange.ts';
import { acceptMediaTypeParameters, completeExpectation, isStated, responseOf } from './expect.ts';
import { createKnownIds } from './known-ids.ts';
import { toScenarios } from './scenarios.ts';

/**
 * What became of one transaction. `different` is a failure where the interface states nothing; a
 * skipped one is undecided, and never counted as passed.
 */
export type Verdict = 'passed' | 'failed' | 'different' | 'skipped';

export type Result = {
  operation: string;
  /** The documented status that was asked for. */
  status: string;
  /** The example that was sent, where it is not the operation's first. */
  label: string;
  verdict: Verdict;
  reasons: string[];
};

export type Progress = {
  onStart(total: number): void;
  onTransaction(operation: string, status: string): void;
  onResult(result: Result): void;
};

export type ReplayOptions = {
  /** The target's base URL, without a slash at its end. */
  url: string;
  key: string | undefined;
  writes: boolean;
  /** How long an answer may take, in milliseconds. */
  timeout: number;
};

const hookFile = `hooks${import.meta.url.endsWith('.ts') ? '.cts' : '.cjs'}`;

/**
 * Replays the document's examples against a target with Dredd, and resolves to the ids of what was
 * created there. Dredd reports nothing to anybody: its only reporter that calls out, Apiary's, has
 * to be asked for. Throws {@link UsageError}.
 */
export async function replay(
  document: ApiDocument,
  options: ReplayOptions,
  progress: Progress,
): Promise<string[]> {
  const scenarios = toScenarios(document);
  const scenarioOf = ({ actionName }: Origin) =>
    scenarios[Number(actionName)] as (typeof scenarios)[number];
  const ids = createKnownIds(document);
  const situation = {
    ...options,
    document,
    ids,
    basePath: new URL(options.url).pathname.replace(/\/+$/, ''),
  };
  const transactions = new Map<Origin, Transaction>();
  const skipped = new Map<Origin, string>();
  let exhausted = false;

  const register = (hooks: Hooks) => {
    hooks.beforeAll((all) => progress.onStart(all.length));
    hooks.beforeEach((transaction) => {
      const { origin, expected, request } = transaction;
      const scenario = scenarioOf(origin);
      transactions.set(origin, transaction);
      progress.onTransaction(scenario.operation.id, expected.statusCode);
      const reason = arrange(transaction, scenario, situation);
      const barred =
        exhausted && request.headers.Authorization ? 'the key was answered 429 before' : undefined;
      const why = reason ?? barred;
      if (why === undefined) return completeExpectation(transaction, scenario.operation, document);
      skipped.set(origin, why);
      transaction.skip = true;
    });
    hooks.beforeEachValidation(acceptMediaTypeParameters);
    hooks.afterEach((transaction) => {
      const { origin, expected, real } = transaction;
      ids.learn(scenarioOf(origin).operation, transaction);
      if (real?.statusCode !== 429 || expected.statusCode === '429') return;
      exhausted = true;
      skipped.set(origin, 'the answer is 429: the quota of the key is used up');
    });
  };

  const report = (origin: Origin, failure: string[], unstated: Verdict = 'different') => {
    const { operation, label } = scenarioOf(origin);
    const status = transactions.get(origin)?.expected.statusCode ?? '';
    const reason = skipped.get(origin);
    const failed = isStated(responseOf(operation, status) ?? {}) ? 'failed' : unstated;
    const verdict = reason !== undefined ? 'skipped' : failure.length > 0 ? failed : 'passed';
    progress.onResult({
      operation: operation.id,
      status,
      label,
      verdict,
      reasons: reason === undefined ? failure : [reason],
    });
  };

  const emitter = new EventEmitter();
  emitter.on('test pass', ({ origin }: Test) => report(origin, []));
  emitter.on('test skip', ({ origin }: Test) => report(origin, []));
  emitter.on('test fail', (test: Test) => report(test.origin, toReasons(test)));
  emitter.on('test error', (error: NodeJS.ErrnoException, { origin }: Test) => {
    if (error.code === undefined)
      skipped.set(origin, `Dredd cannot judge the answer: ${error.message}`);
    const late = error.code?.endsWith('TIMEDOUT');
    report(
      origin,
      [
        late
          ? `no answer within ${options.timeout} ms`
          : `no complete answer: ${explainConnection(error.code ?? '')}`,
      ],
      'failed',
    );
  });

  const dredd = await createDredd({
    endpoint: options.url,
    apiDescriptions: scenarios.map(({ text }) => text),
    emitter,
    hookfiles: [fileURLToPath(new URL(hookFile, import.meta.url))],
    custom: { cwd: process.cwd(), register },
    http: { timeout: options.timeout, gzip: true },
    reporter: [],
    sorted: true,
    loglevel: 'silent',
  });
  const problem = await new Promise<Error | null>((resolve) => dredd.run(resolve));
  if (problem)
    throw new UsageError(`Dredd cannot replay the document: ${await explain(dredd, problem)}`);
  return ids.all();
}

type DreddClass = typeof import('dredd').default;

/**
 * Loads Dredd, late because that is slow, and silences its own report and the warnings of its old
 * dependencies.
 */
async function createDredd(
  configuration: ConstructorParameters<DreddClass>[0],
): Promise<InstanceType<DreddClass>> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const [{ default: Dredd }, { default: logger }] = await Promise.all([
      import('dredd'),
      import('dredd/build/reporters/reporterOutputLogger.js'),
    ]);
    logger.default.transports.console.silent = true;
    return new Dredd(configuration);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing
      ? new UsageError('Dredd is not installed. Add it: npm install --save-dev dredd')
      : error;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** A wrong status says it all; otherwise each problem of headers and body counts. */
function toReasons({ results }: Test): string[] {
  const { statusCode, ...others } = results?.fields ?? {};
  const fields = statusCode?.errors?.length ? { statusCode } : others;
  const reasons = Object.entries(fields).flatMap(([field, { errors = [] }]) =>
    errors.map(({ message }) => (field === 'statusCode' ? message : `${field}: ${message}`)),
  );
  return reasons.length > 0 ? reasons : ['Dredd gives no reason'];
}

/** Dredd's error says only that there is a problem; what it is stands in the annotations. */
async function explain(dredd: InstanceType<DreddClass>, problem: Error): Promise<string> {
  const annotations = await new Promise<{ type: string; message: string }[]>((resolve) =>
    dredd.prepareAPIdescriptions((_, descriptions = []) =>
      resolve(descriptions.flatMap((one) => one.annotations)),
    ),
  );
  return annotations.find(({ type }) => type === 'error')?.message ?? problem.message;
}
