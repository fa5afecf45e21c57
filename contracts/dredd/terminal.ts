import { styleText } from 'node:util';
import { createProgressLine } from '../cli/progress-line.ts';
import { print } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';
import { createRedactor } from '../secrets/texts.ts';

/**
 * What became of one transaction. `different` is a failure where the interface states nothing; a
 * skipped one is undecided, and never counted as passed.
 */
export type Verdict = 'passed' | 'failed' | 'different' | 'skipped';

/** What became of one transaction, and why. */
export type Result = {
  operation: string;
  /** The documented status that was asked for. */
  status: string;
  /** The example that was sent, where it is not the operation's first. */
  label: string;
  verdict: Verdict;
  reasons: string[];
};

const colours = { passed: 'green', failed: 'red', different: 'yellow', skipped: 'dim' } as const;
const width = 80;
const maxReasons = 5;

/** Hears of a replay while it goes on. */
export interface Terminal {
  onStart(): void;
  onTransaction(operation: string, status: string): void;
  onResult(result: Result): void;
  /** `created` are the ids of what stays behind. */
  onEnd(created: readonly string[]): void;
  readonly counts: Record<Verdict, number>;
}

/** What the replay is of, the ids of its operations, and what is not to be shown. */
type TerminalOptions = { heading: string; operations: string[]; secret: string | undefined };

/**
 * Writes a line a transaction, and the counts at the end. On a terminal the transaction under way
 * shows as well. What comes from the target is stripped of control characters, and of `secret`.
 */
export function createTerminal(
  out: NodeJS.WriteStream,
  { heading, operations, secret }: TerminalOptions,
): Terminal {
  const counts: Terminal['counts'] = { passed: 0, failed: 0, different: 0, skipped: 0 };
  const started = performance.now();
  const idWidth = Math.max(...operations.map((id) => toVisible(id).length));
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: out });
  const redact = createRedactor(secret ? [secret] : []);
  const live = createProgressLine();
  const write = (line: string) => {
    live.clear();
    print(`${line}\n`, out);
  };
  return {
    counts,
    onStart: () => write(`${heading}\n`),
    onTransaction: (operation, status) => live.show(`  ${operation} ${status} ...`),
    onResult({ operation, status, label, verdict, reasons }) {
      counts[verdict] += 1;
      const line = `  ${toVisible(operation).padEnd(idWidth)}  ${status}  ${paint(colours[verdict], verdict.padEnd(9))}`;
      write(label ? `${line}  ${paint('dim', toVisible(label))}` : line.trimEnd());
      const shown = reasons.slice(0, maxReasons).map((reason) => clean(reason, redact));
      if (reasons.length > shown.length) shown.push(`and ${reasons.length - shown.length} more`);
      for (const part of shown.flatMap((reason) => wrap(reason, width - 6)))
        write(`      ${paint('dim', part)}`);
    },
    onEnd(created) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const parts = Object.entries(colours).map(([verdict, colour]) => {
        const number = counts[verdict as Verdict];
        return number > 0 ? paint(colour, `${number} ${verdict}`) : `0 ${verdict}`;
      });
      const all = Object.values(counts).reduce((sum, number) => sum + number, 0);
      write(`\n  ${parts.join(', ')} of ${all} in ${seconds} s`);
      const left = clean(`Created and not deleted: ${created.join(', ')}`, redact);
      if (created.length > 0) for (const part of wrap(left, width - 2)) write(`  ${part}`);
    },
  };
}

/** Text from elsewhere on one line, shortened, without control characters and without the key. */
function clean(text: string, redact: (text: string) => string): string {
  const plain = redact(text)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return plain.length > 300 ? `${plain.slice(0, 300)} ...` : plain;
}

/** Lines that end between words, where these are not longer than a line. */
function wrap(text: string, room: number): string[] {
  const lines = text.match(new RegExp(`\\S.{0,${room - 1}}(?= |$)|\\S{${room}}`, 'gu'));
  return (lines ?? []).map((line) => line.trim());
}
