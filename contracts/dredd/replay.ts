import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Hooks, Origin, Test, Transaction } from 'dredd';
import { explainConnection } from '../../common/cli/explain-connection.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type {
  Api,
  Operation,
  Provenance,
  ResponseDescription,
  Schema,
} from '../../openapi/index.ts';
import { arrange, KnownIds, type Situation } from './arrange.ts';
import { type Scenario, toScenarios } from './scenarios.ts';
import type { Terminal, Verdict } from './terminal.ts';

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
 * Replays the document's examples against a target with Dredd, and resolves to the ids of created
 * items. Dredd sends no reports elsewhere, because its Apiary reporter is off. Throws {@link
 * UsageError}.
 */
export async function replay(
  document: Api,
  options: ReplayOptions,
  terminal: Pick<Terminal, 'onStart' | 'onResult'>,
): Promise<string[]> {
  const run = new Replay(document, options, terminal);
  const dredd = await createDredd({
    endpoint: options.url,
    apiDescriptions: run.scenarios.map(({ text }) => text),
    emitter: run.toEmitter(),
    hookfiles: [fileURLToPath(new URL(hookFile, import.meta.url))],
    custom: { cwd: process.cwd(), register: (hooks) => run.register(hooks) },
    http: { timeout: options.timeout, gzip: true },
    reporter: [],
    sorted: true,
    loglevel: 'silent',
  });
  terminal.onStart();
  const problem = await new Promise<Error | null>((resolve) => dredd.run(resolve));
  if (problem) throw new UsageError(`Dredd cannot replay the document: ${problem.message}`);
  return run.ids.created();
}

/** A replay under way: prepares what Dredd sends, and tells what became of it. */
class Replay {
  readonly scenarios: readonly Scenario[];
  readonly ids: KnownIds;
  readonly #situation: Situation;
  readonly #timeout: number;
  readonly #terminal: Pick<Terminal, 'onStart' | 'onResult'>;
  readonly #statuses = new Map<Origin, string>();
  readonly #skipped = new Map<Origin, string>();

  constructor(
    document: Api,
    { url, key, writes, timeout }: ReplayOptions,
    terminal: Pick<Terminal, 'onStart' | 'onResult'>,
  ) {
    this.scenarios = toScenarios(document);
    this.ids = new KnownIds(document);
    const basePath = new URL(url).pathname.replace(/\/+$/, '');
    this.#situation = { document, ids: this.ids, basePath, key, writes };
    this.#timeout = timeout;
    this.#terminal = terminal;
  }

  register(hooks: Hooks): void {
    hooks.beforeEach((transaction) => this.#prepare(transaction));
    hooks.beforeEachValidation((transaction) => acceptMediaTypeParameters(transaction));
    hooks.afterEach((transaction) => this.#learn(transaction));
  }

  toEmitter(): EventEmitter {
    const emitter = new EventEmitter();
    emitter.on('test pass', ({ origin }: Test) => this.#report(origin, []));
    emitter.on('test skip', ({ origin }: Test) => this.#report(origin, []));
    emitter.on('test fail', (test: Test) => this.#report(test.origin, toReasons(test)));
    emitter.on('test error', ({ code, message }: NodeJS.ErrnoException, { origin }: Test) => {
      if (code === undefined)
        this.#skipped.set(origin, `Dredd cannot judge the answer: ${message}`);
      const reason = code?.endsWith('TIMEDOUT')
        ? `no answer within ${this.#timeout} ms`
        : `no complete answer: ${explainConnection(code ?? '')}`;
      this.#report(origin, [reason], 'failed');
    });
    return emitter;
  }

  #scenarioOf({ actionName }: Origin): Scenario {
    return this.scenarios[Number(actionName)] as Scenario;
  }

  #prepare(transaction: Transaction): void {
    const { origin, expected } = transaction;
    const scenario = this.#scenarioOf(origin);
    this.#statuses.set(origin, expected.statusCode);
    const reason = arrange(transaction, scenario, this.#situation);
    transaction.skip = reason !== undefined;
    if (reason !== undefined) this.#skipped.set(origin, reason);
    else completeExpectation(transaction, scenario.operation, this.#situation.document);
  }

  #learn(transaction: Transaction): void {
    const { origin, expected, real } = transaction;
    this.ids.learn(this.#scenarioOf(origin).operation, transaction);
    if (real?.statusCode === 429 && expected.statusCode !== '429')
      this.#skipped.set(origin, 'the answer is 429: the quota of the key is used up');
  }

  #report(origin: Origin, failure: string[], unstated: Verdict = 'different'): void {
    const { operation } = this.#scenarioOf(origin);
    const status = this.#statuses.get(origin) ?? '';
    const reason = this.#skipped.get(origin);
    const failed = isStated(responseOf(operation, status) ?? {}) ? 'failed' : unstated;
    const judged = failure.length > 0 ? failed : 'passed';
    this.#terminal.onResult({
      operation: operation.id,
      status,
      verdict: reason === undefined ? judged : 'skipped',
      reasons: reason === undefined ? failure : [reason],
    });
  }
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

/**
 * Whether the interface itself states a node. One that says nothing of its source is stated by its
 * document.
 */
function isStated({ source, assumed }: Provenance): boolean {
  return source === undefined
    ? assumed === undefined
    : source.split(', ').some((part) => part.startsWith('§'));
}

function responseOf(operation: Operation, status: string): ResponseDescription | undefined {
  return operation.responses.find((response) => response.status === status);
}

/**
 * Completes what Dredd understood of a response: the body must fit the whole schema, and only the
 * headers that the interface states must be there.
 */
function completeExpectation(
  { expected }: Transaction,
  operation: Operation,
  { asOpenApi }: Api,
): void {
  const response = responseOf(operation, expected.statusCode);
  if (!response) return;
  for (const [name, header] of Object.entries(response.headers))
    if (!header.required || !isStated(header)) delete expected.headers[name];
  if (response.schema) expected.bodySchema = toDraft7(asOpenApi(), response.schema);
}

/**
 * Takes a parameter of the media type for what it is: `application/json; charset=utf-8` is JSON.
 */
function acceptMediaTypeParameters({ expected, real }: Transaction): void {
  const actual = real?.headers['content-type'];
  const name = Object.keys(expected.headers).find((one) => one.toLowerCase() === 'content-type');
  if (name && actual?.split(';')[0]?.trim() === expected.headers[name]?.split(';')[0]?.trim())
    expected.headers[name] = actual ?? '';
}

const mapsOfSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'schemas'];
const annotations = ['format', 'example', 'examples', 'default'];

/**
 * The same schema for Dredd's validator, which knows draft 7: it refuses a `format` that it does not
 * know, and takes an `id` inside an example for the schema's own.
 */
function toDraft7(whole: ReturnType<Api['asOpenApi']>, schema: Schema): object {
  const maps = new WeakSet<object>();
  function translate(this: object, key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return Number(value);
    const isName = maps.has(this);
    if (!isName && (annotations.includes(key) || key.startsWith('x-'))) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (!isName && mapsOfSchemas.includes(key)) maps.add(value);
    return value;
  }
  const held = { ...schema, components: { schemas: whole.components?.schemas ?? {} } };
  return {
    ...JSON.parse(JSON.stringify(held, translate)),
    $schema: 'http://json-schema.org/draft-07/schema#',
  };
}
