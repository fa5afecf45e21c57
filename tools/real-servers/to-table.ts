import type { RealServer } from './real-server.ts';
import type { Outcome } from './try-server.ts';

/** The row of a server in the table of docs/real-servers.md. */
export function toRow({ name, version }: RealServer, outcome: Outcome): string {
  const { requests, changed, deleted, untold, judged, breaks } = outcome;
  const found = breaks.filter((result) => result === 'found').length;
  const applied = breaks.filter((result) => result !== 'n/a').length;
  const cells = [
    ...[name, version, new Date().toISOString().slice(0, 10), requests.join(', ')],
    [changed, deleted, untold].join(' / '),
    [judged.true, judged.arguable, judged.false].join(' / '),
    `${found} of ${applied}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The page with a row in place of the one of the same server, or as the last one. */
export function replaceRows(page: string, name: string, row: string): string {
  const [before = '', table = '', after = ''] = page.split(
    /(?<=<!-- begin table -->\n)|(?=<!-- end table -->)/,
  );
  const rows = table.trimEnd().split('\n');
  const index = rows.findIndex((line) => line.startsWith(`| ${name} |`));
  return `${before}${rows.with(index === -1 ? rows.push('') - 1 : index, row).join('\n')}\n${after}`;
}
