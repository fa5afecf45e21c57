import { count as counted } from '../cli/count.ts';
import { toVisible } from '../look/visible.ts';
import type { ClauseResult, Finding, Report } from './events.ts';
import { toHeadline } from './headline.ts';
import {
  isGating,
  isUndecided,
  listOperations,
  type ReportOptions,
  toRelatedText,
  toSafeUrl,
  toSource,
} from './summary.ts';

type TestCase = { name: string; outcome: 'passed' | 'failed' | 'skipped'; xml: string };

/**
 * The report as JUnit XML: a test case for each clause and target, and one for each other thing
 * that fails the run.
 */
export function toJunitReport(report: Report, options: ReportOptions): string {
  const { targets, clauses, findings, plan, traffic, startedAt } = report;
  const otherFaults = Map.groupBy(
    findings.filter((finding) => isGating(finding, options) && !hasClause(report, finding)),
    ({ target }) => target,
  );
  const suites = [
    ...targets.map(({ name, url, seconds }) => ({
      name,
      seconds,
      properties: { url },
      cases: [
        ...clauses.map((clause) => toTestCase(name, clause, findings, options)),
        ...toFaultCases(name, otherFaults.get(name) ?? []),
      ],
    })),
    ...[...otherFaults]
      .filter(([name]) => targets.every((target) => target.name !== name))
      .map(([name, faults]) => ({
        name,
        seconds: 0,
        properties: {},
        cases: toFaultCases(name, faults),
      })),
  ];
  const body = suites.map(({ name, seconds, properties, cases }) =>
    element(
      'testsuite',
      { name, ...toCounts(cases), time: seconds.toFixed(3), timestamp: startedAt },
      [
        toProperties({
          ...(plan && { seed: String(plan.seed), hash: plan.hash }),
          ...(traffic?.from !== undefined && { from: traffic.from }),
          ...(traffic?.until !== undefined && { until: traffic.until }),
          verdict: report.verdict,
          ...properties,
        }),
        ...cases.map(({ xml }) => xml),
        ...(report.incomplete.length > 0
          ? [element('system-out', {}, escaped(report.incomplete.map(toVisible).join('\n')))]
          : []),
      ].join('\n'),
    ),
  );
  const all = suites.flatMap(({ cases }) => cases);
  const attributes = {
    name: toHeadline(report, options),
    ...toCounts(all),
    time: report.seconds.toFixed(3),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, body.join('\n'))}\n`;
}

function toTestCase(
  target: string,
  clause: ClauseResult,
  findings: readonly Finding[],
  options: ReportOptions,
): TestCase {
  const ofTarget = findings.filter((finding) => finding.target === target);
  const ofClause = ofTarget.filter((finding) => finding.check === clause.id);
  const related = ofTarget.flatMap((finding) =>
    finding.related
      .filter(
        (one) => one.check === clause.id && isGating(one, options) && !ofClause.includes(finding),
      )
      .map((one) => ({
        ...finding,
        ...one,
        related: [],
        message: `${one.message} (the cause is reported under ${finding.check})`,
      })),
  );
  const gating = ofClause.filter((finding) => isGating(finding, options));
  const others = ofClause.filter((finding) => !gating.includes(finding));
  const { verdict, reason } = clause.results[target] ?? {};
  const parts =
    others.length > 0 ? [element('system-out', {}, escaped(others.map(toText).join('\n\n')))] : [];
  if (gating.length + related.length > 0)
    return toFailure(target, clause.id, [...gating, ...related], parts);
  const isOpen = isUndecided(verdict);
  const message = `${verdict ?? 'vacuous'}: ${reason ?? 'nothing to judge'}`;
  return {
    name: clause.id,
    outcome: isOpen ? 'skipped' : 'passed',
    xml: element(
      'testcase',
      { classname: target, name: clause.id },
      [...(isOpen ? [element('skipped', { message })] : []), ...parts].join('\n'),
    ),
  };
}

/**
 * What breaks no clause of the list and fails the run all the same, such as a stale entry of the
 * baseline.
 */
function toFaultCases(target: string, faults: readonly Finding[]): TestCase[] {
  return faults.map((fault) =>
    toFailure(target, `${fault.check}: ${fault.clause.id}`, [fault], []),
  );
}

function toFailure(
  classname: string,
  name: string,
  findings: readonly Finding[],
  more: string[],
): TestCase {
  const [first] = findings as [Finding, ...Finding[]];
  const message =
    findings.length > 1
      ? `${first.message}; ${counted(findings.length - 1, 'more finding')} of this clause`
      : first.message;
  const failure = element(
    'failure',
    { message, type: first.verdict },
    escaped(findings.map(toText).join('\n\n')),
  );
  return {
    name,
    outcome: 'failed',
    xml: element('testcase', { classname, name }, [failure, ...more].join('\n')),
  };
}

function toText(finding: Finding): string {
  const {
    verdict,
    clause,
    operation,
    operations,
    related,
    message,
    problems = [],
    expected,
    actual,
    count,
    curl,
  } = finding;
  const url = toSafeUrl(clause.url);
  const lines = [
    `${verdict}: ${message}`,
    ...problems.map((problem) => `- ${problem}`),
    `clause: ${clause.text} ${clause.id}, ${toSource(clause)}`,
    ...(url === undefined ? [] : [`docs: ${url}`]),
    ...(operation === ''
      ? []
      : [`operation: ${operations.length > 1 ? listOperations({ operations }) : operation}`]),
    `expected: ${expected}`,
    `got: ${actual}`,
    `times: ${count}`,
    ...(curl === undefined ? [] : [curl]),
    ...related.map((one) => `${one.isConsequence ? 'leads to' : 'also'}: ${toRelatedText(one)}`),
  ];
  return lines.map(toVisible).join('\n');
}

function toCounts(cases: readonly TestCase[]): Record<string, string> {
  const count = (outcome: TestCase['outcome']) =>
    String(cases.filter((one) => one.outcome === outcome).length);
  return {
    tests: String(cases.length),
    failures: count('failed'),
    errors: '0',
    skipped: count('skipped'),
  };
}

function toProperties(properties: Record<string, string>): string {
  const each = Object.entries(properties).map(([name, value]) =>
    element('property', { name, value }),
  );
  return element('properties', {}, each.join('\n'));
}

function hasClause({ clauses, targets }: Report, { check, target }: Finding): boolean {
  return clauses.some(({ id }) => id === check) && targets.some(({ name }) => name === target);
}

/** An element around content that is XML already; attributes are escaped. */
function element(name: string, attributes: Record<string, string>, content = ''): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(toVisible(value))}"`,
  );
  return `<${name}${given.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
