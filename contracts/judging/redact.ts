import { createRedactor } from '../cli/create-redactor.ts';
import type { Finding, Report, ReportedExchange, Residue } from '../report/events.ts';
import { toCurl } from './reported-exchange.ts';

/**
 * A report in which no key is left in what came from a target: not whole, not cut off, not in
 * another case or form. Deployments echo what they are sent, so the texts of findings may hold it,
 * and requests too where they repeat what a target sent. Each exchange gets the line that sends it
 * again here, made of what is left. Secrets that are `words` are no part of longer ones.
 */
export function redactReport(
  report: Report,
  secrets: readonly string[],
  words: readonly string[] = [],
): Report {
  const redact = createRedactor(secrets, words);
  return {
    ...report,
    incomplete: report.incomplete.map(redact),
    defects: report.defects.map(redact),
    findings: report.findings.map(({ exchange, ...finding }) => ({
      ...finding,
      message: redact(finding.message),
      ...(finding.problems && { problems: finding.problems.map(redact) }),
      expected: redact(finding.expected),
      actual: redact(finding.actual),
      related: finding.related.map((one) => ({ ...one, message: redact(one.message) })),
      ...(exchange && redactExchange(exchange, redact)),
    })),
    clauses: report.clauses.map((clause) => ({
      ...clause,
      results: mapValues(clause.results, ({ reason, ...result }) => ({
        ...result,
        ...(reason !== undefined && { reason: redact(reason) }),
      })),
    })),
    silences: report.silences.map((silence) => ({
      ...silence,
      observed: mapValues(silence.observed, redact),
    })),
    residue: report.residue.map((left) => redactLeft(left, redact)),
    ...(report.leftAlone && {
      leftAlone: report.leftAlone.map((left) => redactLeft(left, redact)),
    }),
  };
}

const withheld = 'withheld, as it may contain a key';

/**
 * A report without anything that came from a target, for where keys cannot be taken out of it: what
 * is broken, and how often, is all that is left.
 */
export function withholdTexts(report: Report): Report {
  const defect = 'keys could not be removed from the report, so nothing from a target is shown';
  return {
    ...report,
    verdict: report.verdict === 'clean' ? 'incomplete' : report.verdict,
    incomplete: [`a bug in the suite: ${defect}`],
    defects: [defect],
    findings: report.findings.map(
      ({ target, verdict, check, operation, clause, count, operations, related }) => ({
        ...{ target, verdict, check, operation, clause, count, operations },
        message: withheld,
        expected: withheld,
        actual: withheld,
        related: related.map((one) => ({ ...one, message: withheld })),
      }),
    ),
    clauses: report.clauses.map((clause) => ({
      ...clause,
      results: mapValues(clause.results, ({ reason, ...result }) => ({
        ...result,
        ...(reason !== undefined && { reason: withheld }),
      })),
    })),
    silences: report.silences.map((silence) => ({
      ...silence,
      observed: mapValues(silence.observed, () => withheld),
    })),
    residue: report.residue.map((left) => redactLeft(left, () => withheld)),
    ...(report.leftAlone && {
      leftAlone: report.leftAlone.map((left) => redactLeft(left, () => withheld)),
    }),
  };
}

function redactLeft(left: Residue, redact: (text: string) => string): Residue {
  const { id, reason, sent } = left;
  return {
    ...left,
    ...mapValues({ ...(id && { id }), ...(reason && { reason }), ...(sent && { sent }) }, redact),
  };
}

function redactExchange(
  exchange: ReportedExchange,
  redact: (text: string) => string,
): Required<Pick<Finding, 'exchange' | 'curl'>> {
  const { request, response, failure } = exchange;
  const redacted = {
    ...exchange,
    request: {
      ...request,
      url: redact(request.url),
      headers: mapValues(request.headers, redact),
      ...(request.body !== undefined && { body: redact(request.body) }),
    },
    ...(response && {
      response: {
        ...response,
        headers: response.headers.map(([name, value]): [string, string] => [name, redact(value)]),
        body: redact(response.body),
      },
    }),
    ...(failure !== undefined && { failure: redact(failure) }),
  };
  return { exchange: redacted, curl: toCurl(redacted) };
}

function mapValues<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
