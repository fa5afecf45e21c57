import { styleText } from 'node:util';
import { toExcerpt, toVisible } from '../look/visible.ts';
import type { Finding } from '../report/events.ts';
import { toSource } from '../report/summary.ts';
import { styles } from '../report/terminal/paint.ts';
import type { ProxyOptions } from './options.ts';

/** The stream that live text goes to; it decides on colours. */
const stream = process.stderr;

const dim = (text: string) => styleText('dim', text, { stream });
const bold = (text: string) => styleText('bold', text, { stream });

type BannerParts = Pick<ProxyOptions, 'key' | 'via' | 'har'> & { target: string; origin: string };

/** What is printed at the start. */
export function toBanner({ target, origin, key, via, har }: BannerParts): string {
  const line = (label: string, text: string) => `  ${dim(label.padEnd(8))}${toVisible(text)}\n`;
  const plans = Map.groupBy(key, ({ plan }) => plan ?? 'of unknown plan');
  const named = [...plans].map(([plan, { length }]) => `${length} ${plan}`);
  const base = toVisible(`${origin}${new URL(target).pathname}`);
  return [
    `${bold('petstore-twin')} ${dim('passes calls to')} ${toVisible(target)}${dim(', and judges what passes')}\n\n`,
    `  ${styleText(['bold', 'cyan'], base, { stream })}\n\n`,
    line('Keys', named.length > 0 ? `${named.join(', ')}; others by their own headers` : byHeaders),
    line('Changes', `Host names the target${via ? '; Via is added (not with --no-via)' : ''}`),
    line('Report', `${origin}/__proxy/report, while it runs`),
    ...(har === undefined ? [] : [line('Records', har)]),
    line('Ends', 'with Ctrl-C, and writes the reports then'),
    '\n',
  ].join('');
}

const byHeaders = 'none given; each is judged by its own headers';

/** A finding when it is first seen. */
export function toFindingText(finding: Finding, now: Date): string {
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
