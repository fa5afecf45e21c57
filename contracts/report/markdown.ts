import { count } from '../../common/cli/count.ts';
import { toExcerpt, toVisible } from '../../common/look/visible.ts';
import type { Finding, Report } from './events.ts';
import { toFacts } from './facts.ts';
import { gapsOf } from './gaps.ts';
import { isEmpty, toHeadline } from './headline.ts';
import {
  type FindingGroup,
  groupFindings,
  isBrief,
  isGating,
  listCurls,
  type ReportOptions,
  toBriefFacts,
  toCell,
  toLeftOut,
  toOperationName,
  toOrigin,
  toSafeUrl,
  toVerdictLabel,
  toVerdictName,
  toWhere,
} from './summary.ts';

/** Bytes; GitHub takes comments of up to 65,536 characters. */
const maxCommentBytes = 59_000;
const maxBrief = 19;
const maxCurlLength = 4000;

const symbols: Readonly<Record<Report['verdict'], string>> = {
  clean: '✅',
  drift: '❌',
  unanswered: '⏳',
  incomplete: '⚠️',
};

/** A green mark is for what was asked about all clauses. */
function symbolOf(report: Report): string {
  return toVerdictName(report) === report.verdict ? symbols[report.verdict] : '⚪';
}

/**
 * The report as GitHub Markdown, in which nothing from a target acts: for a pull request, so under
 * 60,000 bytes, unless it may have more (`maxBytes`). What does not fit is left out, and counted in a
 * sentence.
 */
export function toMarkdownReport(
  report: Report,
  options: ReportOptions,
  { maxBytes = maxCommentBytes } = {},
): string {
  const { document, targets, seconds } = report;
  const leftOut = toLeftOut(report);
  const requests = targets.reduce((sum, target) => sum + target.requests, 0);
  const begin = [
    `## ${symbolOf(report)} Contract: ${toVerdictName(report)}`,
    safe(toHeadline(report, options)),
    ...(report.incomplete.length > 0
      ? [report.incomplete.map((reason) => `- ${safe(reason)}`).join('\n')]
      : []),
  ];
  const end = [
    operations(report),
    ...silences(report),
    ...(isEmpty(report) ? [] : gaps(report)),
    `<sub>${safe(
      `${document.title} ${document.version}. ${toOrigin(report)}, ` +
        `${count(requests, 'request')} in ${seconds.toFixed(1)} s.${leftOut === undefined ? '' : ` ${leftOut}`}`,
    )}</sub>`,
  ];
  const findings = groupFindings(report).flatMap((group) => toGroup(group, options));
  return `${shorten(begin, findings, end, maxBytes).join('\n\n')}\n`;
}

/** Leaves out the last findings, and parts of the end, where all is too long. */
function shorten(begin: string[], findings: string[], end: string[], maxBytes: number): string[] {
  const note = (left: number) => `_${left} more did not fit here: see the JSON or HTML report._`;
  const length = (parts: string[]) =>
    parts.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, 0);
  const tail = end.slice(-1);
  for (const part of end.slice(0, -1))
    if (length([...tail, part]) < maxBytes / 3) tail.splice(-1, 0, part);
  const kept: string[] = [];
  let room = maxBytes - 100 - length([...begin, ...tail]);
  for (const finding of findings) {
    room -= length([finding]);
    if (room < 0) break;
    kept.push(finding);
  }
  const left = findings.length - kept.length + end.length - tail.length;
  const parts = [...begin, ...kept, ...(left > 0 ? [note(left)] : []), ...tail];
  return length(parts) <= maxBytes
    ? parts
    : [...begin.slice(0, 2), note(left + begin.length - 2), ...tail.slice(-1)];
}

