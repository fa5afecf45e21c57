import { count } from '../cli/count.ts';
import { toExcerpt, toVisible } from '../look/visible.ts';
import type { Finding, RelatedFinding, Report, ReportedExchange, Residue } from './events.ts';
import { isEmpty, isUnanswered, toHeadline } from './headline.ts';
import {
  callsElsewhere,
  domainsOf,
  type FindingGroup,
  groupFindings,
  groupReasons,
  isBrief,
  isGating,
  isUndecided,
  leftAloneText,
  listOperations,
  type ReportOptions,
  sectionsOfFindings,
  toBriefFacts,
  toCell,
  toFailureText,
  toLeftLines,
  toLeftOut,
  toNotCalledText,
  toOrigin,
  toRelatedText,
  toResidueText,
  toSafeUrl,
  toSource,
  toTargetName,
  toVerdictName,
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
    `## ${symbolOf(report)} ${domainsOf(report) ? 'Domains' : 'Contract'}: ${toVerdictName(report)}`,
    safe(toHeadline(report, options)),
    ...(report.incomplete.length > 0
      ? [report.incomplete.map((reason) => `- ${safe(reason)}`).join('\n')]
      : []),
    ...(domainsOf(report) ? [] : [operations(report)]),
  ];
  const end = [
    ...interfaceOf(report),
    ...(isEmpty(report) || isUnanswered(report) ? [] : notJudged(report)),
    ...notApplicable(report),
    ...silences(report),
    ...notCalled(report),
    ...leftBehind(report),
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
    safe(id),
    safe(`${method} ${path}`),
    ...names.map((name) => toCell(report, name, { id, results })),
  ]);
  const elsewhere = callsElsewhere(report);
  if (Object.values(elsewhere).some(({ calls, findings }) => calls + findings > 0))
    rows.push([
      'elsewhere',
      '',
      ...names.map((name) => toCell(report, name, { id: '', results: elsewhere })),
    ]);
  return table(['Operation', 'Call', ...names.map(safe)], rows);
}

function toGroup({ verdict, meaning, findings }: FindingGroup, options: ReportOptions): string[] {
  const fails = findings.some((finding) => isGating(finding, options))
    ? 'fails the run'
    : 'does not fail the run';
  const title = `### ${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}: ${findings.length} (${meaning}; ${fails})`;
  if (!isBrief(verdict, options)) return [title, ...findings.map(toDetails)];
  const lines = findings.slice(0, maxBrief).map((finding) => {
    const facts = toBriefFacts(finding).map(safe).join('; ');
    return `- ${safe(finding.message)}${facts && `: ${facts}`}`;
  });
  const more = findings.length > maxBrief ? [`- and ${findings.length - maxBrief} more`] : [];
  return [title, details(count(findings.length, 'finding'), [...lines, ...more].join('\n'))];
}

function toDetails(finding: Finding): string {
  const {
    target,
    check,
    operation,
    clause,
    message,
    problems = [],
    expected,
    actual,
    count: times,
    exchange,
    curl,
  } = finding;
  const where = [
    target,
    ...(operation === '' ? [] : [operation]),
    toSource(clause),
    count(times, 'time'),
  ];
  const facts = [
    ...problems.map((problem) => `- ${toExcerpt(problem, 400)}`),
    `clause    ${toExcerpt(clause.text, 400)}`,
    `expected  ${toExcerpt(expected, 400)}`,
    `got       ${toExcerpt(actual, 400)}`,
  ];
  return details(
    `<b>${safe(check)}</b> (${where.map(safe).join(', ')}): ${safe(message)}`,
    fenced([...facts, ...(exchange ? ['', ...toLines(exchange)] : [])], 'text'),
    ...toDocsLine(finding),
    ...toRelatedLists(finding),
    ...(curl === undefined || curl.length > maxCurlLength ? [] : [fenced([toVisible(curl)], 'sh')]),
  );
}

/** Where the clause can be read. */
function toDocsLine({ clause }: Finding): string[] {
  return toSafeUrl(clause.url) === undefined
    ? []
    : [`Read the clause: ${linked(`${clause.id}, ${clause.source}`, clause.url)}`];
}

