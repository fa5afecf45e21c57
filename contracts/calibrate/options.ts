import { choice, text, toggle } from '../../common/cli/option-kinds.ts';
import { type Parsed, toHelpLines } from '../../common/cli/read-options.ts';
import { documentOptions, runOptions, targetOptions } from '../command/options.ts';

const { key } = targetOptions;
const { seed, readOnly, allowWrites } = runOptions;
const { wait, timeout, maxRequests, concurrency } = runOptions;

/** Every option of the command, in the order of the help. */
export const options = {
  target: text({
    value: 'URL',
    help: 'deployment to ask, including /v1; production and staging use BASE_URL and STAGING_BASE_URL',
  }),
  key,
  out: text({ value: 'FILE', help: 'where to write the profile (default: pins.yaml)' }),
  withExamples: toggle('record values of undescribed payloads too, not only their shape'),
  ...documentOptions,
  seed,
  readOnly,
  allowWrites,
  probeLimits: choice(
    "exhaust a key's limit on a target beyond loopback, to see a 429",
    'never exhaust a limit, not even on loopback',
  ),
  wait,
  timeout,
  maxRequests,
  concurrency,
};

export type Options = Parsed<typeof options>;

/** Returns the text of `--help`; `command` is the command line before the options. */
export function toHelpText(command: string): string {
  return `petstore-twin calibrate: records a deployment's unspecified behaviour as a profile for the mock

Usage: ${command} --target URL --key NAME=KEY ... [--out pins.yaml] [options]

Options:
${toHelpLines(options)}

The profile is an OpenAPI Overlay 1.0 with one pin for each recorded behaviour. With --pins pins.yaml, the mock behaves
as the deployment does, and verify reports profile drift.

Exit codes:
  0    the profile is written
  1    the profile is written, but the deployment fails a stated clause
  2    the deployment could not be called or stopped answering, or the file could not be written; no file is changed
  130  interrupted by Ctrl-C (143 by SIGTERM); no file is changed

Examples:
  ${command} --target http://127.0.0.1:8080/v1 --key free=K1 --key pro=K2
  ${command} --target staging --key K --read-only --out staging-pins.yaml
`;
}