function operations(report: Report): string {
  const names = report.targets.map(({ name }) => name);
  const rows = report.operations.map(({ id, method, path, results }) => [
    safe(toOperationName(id)),
    safe(`${method} ${path}`.trim()),
    ...names.map((name) => toCell(report, name, { id, results })),
  ]);
  return table(['Operation', 'Call', ...names.map(safe)], rows);
}

function toGroup({ verdict, meaning, findings }: FindingGroup, options: ReportOptions): string[] {
  const fails = findings.some((finding) => isGating(finding, options))
    ? 'fails the run'
    : 'does not fail the run';
  const label = toVerdictLabel(verdict);
  const title = `### ${label.charAt(0).toUpperCase()}${label.slice(1)}: ${findings.length} (${meaning}; ${fails})`;
  if (!isBrief(verdict, options)) return [title, ...findings.map(toDetails)];
  const lines = findings.slice(0, maxBrief).map((finding) => {
    const facts = toBriefFacts(finding).map(safe).join('; ');
    return `- ${safe(finding.message)}${facts && `: ${facts}`}`;
  });
  const more = findings.length > maxBrief ? [`- and ${findings.length - maxBrief} more`] : [];
  return [title, details(count(findings.length, 'finding'), [...lines, ...more].join('\n'))];
}

function toDetails(finding: Finding): string {
  const { check, clause, message, problems = [] } = finding;
  const curls = listCurls(finding).map(toVisible);
  const isShort = curls.join('').length <= maxCurlLength;
  const facts = [
    ...problems.map((problem) => `- ${toExcerpt(problem, 400)}`),
    ...toFacts(finding)
      .filter(([label]) => label !== 'docs')
      .map(([label, text]) => `${label.padEnd(8)}  ${toExcerpt(text, 400)}`),
  ];
  return details(
    `<b>${safe(check)}</b> (${safe(toWhere(finding))}): ${safe(message)}`,
    fenced(facts, 'text'),
    ...(toSafeUrl(clause.url) === undefined
      ? []
      : [`Read the clause: ${linked(`${clause.id}, ${clause.source}`, clause.url)}`]),
    ...(curls.length > 0 && isShort ? [fenced(curls, 'sh')] : []),
  );
}

function gaps(report: Report): string[] {
  return gapsOf(report).map(({ title, meaning, lines }) =>
    details(
      `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${safe(meaning)}`,
      lines.map((line) => `- ${safe(line)}`).join('\n'),
    ),
  );
}

/** Returns a table of the silences in which the targets differ. */
function silences({ silences: all, targets }: Report): string[] {
  const names = targets.map(({ name }) => name);
  const different = all.filter(
    ({ observed }) => new Set(names.map((name) => observed[name])).size > 1,
  );
  if (different.length === 0) return [];
  const rows = different.map(({ question, source, url, observed }) => [
    linked(`${question} (${source})`, url),
    ...names.map((name) => safe(toExcerpt(observed[name] ?? 'not observed', 160))),
  ]);
  const summary = `Where the interface is silent, the targets differ in ${count(rows.length, 'thing')}`;
  return [details(summary, table(['Question', ...names.map(safe)], rows))];
}

function linked(text: string, url: string | undefined): string {
  const safeUrl = toSafeUrl(url);
  // A bar would end the cell of a table.
  return safeUrl === undefined
    ? safe(text)
    : `[${safe(text)}](<${safeUrl.replaceAll('|', '%7C')}>)`;
}

function details(summary: string, ...content: string[]): string {
  return [
    '<details>',
    `<summary>${summary}</summary>`,
    '',
    content.join('\n\n'),
    '',
    '</details>',
  ].join('\n');
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** A code block whose fence is longer than any in it. */
function fenced(lines: string[], language: string): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Text in which Markdown and HTML mean nothing, and which mentions and links nobody and nothing.
 */
function safe(text: string): string {
  return toVisible(text)
    .replace(/[&<>|`*_~[\]\\!]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replace(/[@#](?=\w)|:\/\/|www(?=\.)/gi, '$&<!-- -->');
}
