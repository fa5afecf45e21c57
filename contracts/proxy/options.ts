import { list, onUnless, text, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import type { OptionsOf, OptionTable } from '../../common/cli/read-options.ts';
import {
  documentOptions,
  keyOption,
  reportOptions,
  runOptions,
  trafficOptions,
} from '../command/options.ts';

/** Every option of the proxy, in the order of the help. */
export const options = {
  target: text({
    value: 'URL',
    help: 'deployment to pass calls to, including /v1; production and staging use BASE_URL and STAGING_BASE_URL',
  }),
  key: keyOption('API key that clients use'),
  host: text({
    value: 'ADDRESS',
    help: 'address to listen on (default 127.0.0.1)',
  }),
  port: wholeNumber({
    value: 'N',
    help: 'port to listen on, 0 for a free one',
    min: 0,
    default: 4011,
  }),
  allowedHosts: list({
    value: 'NAME',
    help: 'host name to accept in addition to localhost and IP addresses, * for any; repeatable',
  }),
  tlsCert: text({
    value: 'FILE',
    help: 'certificate chain, as PEM; with --tls-key, the port speaks only HTTPS',
  }),
  tlsKey: text({ value: 'FILE', help: 'private key of the certificate, as PEM' }),
  webhooks: text({
    value: 'PORT=URL',
    help: 'listen on this port of loopback too, pass the webhooks that arrive to the URL, and judge them',
  }),
  webhookSecret: runOptions.webhookSecret,
  via: onUnless('add no Via header to requests'),
  idleTimeout: wholeNumber({
    value: 'SEC',
    help: 'seconds after which to give up an exchange in which nothing passes',
    min: 1,
    default: 300,
    unit: 'seconds',
  }),
  maxBody: wholeNumber({
    value: 'BYTES',
    help: 'how much of a body is judged and recorded; all of it passes',
    min: 0,
    default: 1024 * 1024,
  }),
  ...documentOptions,
  ...trafficOptions,
  ...reportOptions,
  quiet: toggle('print neither findings nor a report'),
} satisfies OptionTable;

/** The options of the proxy, parsed. */
export type ProxyOptions = OptionsOf<typeof options>;
