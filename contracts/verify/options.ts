import { secretOfBasic } from '../../common/secrets/fields.ts';
import { isSecretName } from '../../common/secrets/names.ts';
import { isStrong } from '../../common/secrets/texts.ts';
import type { Api, KeyPlace } from '../../openapi/index.ts';
import type { BaselineEntry } from '../judging/baseline.ts';
import type { RunEvent } from '../report/events.ts';
import type { Pace } from '../run/choices.ts';
import type { PassedExchange } from '../run/http/target.ts';
import type { SetupCall } from '../run/setup-call.ts';
import type { RunOptions } from '../run/turn.ts';
import type { WebhookListener } from '../run/webhook-listener.ts';
import type { Target } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { RunJudgement } from './judge-all.ts';

/** A target with its keys and what may be done to it. */
export type VerifyTarget = Target & {
  keys: readonly { plan?: string; scheme?: string; place?: KeyPlace; secret: string }[];
  writes: boolean;
  probeLimits: boolean;
  /** Headers of every call, besides those that it has itself. */
  headers?: Readonly<Record<string, string>>;
  /** Whether it ends with the run, and everything created there with it. */
  isTemporary?: boolean;
  /** Whether animals may be added only to try a bound. */
  fill: boolean;
};

export type VerifyOptions = Omit<Pace, 'maxRequests'> & {
  /** The most requests to a target; by default as many as the document is large. */
  maxRequests?: number | undefined;
  document: Api;
  targets: VerifyTarget[];
  seed: number;
  only: readonly string[];
  skip: readonly string[];
  /** The ids of operations that may be called whatever they change. */
  call?: readonly string[];
  /** The paths of items below which others may be created. */
  parent?: readonly string[];
  /** The calls that are made first. */
  setupCalls?: readonly SetupCall[];
  strict: boolean;
  baseline?: readonly BaselineEntry[];
  /** The published reference of the document, for links: a folder or an HTML page. */
  docs?: string;
  /** Once it aborts, the targets are called no more, and what was seen until then is reported. */
  signal?: AbortSignal;
  /** Whether requests under way are cut off then too; by default their responses are awaited. */
  cutsOff?: boolean;
  /** The longest that making the cases may take, in milliseconds. */
  maxTime?: number;
  /** Sends inputs that nobody expects, too, for this long, in milliseconds. */
  fuzzTime?: number | undefined;
  /** Asks what the plan does not, before limits are tried. */
  askMore?: RunOptions['askMore'];
  /** Receives the webhooks and callbacks of the targets. */
  listener?: WebhookListener | undefined;
  onEvent: (event: RunEvent) => void;
  /** Called with what the targets answered and how that was judged, before the report is made. */
  onJudged?: (transcripts: readonly Transcript[], judged: RunJudgement) => void;
  /** Called with each exchange as it passed, keys included, and the name of its target. */
  onPassed?: (exchange: PassedExchange, target: string) => void;
};

/** All texts of a target that no report may show: its keys in each form, and its own headers. */
export function secretsOf({
  keys,
  headers = {},
}: Pick<VerifyTarget, 'keys' | 'headers'>): string[] {
  const ofKeys = keys.flatMap(({ scheme, secret }) => {
    if (scheme === undefined) return [secret];
    const [, afterWord, user = '', password] = /^\S+ (.+)$|^([^:]*):(.+)$/.exec(secret) ?? [];
    const hidden = password && secretOfBasic({ user, password });
    return [secret, afterWord, hidden, Buffer.from(secret).toString('base64')];
  });
  // A short value such as a tenant's number is no secret, and stands in many texts.
  const ofHeaders = Object.entries(headers)
    .filter(([name, value]) => isStrong(value) || isSecretName(name))
    .map(([, value]) => value);
  return [...ofKeys, ...ofHeaders.flatMap((text) => [text, ...text.split(' ').slice(1)])].filter(
    (text): text is string => Boolean(text),
  );
}
