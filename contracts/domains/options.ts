import { list, text, toggle } from '../cli/option-kinds.ts';
import type { OptionTable, Parsed } from '../cli/read-options.ts';
import { outputOptions, runOptions } from '../command/options.ts';

/** Every option of the command, in the order of the help. */
export const options = {
  target: text({
    value: 'HOST',
    help: 'host name of the platform, at which the domains are to point',
  }),
  redirect: list({
    value: 'FROM=TO',
    help: 'a redirect to check, with its status if not 301 (FROM=TO=302); repeatable',
  }),
  removed: list({ value: 'NAME', help: 'domain that was removed; repeatable' }),
  dnsServer: list({
    value: 'ADDRESS',
    help: "name server to ask, as ADDRESS[:PORT], instead of the machine's own; repeatable",
  }),
  ca: list({
    value: 'FILE',
    help: 'certificates of authorities to trust too, as PEM; repeatable',
  }),
  authority: text({
    value: 'DOMAIN',
    help: 'what the authority calls itself in CAA records, if not known from the certificate',
  }),
  spec: {
    ...runOptions.spec,
    help: 'document whose x-domains hold the rules (default: the built-in one)',
  },
  timeout: runOptions.timeout,
  strict: toggle('broken RFCs fail the run too'),
  failOnIncomplete: toggle('exit with 2 if some clauses could not be decided'),
  ...outputOptions,
} satisfies OptionTable;

/** The options of the command, parsed. */
export type DomainOptions = Parsed<typeof options>;
