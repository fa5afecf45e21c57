import { type Answer, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { quote } from '../json/quote.ts';
import type { KeyView, LimitsView } from '../limits/limits-view.ts';
import { type ApiKey, toPlanTable } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminCall, AdminHandler, AdminHandlers } from './admin.ts';

/** Show and change the limits of keys, which are known by their names. */
export function createLimitHandlers(keys: readonly ApiKey[]): AdminHandlers {
  const names = keys.map(({ name }) => name).join(', ');
  const withKey =
    (handle: (call: AdminCall, key: ApiKey) => Answer): AdminHandler =>
    (call) => {
      const { name = '' } = call.params;
      const key = keys.find((candidate) => candidate.name === name);
      return key
        ? handle(call, key)
        : toErrorAnswer('not_found', `There is no key ${quote(name)}. Keys are ${names}.`);
    };
  return {
    listLimits: ({ sandbox }) => toJsonAnswer(toLimitsView(sandbox, keys)),
    getKeyLimits: withKey(({ sandbox }, key) => toJsonAnswer(toKeyView(sandbox, key))),
    changeKeyLimits: withKey(
      ({ sandbox, body }, key) =>
        changeLimits(sandbox, key, body as LimitsChange) ?? toJsonAnswer(toKeyView(sandbox, key)),
    ),
  };
}

function toLimitsView(sandbox: Sandbox, keys: readonly ApiKey[]): LimitsView {
  const { rateLimits, policy } = sandbox.settings;
  return {
    mode: rateLimits,
    ban: policy.ban,
    plans: toPlanTable(policy.plans),
    keys: keys.map((key) => toKeyView(sandbox, key)),
  };
}

function toKeyView({ limiter }: Sandbox, key: ApiKey): KeyView {
  const { ban, ...standing } = limiter.standing(key);
  return {
    name: key.name,
    plan: limiter.planOf(key).name,
    ...standing,
    ban: ban ? { until: Math.ceil(ban.until / 1000), seconds: ban.seconds } : null,
  };
}

/**
 * What a key's limits change to, in this order; `true` uses up the minute, or bans for as long as a
 * first ban lasts.
 */
type LimitsChange = {
  plan?: string;
  lift?: true;
  exhaust?: 'minute' | 'day' | true;
  ban?: number | boolean;
};

/**
 * Changes the limits of a key in a sandbox: all that is asked for, or nothing where it gives an
 * answer that says why not.
 */
function changeLimits(
  { settings, limiter }: Sandbox,
  key: ApiKey,
  change: LimitsChange,
): Answer | undefined {
  const { plan, lift, exhaust, ban } = change;
  const { policy, rateLimits: mode } = settings;
  if (plan !== undefined && !Object.hasOwn(policy.plans, plan))
    return toErrorAnswer(
      'invalid_body',
      `There is no plan ${quote(plan)}. Plans are ${Object.keys(policy.plans).join(', ')}.`,
    );
  if (ban === false)
    return toErrorAnswer(
      'invalid_body',
      '"ban" must be true or seconds. Send {"lift":true} to end one.',
    );
  if (mode === 'off' && exhaust !== undefined)
    return refuse(
      'Limits are off, so nothing can be used up. Send "plan" or "lift", or start with --rate-limits enforce.',
    );
  if (ban !== undefined && (mode !== 'enforce' || policy.ban === false))
    return refuse(
      policy.ban === false
        ? 'The plans switch bans off, so no key can be banned. Use {"exhaust":"day"}.'
        : `Limits are ${mode === 'off' ? 'off' : 'only observed'}, so no key can be banned. Start with --rate-limits enforce.`,
    );
  if (plan !== undefined) limiter.setPlan(key, plan);
  if (lift) limiter.lift(key);
  if (exhaust !== undefined) limiter.exhaust(key, exhaust === true ? 'minute' : exhaust);
  if (ban !== undefined && policy.ban) limiter.ban(key, ban === true ? policy.ban.seconds : ban);
  return undefined;
}

function refuse(message: string): Answer {
  return toErrorAnswer('limits_not_enforced', message);
}
