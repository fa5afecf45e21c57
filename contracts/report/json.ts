import type { Report } from './events.ts';

/** The report as JSON text; `report.schema.json` beside this file describes it. */
export function toJsonReport(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
