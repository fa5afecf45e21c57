import { logCommand } from '../../common/look/visible.ts';
import type { Report } from './events.ts';

/**
 * The report as JSON text, of which nothing acts in the log of a build; `report.schema.json` beside
 * this file describes it.
 */
export function toJsonReport(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`.replace(logCommand, '#\\u0023');
}
