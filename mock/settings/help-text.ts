import { type ListedSetting, settingList } from './settings.ts';

const examples = [
  ['', 'on http://127.0.0.1:4010/v1'],
  ['--port 0 --seed 7 --pets 1000', 'any free port, other animals, more of them'],
  ['--rate-limits off', 'never refuse a call'],
  ['--host 0.0.0.0 --admin-token s3cret', 'reachable from other machines, admin on'],
] as const;

/** What `--help` shows; `command` is what a person types before the options. */
export function toHelpText(command: string): string {
  const typed = examples.map(
    ([options, what]) => [`${command} ${options}`.replace(/( --)? $/, ''), what] as const,
  );
  const width = Math.max(...typed.map(([line]) => line.length));
  return `petstore-twin: a stateful mock of the Pet Store Service

Usage: ${command} [options]

Options (each is also TWIN_… in the environment, e.g. TWIN_PORT, and a key of the --config file, e.g. "port"):
${settingList.map(toHelpLine).join('\n')}
  --config FILE           read settings from a JSON file
  --help, -h              show this help
  --version               show the version

A flag goes before the environment, and the environment before the file.

A sandbox of its own for each test worker, made at its first use: /sandboxes/NAME/v1, or the header X-Sandbox: NAME.

Examples:
${typed.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}
`;
}

function toHelpLine({ flag, value, short, default: defaultValue, help }: ListedSetting): string {
  const typed = `--${flag}${value ? ` ${value}` : ''}${short ? `, -${short}` : ''}`;
  return `  ${typed.padEnd(23)} ${help}${defaultValue ? ` (default ${defaultValue})` : ''}`;
}
