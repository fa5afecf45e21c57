/** A value of an SDK. */
// biome-ignore lint/suspicious/noExplicitAny: the SDKs and their types are installed elsewhere
export type Loose = any;

/** A module of Go at a version, with the checksums that go.sum has for it. */
export type GoModule = { path: string; version: string; sums: [module: string, goMod: string] };

/** Steps that users of an SDK write, and what they run against. */
export type Lab = {
  /** The file's name, and that of the overlay in examples/overlays/. */
  name: string;
  /** The company or the project. */
  service: string;
  /** The package of npm that is tried, `name@version`. */
  sdk: string;
  /** Other packages of npm that are needed, `name@version`. */
  packages?: readonly string[];
  /** The location of the service's document: a file in an npm package or a Go module. */
  document: { from: string | GoModule; file: string; edit?: (text: string) => string };
  /** The path that the document puts before all others. */
  basePath: string;
  /** The code that connects the SDK to the twin, as a user writes it. */
  connect: string;
  /** By step, why it does not pass, for those whose failure does not say it. */
  reasons?: Readonly<Record<string, string>>;
  run(bench: Bench): Promise<void>;
};

/** The server that a lab runs against, and the tools for it. */
export type Bench = {
  /** The server's origin. */
  origin: string;
  /** The URL below which the server has the document's paths. */
  base: string;
  /** A key that the server accepts. */
  key: string;
  /** Loads an installed package. */
  load(name: string): Promise<Loose>;
  /** Runs a step and notes whether it passed; the lab goes on in any case. */
  step(name: string, run: () => Promise<unknown>): Promise<void>;
};

/** How a step went; without a problem, it passed. */
export type Outcome = { step: string; problem?: string };

/** Runs the steps of a lab, each for 20 seconds at most. */
export async function runLab(
  { run }: Pick<Lab, 'run'>,
  bench: Omit<Bench, 'step'>,
  milliseconds = 20_000,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await run({
    ...bench,
    async step(step, run) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds);
      try {
        await Promise.race([run(), late]);
        outcomes.push({ step });
      } catch (error) {
        outcomes.push({ step, problem: describe(error) });
      } finally {
        clearTimeout(timer);
      }
    },
  });
  return outcomes;
}

/** Throws unless both have the same JSON; `what` names what is compared. */
export function equal(got: unknown, expected: unknown, what = ''): void {
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Mismatch(`${what && `${what}: `}expected ${short(expected)}, got ${short(got)}`);
}

/** Throws with the text unless the condition holds. */
export function check(condition: unknown, text: string): asserts condition {
  if (!condition) throw new Mismatch(text);
}

/** Returns the result of an earlier step; throws if there is none. */
export function need<Value>(value: Value, step: string): NonNullable<Value> {
  check(value !== undefined && value !== null, `needs what "${step}" makes`);
  return value;
}

/** Awaits an error of the SDK, and looks at it; throws where there is none. */
export async function refuses(
  call: () => Promise<Loose>,
  look: (error: Loose) => unknown,
): Promise<void> {
  const outcome: { got: unknown } | { error: unknown } = await call().then(
    (got) => ({ got }),
    (error) => ({ error }),
  );
  if ('got' in outcome) throw new Mismatch(`expected an error, got ${short(outcome.got)}`);
  await look(outcome.error);
}

class Mismatch extends Error {}

function describe(error: Loose): string {
  const text = String(error?.message || error)
    .replace(/\s+/g, ' ')
    .slice(0, 300);
  if (error instanceof Mismatch) return text;
  const status = error?.status ?? error?.statusCode ?? error?.code ?? '';
  return [error?.constructor?.name, status, text].filter(Boolean).join(' ');
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
