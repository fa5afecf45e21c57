import { styleText } from 'node:util';
import { print } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';
import { createRedactor } from '../secrets/texts.ts';
import type { Progress, Result, Verdict } from './replay.ts';

const colours = { passed: 'green', failed: 'red', different: 'yellow', skipped: 'dim' } as const;
const order: Verdict[] = ['passed', 'failed', 'different', 'skipped'];
const width = 80;

export type Terminal = Progress & {
  /** The counts, once all is done; `created` are the ids of what stays behind. */
  onEnd(created: string[]): void;
  counts: Record<Verdict, number>;
};

/**
 * Writes a line a transaction, and the counts at the end. On a terminal the transaction under way
 * shows as well. What comes from the target is stripped of control characters, and of `secret`.
 */
export function createTerminal(
  out: NodeJS.WriteStream,
  { operations, secret }: { operations: string[]; secret: string | undefined },
): Terminal {
  const counts: Terminal['counts'] = { passed: 0, failed: 0, different: 0, skipped: 0 };
  const started = performance.now();
  const idWidth = Math.max(...operations.map((id) => toVisible(id).length));
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: out });
  const live = out.isTTY === true;
  const write = (line: string) => {
    if (live) out.write('\r\x1b[2K');
    print(`${line}\n`, out);
  };
  const redact = createRedactor(secret ? [secret] : []);
  let done = 0;
  let total = 0;

  return {
    counts,
    onStart(count) {
      total = count;
    },
    onTransaction(operation, status) {
      if (live)
        out.write(
          `\r\x1b[2K${paint('dim', `  ${done + 1}/${total} ${toVisible(operation)} ${status} ...`)}`,
        );
    },
    onResult({ operation, status, label, verdict, reasons }: Result) {
      done += 1;
      counts[verdict] += 1;
      const line = `  ${toVisible(operation).padEnd(idWidth)}  ${status}  ${paint(colours[verdict], verdict.padEnd(9))}`;
      write(label ? `${line}  ${paint('dim', toVisible(label))}` : line.trimEnd());
      const shown = reasons.slice(0, 5).map((reason) => clean(reason, redact));
      if (reasons.length > shown.length) shown.push(`and ${reasons.length - shown.length} more`);
      for (const reason of shown)
        for (const part of wrap(reason, width - 6)) write(`      ${paint('dim', part)}`);
    },
    onEnd(created) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const parts = order.map((verdict) => {
        const text = `${counts[verdict]} ${verdict}`;
        return counts[verdict] > 0 ? paint(colours[verdict], text) : text;
      });
      write(`\n  ${parts.join(', ')} of ${done} in ${seconds} s`);
      if (created.length === 0) return;
      for (const part of wrap(
        clean(`Created and not deleted: ${created.join(', ')}`, redact),
        width - 2,
      ))
        write(`  ${part}`);
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

function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text
    .split(' ')
    .flatMap((long) => long.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [])) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
