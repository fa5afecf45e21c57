import { styleText } from 'node:util';
import { print } from '../../common/look/print.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { createRedactor } from '../../common/secrets/texts.ts';

/**
 * The verdict on a transaction. `different` is a failure where the interface states nothing;
 * `skipped` is undecided and never counts as passed.
 */
export type Verdict = 'passed' | 'failed' | 'different' | 'skipped';

/** The result of a transaction, with the reasons. */
export type Result = {
  operation: string;
  /** The documented status that was asked for. */
  status: string;
  verdict: Verdict;
  reasons: string[];
};

const colours = { passed: 'green', failed: 'red', different: 'yellow', skipped: 'dim' } as const;
const maxReasons = 5;

/** Hears of a replay while it goes on. */
export interface Terminal {
  onStart(): void;
  onResult(result: Result): void;
  /** `created` are the ids of what stays behind. */
  onEnd(created: readonly string[]): void;
  readonly counts: Record<Verdict, number>;
}

/** The title of the replay, the ids of its operations, and the secret to hide. */
type TerminalOptions = { heading: string; operations: string[]; secret: string | undefined };

/**
 * Writes a line a transaction, and the counts at the end. What comes from the target is stripped of
 * control characters, and of `secret`.
 */
export function createTerminal(
  out: NodeJS.WriteStream,
  { heading, operations, secret }: TerminalOptions,
): Terminal {
  const counts: Terminal['counts'] = { passed: 0, failed: 0, different: 0, skipped: 0 };
  const started = performance.now();
  const idWidth = Math.max(...operations.map(({ length }) => length));
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: out });
  const redact = createRedactor(secret ? [secret] : []);
  const write = (line: string) => print(`${line}\n`, out);
  return {
    counts,
    onStart() {
      write(`${heading}\n`);
    },
    onResult({ operation, status, verdict, reasons }) {
      counts[verdict] += 1;
      write(`  ${operation.padEnd(idWidth)}  ${status}  ${paint(colours[verdict], verdict)}`);
      for (const reason of reasons.slice(0, maxReasons))
        write(`      ${paint('dim', toExcerpt(redact(reason), 300))}`);
    },
    onEnd(created) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const parts = Object.entries(counts).map(([verdict, number]) => `${number} ${verdict}`);
      const all = Object.values(counts).reduce((sum, number) => sum + number, 0);
      write(`\n  ${parts.join(', ')} of ${all} in ${seconds} s`);
      if (created.length > 0)
        write(`  ${toExcerpt(redact(`Created and not deleted: ${created.join(', ')}`), 300)}`);
    },
  };
}