/** The other operations that show a finding, and what else has its cause. */
function toRelatedLists({ operations, related }: Finding): string[] {
  const list = (title: string, ones: RelatedFinding[]) =>
    ones.length === 0
      ? []
      : [`${title}\n\n${ones.map((one) => `- ${safe(toRelatedText(one))}`).join('\n')}`];
  return [
    ...(operations.length > 1 ? [`Seen on ${safe(listOperations({ operations }))}.`] : []),
    ...list(
      'The same answers show:',
      related.filter(({ isConsequence }) => !isConsequence),
    ),
    ...list(
      'It leads to:',
      related.filter(({ isConsequence }) => isConsequence),
    ),
  ];
}

function toLines({ request, response, failure }: ReportedExchange): string[] {
  return [
    `> ${request.method} ${toExcerpt(request.url, 300)}`,
    ...(request.body ? [`> ${toExcerpt(request.body, 300)}`] : []),
    ...(response ? [] : [`< ${toExcerpt(toFailureText(failure), 200)}`]),
    ...(response ? [`< ${response.status}`] : []),
    ...(response?.headers ?? [])
      .slice(0, 30)
      .map(([name, value]) => `< ${toExcerpt(`${name}: ${value}`, 200)}`),
    ...(response?.body ? ['<', `< ${toExcerpt(response.body, 500)}`] : []),
  ];
}

/** What the sections state that findings name, for readers who have nothing but this report. */
function interfaceOf(report: Report): string[] {
  const sections = sectionsOfFindings(report);
  if (sections.length === 0) return [];
  const parts = sections.map(({ id, title, statements, url }) => {
    return `**${linked(`§${id} ${title}`, url)}**\n\n${statements.map(({ text }) => `- ${safe(text)}`).join('\n')}`;
  });
  const names = sections.map(({ id }) => `§${id}`).join(', ');
  return [details(`What the interface states in ${safe(names)}`, ...parts)];
}

/** The clauses that nobody can take for kept, by reason. */
function notJudged(report: Report): string[] {
  const { clauses, targets } = report;
  const open = clauses.flatMap(({ id, results }) =>
    targets.flatMap(({ name }) => {
      const { verdict, reason = 'nothing to judge' } = results[name] ?? {};
      return isUndecided(verdict)
        ? [{ why: `${verdict} (${reason})`, id: `${id} on ${toTargetName(name, report)}` }]
        : [];
    }),
  );
  if (open.length === 0) return [];
  const lines = [...Map.groupBy(open, ({ why }) => why)].map(
    ([why, group]) =>
      `- ${group.map(({ id }) => safe(id)).join(', ')}: ${safe(toExcerpt(why, 400))}`,
  );
  return [
    `### Not judged: ${count(open.length, 'clause')} (never counted as passed)\n\n${lines.join('\n')}`,
  ];
}

function notApplicable({ notApplicable: all }: Report): string[] {
  if (all.length === 0) return [];
  const lines = groupReasons(all).map(
    ({ reason, ids }) => `- ${safe(reason)}: ${ids.map(safe).join(', ')}`,
  );
  return [details(`${count(all.length, 'check does', 'checks do')} not apply`, lines.join('\n'))];
}

/** What the interface leaves open, where the targets differ. */
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

function notCalled({ notCalled: list }: Report): string[] {
  if (list.length === 0) return [];
  const lines = list.map((one) => `- ${safe(toNotCalledText(one))}`);
  return [`### Not called: ${count(list.length, 'operation')}\n\n${lines.join('\n')}`];
}

function leftBehind({ residue, leftAlone = [] }: Report): string[] {
  const toText = (intro: string, left: readonly Residue[]) =>
    `${safe(intro)}\n\n${toLeftLines(left)
      .map((line) => `- ${safe(line)}`)
      .join('\n')}`;
  const toDetails = (title: string, intro: string, left: readonly Residue[]) =>
    left.length === 0
      ? []
      : [details(`${title}: ${count(left.length, 'item')}`, toText(intro, left))];
  return [
    ...toDetails('Not cleaned up', toResidueText({ residue }), residue),
    ...toDetails('Left alone', leftAloneText, leftAlone),
  ];
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
