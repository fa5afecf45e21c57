import type { Option } from './option-kinds.ts';
import { options, toFlag } from './options.ts';

/** What `--help` shows; `command` is what a person types before the options. */
export function toHelpText(command: string): string {
  return `petstore-twin verify: does a deployment keep the contract, and does the twin tell the truth about it?

Usage: ${command} [--target URL --key PLAN=KEY ...] [options]

Without --target the twin alone is verified. Options:
${Object.entries(options).flatMap(toHelpLines).join('\n')}

One report may go to standard output instead of a file, and then alone: its FILE is -${command.startsWith('npm') ? ' (npm run --silent)' : ''}.

Exit codes: 0 nothing that fails the run, 1 drift or unanswered calls, 2 could not run.

Examples:
  ${command.replace(/ --$/, '')}
  ${command} --target http://127.0.0.1:8080/v1 --key free=K1 --key free=K2 --key pro=K3
  ${command} --target staging --key K --read-only --html report.html
`;
}

function toHelpLines([name, { value, help, negativeHelp }]: [string, Option]): string[] {
  const flag = toFlag(name);
  const line = (typed: string, text: string) => `  ${typed.padEnd(22)} ${text}`;
  return [
    ...(help === undefined ? [] : [line(`--${flag}${value ? ` ${value}` : ''}`, help)]),
    ...(negativeHelp === undefined ? [] : [line(`--no-${flag}`, negativeHelp)]),
  ];
}
