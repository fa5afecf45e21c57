import { createRedactor, type RedactorOptions } from '../../common/secrets/texts.ts';
import type { Report, ReportedExchange } from '../report/events.ts';
import { toCurl } from './reported-exchange.ts';

/** The members of a report whose texts may come from a target. */
const fromTargets = [
  ...['message', 'problems', 'expected', 'actual', 'reason', 'observed', 'sent'],
  ...['headers', 'body', 'failure', 'incomplete', 'defects', 'stack'],
];

/**
 * A report in which no key is left in what came from a target: not whole, not cut off, not in
 * another case or form. Deployments echo what they are sent, so the texts of findings may hold it,
 * and requests too where they repeat what a target sent. Each exchange gets the line that sends it
 * again here, made of what is left.
 */
export function redactReport(
  report: Report,
  secrets: readonly string[],
  options: RedactorOptions = {},
): Report {
  const redact = createRedactor(secrets, options);
  const redacted = changeTexts(report, redact);
  return {
    ...redacted,
    findings: redacted.findings.map(({ exchange: given, curl: _, before, ...finding }) => {
      const again = (given: ReportedExchange) => {
        const request = { ...given.request, url: redact(given.request.url) };
        const exchange = { ...given, request };
        return { exchange, curl: toCurl(exchange) };
      };
      return {
        ...finding,
        ...(given && again(given)),
        ...(before && { before: before.map((one) => again(one.exchange)) }),
      };
    }),
  };
}

/** A report with other texts in the place of those that may come from a target. */
function changeTexts(report: Report, change: (text: string) => string): Report {
  const { findings, clauses, silences, incomplete, defects, residue } = report;
  const { defectDetails, leftAlone, refused } = report;
  const told = { ...(defectDetails && { defectDetails }), ...(refused && { refused }) };
  const own = { findings, clauses, silences, incomplete, defects, ...told };
  const changed = changeMembers(own, change, { names: fromTargets });
  const left = { residue, ...(leftAlone && { leftAlone }) };
  // The id of what is left is that of an item, and no name of ours.
  return {
    ...report,
    ...changed,
    ...changeMembers(left, change, { names: [...fromTargets, 'id'] }),
  };
}

/** A value with other texts below the members of some names; `isBelow` says whether it is one. */
function changeMembers<Value>(
  value: Value,
  change: (text: string) => string,
  { names, isBelow = false }: { names: readonly string[]; isBelow?: boolean },
): Value {
  if (typeof value === 'string') return (isBelow ? change(value) : value) as Value;
  if (Array.isArray(value))
    return value.map((one) => changeMembers(one, change, { names, isBelow })) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => {
    const isInner = isBelow || names.includes(name);
    return [name, changeMembers(inner, change, { names, isBelow: isInner })];
  });
  return Object.fromEntries(members) as Value;
}
