import { toJsonAnswer } from '../../answers/answer.ts';
import { quote } from '../../json/quote.ts';
import type { Count, LimitMode } from '../../limits/limiter.ts';
import { type ApiKey, type BanPolicy, type PlanTable, toPlanTable } from '../../limits/plans.ts';
import type { Period } from '../../limits/windows.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { AdminCall, AdminHandlers } from './admin.ts';
import { refuse, refuseUnknown } from './refusal.ts';

/** Show and change the limits of keys, which are known by their names. */
export function createLimitHandlers(keys: readonly ApiKey[]): AdminHandlers {
  const names = keys.map(({ name }) => name).join(', ');
  const keyOf = ({ params: { name = '' } }: AdminCall): ApiKey =>
    keys.find((key) => key.name === name) ?? refuseUnknown('key', name, `Keys are ${names}.`);
  return {
    listLimits: ({ sandbox }) => toJsonAnswer(toLimitsView(sandbox, keys)),
    getKeyLimits: (call) => toJsonAnswer(toKeyView(call.sandbox, keyOf(call))),
    changeKeyLimits: (call) => {
      const key = keyOf(call);
      changeLimits(call.sandbox, key, call.body as LimitsChange);
      return toJsonAnswer(toKeyView(call.sandbox, key));
    },
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
 * The changes to a key's limits, in this order. `true` uses up the minute, or bans for as long as a
 * first ban lasts.
 */
type LimitsChange = {
  plan?: string;
  lift?: true;
  exhaust?: Period | true;
  ban?: number | boolean;
};

/** Changes the limits of a key in a sandbox: all that is asked for, or nothing. */
function changeLimits({ settings, limiter }: Sandbox, key: ApiKey, change: LimitsChange): void {
  const { plan, lift, exhaust, ban } = change;
  const { policy, rateLimits: mode } = settings;
  if (plan !== undefined && !Object.hasOwn(policy.plans, plan)) {
    const plans = Object.keys(policy.plans).join(', ');
    refuse('invalid_body', `There is no plan ${quote(plan)}. Plans are ${plans}.`);
  }
  if (ban === false)
    refuse('invalid_body', '"ban" must be true or seconds. Send {"lift":true} to end one.');
  if ((mode === 'off' && exhaust !== undefined) || (mode !== 'enforce' && ban !== undefined))
    refuse(
      'limits_not_enforced',
      `The limits are not enforced (${mode}). Start the mock with --rate-limits enforce.`,
    );
  if (ban !== undefined && policy.ban === false)
    refuse(
      'limits_not_enforced',
      'The plans switch bans off, so no key can be banned. Use {"exhaust":"day"}.',
    );
  if (plan !== undefined) limiter.setPlan(key, plan);
  if (lift) limiter.lift(key);
  if (exhaust !== undefined) limiter.exhaust(key, exhaust === true ? 'minute' : exhaust);
  if (ban !== undefined && policy.ban) limiter.ban(key, ban === true ? policy.ban.seconds : ban);
}

/** The limits and usage of each key for display, and the plans that keys can be given. */
export type LimitsView = {
  mode: LimitMode;
  ban: BanPolicy | false;
  plans: PlanTable;
  keys: KeyView[];
};

/** The state of a key; `until` is in Unix seconds. */
export type KeyView = Record<Period, Count> & {
  name: string;
  plan: string;
  strikes: number;
  ban: { until: number; seconds: number } | null;
};
