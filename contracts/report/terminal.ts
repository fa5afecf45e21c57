import type { RunEvent } from '../run/events.ts';

/** Progress on standard error, the report on standard output. */
export function createTerminal({ quiet }: { quiet: boolean }): { onEvent: (event: RunEvent) => void } {
  return {
    onEvent(event) {
      if (quiet || event.type !== 'finish') return;
      const { report } = event;
      console.log(report.verdict, report.targets, report.totals, report.incomplete);
      for (const f of report.findings)
        console.log(f.target, f.verdict, f.check, f.count, f.message, '|', f.expected, '|', f.actual, '|', f.exchange?.case);
      for (const c of report.clauses)
        for (const [t, r] of Object.entries(c.results)) if (r.verdict !== 'kept') console.log(c.id, t, r);
      for (const s of report.silences) console.log(s.id, s.observed);
      console.log(report.seconds);
    },
  };
}
