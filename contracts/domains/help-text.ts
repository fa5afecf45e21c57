import { toHelpLines } from '../command/read-options.ts';
import { options } from './options.ts';

/** What `--help` shows; `command` is what a person types before the arguments. */
export function toHelpText(command: string): string {
  return `petstore-twin domains: checks real custom domains from outside against the interface, clause by clause

Usage: ${command} check NAME [NAME ...] [--target HOST] [options]

NAME is a domain such as docs.example.com, with the port of its HTTPS if not 443 (docs.example.com:8443).

Options:
${toHelpLines(options).join('\n')}

Nothing is changed anywhere: it looks up records, shakes hands over TLS, and GETs redirects and domains that were
removed. What only the dashboard knows is reported as unobserved. With - as FILE of a report, it goes to standard
output instead of the text.

Exit codes:
  0    nothing fails: clean, or some clauses could not be decided
  1    drift, or no answer; with --strict, a broken RFC too
  2    could not run, or nothing was seen that could be judged

Examples:
  ${command} check docs.example.com --target hosting.example.net
  ${command} check example.com --target hosting.example.net --redirect old.example.com=example.com
  ${command} check --removed beta.example.com --dns-server 192.0.2.53 --html domains.html
`;
}
