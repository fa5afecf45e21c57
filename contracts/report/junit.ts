import { count as counted } from '../../common/cli/count.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { ClauseResult, Finding, Report } from './events.ts';
import { toFacts } from './facts.ts';
import { toHeadline } from './headline.ts';
import { isGating, isUndecided, listCurls, type ReportOptions, toVerdictLabel } from './summary.ts';

type TestCase = { outcome: 'passed' | 'failed' | 'skipped'; xml: string };

/**
 * The report as JUnit XML: a test case for each clause and target, and one for each other thing
 * that fails the run. The mock is there only where nothing else is verified.
 */
export function toJunitReport(report: Report, options: ReportOptions): string {
  const { clauses, startedAt } = report;
  const [first, ...others] = report.targets;
  const mock = others.length > 0 ? first?.name : undefined;
  const targets = report.targets.filter(({ name }) => name !== mock);
  const findings = report.findings.filter(({ target }) => target !== mock);
  const names = [
    ...new Set(
      [...targets, ...findings.map(({ target }) => ({ name: target }))].map(({ name }) => name),
    ),
  ];
  const suites = names.map((name) => {
    const target = targets.find((one) => one.name === name);
    const ofTarget = findings.filter((finding) => finding.target === name);
    const faults = ofTarget.filter(
      (one) => isGating(one, options) && !(target && clauses.some(({ id }) => id === one.check)),
    );
    const cases = [
      ...(target ? clauses.map((clause) => toTestCase(name, clause, ofTarget, options)) : []),
      ...faults.map((fault) => toFailure(name, `${fault.check}: ${fault.clause.id}`, [fault])),
    ];
    return { name, target, cases };
  });
  const shown = suites.filter(({ target, cases }) => target || cases.length > 0);
  const body = shown.map(({ name, target, cases }) => {
    const time = (target?.seconds ?? 0).toFixed(3);
    return element('testsuite', { name, ...toCounts(cases), time, timestamp: startedAt }, [
      toProperties(report, target?.url),
      ...cases.map(({ xml }) => xml),
      ...toOutput(report.incomplete),
    ]);
  });
  const attributes = {
    name: toHeadline(report, options),
    ...toCounts(shown.flatMap(({ cases }) => cases)),
    time: report.seconds.toFixed(3),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, body)}\n`;
}

function toTestCase(
  target: string,
  { id, results }: ClauseResult,
  findings: readonly Finding[],
  options: ReportOptions,
): TestCase {
  const ofClause = findings.filter(({ check }) => check === id);
  const related = findings
    .filter((finding) => !ofClause.includes(finding))
    .flatMap((finding) =>
      finding.related
        .filter((one) => one.check === id && isGating(one, options))
        .map((one) => ({
          ...{ ...finding, ...one, related: [] },
          message: `${one.message} (caused by ${finding.check})`,
        })),
    );
  const gating = ofClause.filter((finding) => isGating(finding, options));
  const others = toOutput(ofClause.filter((one) => !gating.includes(one)).map(toText));
  if (gating.length + related.length > 0)
    return toFailure(target, id, [...gating, ...related], others);
  const { verdict = 'vacuous', reason = 'nothing to judge' } = results[target] ?? {};
  const isOpen = isUndecided(verdict);
  const skipped = element('skipped', { message: `${toVerdictLabel(verdict)}: ${reason}` });
  return {
    outcome: isOpen ? 'skipped' : 'passed',
    xml: element('testcase', { classname: target, name: id }, [
      ...(isOpen ? [skipped] : []),
      ...others,
    ]),
  };
}

function toFailure(
  classname: string,
  name: string,
  findings: readonly Finding[],
  more: readonly string[] = [],
): TestCase {
  const [first] = findings as [Finding, ...Finding[]];
  const others = findings.length - 1;
  const message =
    others > 0
      ? `${first.message}; ${counted(others, 'more finding')} of this clause`
      : first.message;
  const failure = element('failure', { message, type: first.verdict }, [
    escaped(findings.map(toText).join('\n\n')),
  ]);
  return { outcome: 'failed', xml: element('testcase', { classname, name }, [failure, ...more]) };
}

function toText(finding: Finding): string {
  const { verdict, message, problems = [] } = finding;
  const lines = [
    `${toVerdictLabel(verdict)}: ${message}`,
    ...problems.map((problem) => `- ${problem}`),
    ...toFacts(finding).map(([label, text]) => `${label}: ${text}`),
    ...listCurls(finding),
  ];
  return lines.map(toVisible).join('\n');
}

function toOutput(texts: readonly string[]): string[] {
  const lines = texts.map((text) => text.split('\n').map(toVisible).join('\n'));
  return texts.length === 0 ? [] : [element('system-out', {}, [escaped(lines.join('\n\n'))])];
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

function toProperties({ plan, traffic, verdict }: Report, url: string | undefined): string {
  const { from, until } = traffic ?? {};
  const properties = { seed: plan?.seed, hash: plan?.hash, from, until, verdict, url };
  const each = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [element('property', { name, value: String(value) })],
  );
  return element('properties', {}, each);
}

/** An element around content that is XML already; attributes are escaped. */
function element(
  name: string,
  attributes: Record<string, string>,
  content: readonly string[] = [],
): string {
  const given = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(toVisible(value))}"`,
  );
  const tag = `<${name}${given.join('')}`;
  return content.length === 0 ? `${tag}/>` : `${tag}>${content.join('\n')}</${name}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
