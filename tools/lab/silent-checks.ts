import type { CheckResult, Judgement } from './judge.ts';
import type { SettingName } from './settings.ts';

/** A check that tells less of a deployment in a setting than where nothing stands before it. */
export type Silent = { check: string; plain: CheckResult; there: CheckResult };

/** Silences that no suite can avoid; one that depends on `chance` may excuse nothing in a run. */
type Excuse = {
  row: RegExp;
  settings?: SettingName[];
  checks?: string[];
  reason: string;
  chance?: true;
};

const aboutRefusals = ['rate-limit-refusal', 'retry-after', 'retry-works', 'keys-isolated'];

const allowed: Excuse[] = [
  {
    row: /^fair-(one|two)-second-window/,
    settings: ['latency'],
    checks: aboutRefusals,
    reason:
      'the window is over before all its calls can be made, as those of the end are made one by one',
  },
  {
    row: /^fair-sliding-(four|ten)-seconds/,
    chance: true,
    checks: [...aboutRefusals, 'rate-limit-countdown'],
    reason: 'how many calls come back while others are made depends on how long each takes',
  },
  {
    row: /^fair-proxy-/,
    chance: true,
    checks: aboutRefusals,
    reason: 'the minute of the twin is that of the clock, and may end while a key is used up',
  },
  {
    row: /^limit-of-two-instances$/,
    chance: true,
    settings: ['latency'],
    checks: aboutRefusals,
    reason: 'which of the two counts a call depends on the order in which the calls arrive',
  },
  {
    row: /^fair-limit-counts-down-from-used$/,
    chance: true,
    settings: ['replicas'],
    checks: ['page-size'],
    reason:
      'the lists are asked for again, and the key, used before, has too few calls left to fill a page',
  },
  {
    row: /^fair-(enterprise-low|tightest-in-headers|sliding-ten-seconds-to-the-newest)$/,
    chance: true,
    settings: ['replicas'],
    checks: ['reads-change-nothing'],
    reason: 'no call is left to ask again for an item that the last list left out',
  },
  {
    row: /^(list-duplicates|filter-incomplete)$/,
    settings: ['replicas'],
    checks: ['filter', 'listed-when-created', 'refused-leaves-nothing', 'reads-change-nothing'],
    reason: 'what these lists omit may be what the other replica does not have yet',
  },
  {
    row: /^fair-(keys?-shared|free-keys-shared|someone-else)/,
    chance: true,
    reason:
      'what somebody else leaves of the keys is another number each time, and so is what can be tried',
  },
];

/**
 * Finds checks that judged or ended with the plain deployment and no longer do in a setting. For a
 * mutant, a check that passed a clause may leave it undecided. One check that found the mutant must
 * still find it.
 */
export function findSilentChecks(plain: Judgement, there: Judgement): Silent[] {
  return findSilences(plain, there).filter(
    ({ check }) => !allowed.some((one) => excuses(one, there, check)),
  );
}

/** A row in a setting, judged there and as it is. */
type Pair = { plain: Judgement; there: Judgement };

/**
 * The reasons for silence that excuse nothing, of those whose rows were all judged in all their
 * settings: `all` are those that can be.
 */
export function findStaleReasons(
  judged: readonly Pair[],
  all: readonly { id: string; setting: SettingName }[],
  reasons: readonly Excuse[] = allowed,
): Excuse[] {
  return reasons.filter((one) => {
    const places = all.filter((place) => isAbout(one, place));
    const pairs = judged.filter(({ there }) => isAbout(one, there));
    const isUsed = pairs.some(({ plain, there }) =>
      findSilences(plain, there).some(({ check }) => excuses(one, there, check)),
    );
    const mayBeUnused = one.chance && places.length > 0;
    return !isUsed && !mayBeUnused && pairs.length >= places.length;
  });
}

function findSilences(plain: Judgement, there: Judgement): Silent[] {
  const compared = Object.entries(plain.checks).map(([check, before]) => ({
    check,
    plain: before,
    there: there.checks[check] ?? { verdict: 'none', held: 0 },
  }));
  const finding = compared.filter((one) => one.plain.verdict === 'drift');
  const isLost = plain.kind === 'broken' && !finding.some((one) => one.there.verdict === 'drift');
  return compared.filter((one) => {
    const isEmptied = one.plain.held > 0 && one.there.held === 0;
    const mustDecide = plain.kind === 'broken' ? finding.includes(one) : isDecided(one.plain);
    return isEmptied || (mustDecide && !isDecided(one.there)) || (isLost && finding.includes(one));
  });
}

function isAbout({ row, settings }: Excuse, { id, setting }: Pick<Judgement, 'id' | 'setting'>) {
  return row.test(id) && (settings?.includes(setting) ?? true);
}

function excuses(reason: Excuse, there: Judgement, check: string): boolean {
  return isAbout(reason, there) && (reason.checks?.includes(check) ?? true);
}

function isDecided({ verdict }: CheckResult): boolean {
  return verdict !== 'inconclusive' && verdict !== 'vacuous' && verdict !== 'none';
}
