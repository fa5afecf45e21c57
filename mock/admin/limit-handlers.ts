import { type Answer, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import { quote } from '../json/quote.ts';
import type { KeyView, LimitsView } from '../limits/limits-view.ts';
import { type ApiKey, toPlanTable } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminCall, AdminHandler, AdminHandlers } from './admin.ts';
import { changeLimits, type LimitsChange } from './change-limits.ts';

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
