import { isAnswered } from './exchange.ts';
import { isSameWindow, type WithQuota, withQuota } from './quota.ts';
import { fallOf, type Step, stepsOf } from './steps.ts';
import type { Transcript } from './transcript.ts';

/**
 * The keys whose Remaining falls by more than our calls explain, and by another number each time: a deployment that counts
 * wrongly does so alike for each call of an operation, so somebody else calls with them.
 */
export function unevenKeys(transcript: Pick<Transcript, 'exchanges'>): Set<string> {
  const byOperation = Map.groupBy(
    stepsOf(transcript),
    ({ after }) => `${after.request.keyName} ${after.case.operation?.id} ${after.quota.reset}`,
  );
  return new Set([...byOperation.values()].filter(isUneven).map(([step]) => nameOf((step as Step).after)));
}

function isUneven(steps: readonly Step[]): boolean {
  const falls = steps.map(fallOf);
  return Math.min(...falls) >= 1 && Math.max(...falls) > 1 && new Set(falls).size > 1;
}

/** The keys that surely or possibly somebody else calls with: their Remaining fell by more than the calls that we made. */
export function drainedKeys(transcript: Pick<Transcript, 'exchanges'>): Set<string> {
  const calls = transcript.exchanges.filter(
    ({ case: { credential } }) => credential === 'valid' || credential === 'lower-case-scheme',
  );
  const byKey = Map.groupBy(calls, ({ request }) => request.keyName ?? '');
  const drained = [...byKey].filter(([, ofKey]) => {
    const answers = withQuota(ofKey.filter(isAnswered)).filter(({ response }) => ![401, 429].includes(response.status));
    const baselines: WithQuota[] = [];
    return answers.some((answer) => {
      const baseline = baselines.find((one) => isSameWindow(one, answer));
      if (!baseline) baselines.push(answer);
      if (!baseline || baseline.endedAt > answer.sentAt) return false;
      const made = ofKey.filter((one) => one.endedAt > baseline.sentAt && one !== baseline && one.sentAt < answer.endedAt).length;
      return baseline.quota.remaining - answer.quota.remaining > made;
    });
  });
  return new Set([...unevenKeys(transcript), ...drained.map(([name]) => name)]);
}

/** Why the counters of such keys say nothing of the deployment. */
export function toSharedReason(names: Iterable<string>): string {
  const [name, ...others] = names;
  const all = others.length === 0 ? `key ${name}` : `keys ${[name, ...others].join(', ')}`;
  return `somebody else uses ${all}: Remaining falls by more than our calls`;
}

function nameOf({ request }: WithQuota): string {
  return request.keyName ?? '';
}
